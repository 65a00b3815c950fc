"""Facts that somebody pinned: no compaction moves them, and they are never stale. A pin follows its fact (`journal/lineage.py`)."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet

from memory.models import Bot, Fact, Pinned


def keys(bot: Bot) -> frozenset[str]:
    """The keys of what is pinned, also of what is not there any more."""
    return frozenset(Pinned.objects.filter(bot=bot).values_list("key", flat=True))


def facts(bot: Bot) -> QuerySet[Fact]:
    """The pinned facts that are there."""
    return Fact.objects.filter(bot=bot, key__in=Pinned.objects.filter(bot=bot).values("key"))


def pin(bot: Bot, some: Iterable[str]) -> None:
    """Pin the facts of these keys."""
    Pinned.objects.bulk_create([Pinned(bot=bot, key=key) for key in dict.fromkeys(some)], ignore_conflicts=True)


def unpin(bot: Bot, some: Iterable[str]) -> None:
    """Let rules and models have the facts of these keys again."""
    Pinned.objects.filter(bot=bot, key__in=list(some)).delete()
