"""Numbers about a bot that every page or the overview shows: each a count over a stretch of one index."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass

from memory.bots import open_bot
from memory.domain.dialect import Kind, Tier
from memory.models import Bot, Chat, Day, Document, Finding, Job, Pin

LIVELY = 7  # days; a chat that was written to since is an active one
DAY_NS = 86_400 * 10**9


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside the places on every page: how many chats there are, stale working memories, broken recall tests, open
    findings, jobs whose proposals wait for somebody; whether it keeps logs by day, or there are days all the same."""

    chats: int
    stale: int
    broken: int
    findings: int
    deciding: int
    days: bool


@dataclass(frozen=True, slots=True)
class Tally(Beside):
    """The same and what the overview shows: active chats, those with old notes, fresh working memories, old logs of the bot's own,
    documents that cannot be read."""

    active: int
    old_chats: int
    fresh: int
    old_logs: int
    unreadable: int


def tally(bot: Bot) -> Tally:
    """The numbers as of now."""
    lively = time.time_ns() - LIVELY * DAY_NS
    old, chats = open_bot(bot).old_before(), Chat.objects.filter(bot=bot)
    documents = Document.objects.filter(bot=bot)
    own_logs = documents.filter(tier=Tier.GLOBAL, scope="", kind=Kind.DAILY)
    return Tally(
        **asdict(beside(bot)),
        active=chats.filter(written_ns__gte=lively).count(),
        old_chats=chats.filter(oldest_day__gt="", oldest_day__lt=old).count(),
        fresh=chats.filter(working_ns__gte=open_bot(bot).stale_before()).count(),
        old_logs=own_logs.filter(day__lt=old).count(),
        unreadable=documents.exclude(error="").count(),
    )


def beside(bot: Bot) -> Beside:
    """The numbers that no page is without: few counts, for they are counted on each."""
    chats = Chat.objects.filter(bot=bot)
    return Beside(
        chats=chats.count(),
        stale=chats.filter(working_ns__lt=open_bot(bot).stale_before()).count(),
        broken=Pin.objects.filter(bot=bot, broken__isnull=False).count(),
        findings=Finding.objects.filter(bot=bot, gone=None, ignored=None).count(),
        deciding=Job.objects.filter(bot=bot, state=Job.State.PLANNED).count(),
        days=has_days(bot),
    )


def has_days(bot: Bot) -> bool:
    """Whether there is something to see day by day, or the bot keeps logs in which there may be."""
    return open_bot(bot).keeps(Kind.DAILY) or Day.objects.filter(bot=bot).exists()
