"""What is found out once and kept for all processes, as long as what it was found in stands as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.core.cache import cache

from memory.models import Bot

SECONDS = 3600  # that it is kept at the most

T = TypeVar("T")


def while_indexed(bot: Bot, name: str, find: Callable[[], T]) -> T:
    """What `find` finds in a bot's index, by a name; it is looked for again when the index has changed."""
    return as_of(bot, name, bot.indexed, find)


def as_of(bot: Bot, name: str, state: object, find: Callable[[], T]) -> T:
    """What `find` finds while `state` is what it is; of each name only the last is kept."""
    kept: tuple[object, T] | None = cache.get(_key(bot, name))
    return kept[1] if kept and kept[0] == state else keep(bot, name, state, find())


def keep(bot: Bot, name: str, state: object, found: T) -> T:
    """Keep what was found elsewhere for who asks next."""
    cache.set(_key(bot, name), (state, found), SECONDS)
    return found


def last(bot: Bot, name: str) -> object:
    """What was found last by a name, whatever has become of its state; None for nothing."""
    kept: tuple[object, object] | None = cache.get(_key(bot, name))
    return kept[1] if kept else None


def _key(bot: Bot, name: str) -> str:
    # a bot's pk and its counters alone may come again with a backup
    return f"{bot.pk}-{bot.created.timestamp()}-{name}"
