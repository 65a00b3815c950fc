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
    return named(bot, f"{name}-{bot.indexed}", find)


def named(bot: Bot, name: str, find: Callable[[], T]) -> T:
    """What `find` finds, by a name that is another one when anything else would be found."""
    # A bot's pk and its counters alone may come again with a backup.
    key = f"{bot.pk}-{bot.created.timestamp()}-{name}"
    kept: tuple[T] | None = cache.get(key)
    if kept is None:
        kept = (find(),)
        cache.set(key, kept, SECONDS)
    return kept[0]
