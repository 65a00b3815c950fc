"""Numbers about a bot that every page shows: each a count over a stretch of one index."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db.models import Count, Q

from memory.bots import open_bot
from memory.domain.places import Kind
from memory.models import Bot, Chat, Day, Finding, Job, RecallTest


@dataclass(frozen=True, slots=True)
class Beside:
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


def beside(bot: Bot) -> Beside:
    """The numbers that no page is without: few counts, for they are counted on each."""
    stale = Q(working_ns__lt=open_bot(bot).stale_before())
    chats = Chat.objects.filter(bot=bot).aggregate(chats=Count("pk"), stale=Count("pk", filter=stale))
    jobs = Job.objects.filter(bot=bot, state__in=(Job.State.PLANNED, Job.State.RUNNING)).order_by()
    states = Counter(jobs.values_list("state", flat=True))
    return Beside(
        **chats,
        broken=RecallTest.objects.filter(bot=bot, broken__isnull=False).count(),
        findings=Finding.objects.filter(bot=bot, gone=None, ignored=None).count(),
        deciding=states[Job.State.PLANNED],
        running=states[Job.State.RUNNING],
        days=has_days(bot),
    )


def has_days(bot: Bot) -> bool:
    """Whether there is something to see day by day, or the bot keeps logs in which there may be."""
    return open_bot(bot).keeps(Kind.DAILY) or Day.objects.filter(bot=bot).exists()


def seen(bot: Bot) -> str:
    """What a page was made at: a page that was made at the same is in step."""
    return " ".join(filter(None, (str(bot.indexed), open_bot(bot).access.value, bot.trouble)))
