"""Facts that somebody pinned: no compaction moves them, and they are never stale. A pin follows its fact (`journal/lineage.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet

from memory.bots import open_bot
from memory.domain.changes import By, digest
from memory.domain.places import Kind
from memory.journal import pinning
from memory.journal.versions import batches
from memory.models import Bot, ChangeSet, Fact, Pinned
from memory.text.sentences import join_sentences, say, say_number

if TYPE_CHECKING:  # compaction asks for pins only, and starts without what changes facts
    from memory.curation.facts import FoundFact

IN_LOGS = Q(document__kind=Kind.DAILY, document__day__gt="")


@dataclass(frozen=True, slots=True)
class PinPreview:
    """What would be pinned, or unpinned: `count` facts and `alike` others that say the same; `passing` of all of them are in logs
    that the bot deletes by itself."""

    keys: Sequence[str]
    pinned: bool
    count: int
    alike: int
    passing: int

    @property
    def print(self) -> str:
        """Another one for anything else that would be marked."""
        told = f"{self.pinned} {self.count} {self.alike} {self.passing} {' '.join(sorted(self.keys))}"
        return digest(told.encode())


def keys(bot: Bot) -> frozenset[str]:
    """The keys of what is pinned, also of what is not there any more."""
    return frozenset(Pinned.objects.filter(bot=bot).values_list("key", flat=True))


def facts(bot: Bot) -> QuerySet[Fact]:
    """The pinned facts that are there."""
    return Fact.objects.filter(bot=bot, key__in=Pinned.objects.filter(bot=bot).values("key"))


def count_doomed(bot: Bot) -> int:
    """How many pinned facts are in logs that the bot is about to delete by itself: a pin does not keep a file. Asked by their keys,
    or SQLite begins with all old logs."""
    passing = Fact.objects.filter(IN_LOGS, bot=bot, document__day__lt=open_bot(bot).deleted_before())
    return sum(passing.filter(key__in=some).count() for some in batches(sorted(keys(bot))))


def foresee(bot: Bot, found: Sequence[FoundFact], *, pinned: bool) -> PinPreview:
    """What a pin of these facts would mark."""
    meant = tuple(dict.fromkeys(one.fact.key for one in found))
    same = [Fact.objects.filter(bot=bot, key__in=some) for some in batches(meant)]
    deletes = pinned and bool(open_bot(bot).deleted_before())
    passing = sum(some.filter(IN_LOGS).count() for some in same) if deletes else 0
    return PinPreview(meant, pinned, len(found), max(sum(some.count() for some in same) - len(found), 0), passing)


def describe(bot: Bot, one: PinPreview) -> str:
    """What to know of a pin, for people."""
    return join_sentences(say("No file changes."), _alike(one), passing_warning(bot, one))


def passing_warning(bot: Bot, one: PinPreview) -> str:
    """That a pin does not keep a log that the bot deletes by itself; "" where none does."""
    if not one.passing:
        return ""
    return say_number(
        "%(count)s is in a log that %(bot)s deletes by itself, and goes with it.",
        "%(count)s are in logs that %(bot)s deletes by itself, and go with them.",
        count=one.passing,
        bot=bot.name,
    )


def do(bot: Bot, one: PinPreview, by: By) -> ChangeSet | None:
    """Pin what was foreseen, or unpin it, as one change; None where all of it is so already."""
    return pinning.mark(bot, one.keys, by, pinned=one.pinned, count=one.count)


def _alike(one: PinPreview) -> str:
    if not one.alike:
        return ""
    if one.pinned:
        return say_number(
            "%(count)s other fact says the same and is pinned, too.",
            "%(count)s other facts say the same and are pinned, too.",
            count=one.alike,
        )
    return say_number(
        "%(count)s other fact says the same and is unpinned, too.",
        "%(count)s other facts say the same and are unpinned, too.",
        count=one.alike,
    )
