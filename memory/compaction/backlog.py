"""What waits to be compacted, as the index says: without planning it."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Sum
from django.db.models.functions import Coalesce

from memory.bots import open_bot
from memory.compaction import plan_cache, runner
from memory.domain.places import Kind, Tier
from memory.models import Bot, Document

LOGS_AT_ONCE = 100
FACTS_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Backlog:
    """Old logs, and about how many entries they hold, as the index says."""

    logs: int
    facts: int

    @property
    def is_much(self) -> bool:
        """Whether it takes too long to be planned while somebody waits for a page."""
        return self.logs > LOGS_AT_ONCE or self.facts > FACTS_AT_ONCE


def backlog(bot: Bot, scope: str, before: str) -> Backlog:
    """What waits in the logs of days before `before` (YYYY-MM-DD): of a chat, of the bot itself (""), or of `all`."""
    logs = Document.objects.filter(bot=bot, kind=Kind.DAILY, day__gt="", day__lt=before)
    if scope != "all":
        logs = logs.filter(tier=Tier.CHAT if scope else Tier.GLOBAL, scope=scope)
    return Backlog(**logs.aggregate(logs=Count("pk"), facts=Coalesce(Sum("facts_count"), 0)))


def elsewhere(bot: Bot, scope: str, before: str) -> int:
    """How many logs of days before `before` there are beside those of a scope."""
    return backlog(bot, "all", before).logs - backlog(bot, scope, before).logs


def is_due(bot: Bot, waiting: Backlog) -> bool:
    """Whether compacting the bot's own old logs, which are `waiting`, would help: something of them would move, or go as said
    already or empty. Logs that would be archived weigh on nobody."""
    opened = open_bot(bot)
    if not waiting.logs or not runner.moves_facts(bot):
        return False
    if not waiting.is_much:
        return any(plan_cache.cached_plan(bot, [""]).counts[:3])
    size = Document.objects.filter(bot=bot, path=opened.long_term).values_list("size", flat=True).first() or 0
    return opened.limit is None or size < opened.limit.roomy
