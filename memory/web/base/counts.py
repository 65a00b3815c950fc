"""Numbers about a bot that every page shows: each a count over a stretch of one index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import connection

from memory.bots import open_bot
from memory.domain.places import Kind
from memory.models import Bot, Day

# Written out: building the queries took a tenth of a page, running them a hundredth.
_COUNTS = """
SELECT
    (SELECT COUNT(*) FROM memory_chat WHERE bot_id = %(bot)s),
    (SELECT COUNT(*) FROM memory_chat WHERE bot_id = %(bot)s AND working_ns < %(stale)s),
    (SELECT COUNT(*) FROM memory_recalltest WHERE bot_id = %(bot)s AND broken IS NOT NULL),
    (SELECT COUNT(*) FROM memory_finding WHERE bot_id = %(bot)s AND gone IS NULL AND ignored IS NULL),
    (SELECT COUNT(*) FROM memory_job WHERE bot_id = %(bot)s AND state = 'planned'),
    (SELECT COUNT(*) FROM memory_job WHERE bot_id = %(bot)s AND state = 'running')
"""


@dataclass(frozen=True, slots=True)
class SidebarCounts:
    """What stands beside the places on every page: how many chats there are, stale working memories, broken recall tests, open
    findings, jobs whose proposals wait for somebody, and jobs that run; whether it keeps logs by day, or there are days all the
    same."""

    chats: int
    stale: int
    broken: int
    findings: int
    deciding: int
    running: int
    days: bool


@dataclass(frozen=True, slots=True)
class ToReview:
    """How many decisions are wanted, `findings` of them about findings, and how bad the worst is: `bad`, `warn` or ""; `hints` want
    none."""

    number: int = 0
    level: str = ""
    findings: int = 0
    hints: int = 0

    @property
    def others(self) -> int:
        """Those that are about no finding: a compaction, a job, a recall test."""
        return self.number - self.findings


def sidebar_counts(bot: Bot) -> SidebarCounts:
    """The numbers that no page is without: one statement, for they are counted on each."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS, {"bot": bot.pk, "stale": open_bot(bot).stale_before()})
        counted: tuple[Any, ...] = cursor.fetchone() or ()
    return SidebarCounts(*(*counted, has_days(bot)))


def has_days(bot: Bot) -> bool:
    """Whether there is something to see day by day, or the bot keeps logs in which there may be."""
    return open_bot(bot).keeps(Kind.DAILY) or Day.objects.filter(bot=bot).exists()


def seen(bot: Bot) -> str:
    """The state of a bot's index and files that a page is made of, as one word: while it stays the same, the page is in step."""
    unread = "" if bot.walked else "unread"  # an empty memory is still at 0 once it was read
    return " ".join(filter(None, (unread, str(bot.indexed), open_bot(bot).access.value, bot.trouble)))
