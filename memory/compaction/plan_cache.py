"""Plans of compaction that somebody is reading: kept in this process, so that turning their pages does not plan them again."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Sum
from django.db.models.functions import Coalesce

from memory import index
from memory.bots import open_bot
from memory.compaction import runner
from memory.curation.documents import as_text
from memory.domain.changes import Delete, Put
from memory.domain.errors import Unreadable
from memory.domain.places import Kind, Tier
from memory.domain.plan import Decision, Fate, Plan
from memory.index.parse import YOUNG_NS
from memory.models import Bot, Document
from memory.storage import Stat
from memory.text.byte_cache import ByteCache
from memory.text.tokens.estimate import estimate

LOGS_AT_ONCE = 100
FACTS_AT_ONCE = 1000
ROOM = 64 << 20  # bytes of plans in a process
A_DECISION = 1000  # bytes that it takes in a plan, about

_kept: ByteCache[tuple[Any, ...], tuple[Mapping[str, Stat], Known]] = ByteCache(ROOM)


@dataclass(frozen=True, slots=True)
class Known:
    """A plan and what a page says of it: facts and lines by their fate, what it does, tokens before and after the run of each
    long-term document, by estimate."""

    plan: Plan
    fingerprint: str
    numbers: Mapping[str, int]
    counts: runner.Counts
    tokens: Mapping[str, tuple[int, int]]


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
    logs = Document.objects.filter(bot=bot, kind=Kind.DAILY, day__lt=before)
    if scope != "all":
        logs = logs.filter(tier=Tier.CHAT if scope else Tier.GLOBAL, scope=scope)
    return Backlog(**logs.aggregate(logs=Count("pk"), facts=Coalesce(Sum("facts_count"), 0)))


def is_due(bot: Bot, waiting: Backlog) -> bool:
    """Whether compacting the bot's own old logs, which are `waiting`, would help: something of them would move, or go as said
    already or empty. Logs that would be archived weigh on nobody."""
    opened = open_bot(bot)
    if not waiting.logs or not runner.moves(bot):
        return False
    if not waiting.is_much:
        return any(known(bot, [""]).counts[:3])
    size = Document.objects.filter(bot=bot, path=opened.long_term).values_list("size", flat=True).first() or 0
    return opened.limit is None or size < opened.limit.size


def known(bot: Bot, scopes: Iterable[str], **options: Any) -> Known:
    """The plan of `compaction.plan`, planned anew unless none of its files changed since. Raises BadOption."""
    question = runner.ask(bot, scopes, **options)
    key = (bot.pk, bot.indexed, *sorted(bot.directories.items()), question)
    started = time.time_ns()
    try:
        stats = index.notes(bot, question.scopes)
        if found := _recalled(key, stats):
            return found
        made = _known(bot, runner.answer(bot, question, stats))
    except Unreadable as error:
        return _known(bot, Plan(stopped=str(error)))
    if all(stat.ctime_ns < started - YOUNG_NS for stat in stats.values()):
        _keep(key, stats, made)
    return made


def numbers(decisions: Sequence[Decision]) -> dict[str, int]:
    """How many decisions there are of each fate, and of `all`."""
    fates = Counter(decision.fate for decision in decisions)
    return {**{fate.value: fates[fate] for fate in Fate}, "all": len(decisions)}


def fingerprint(plan: Plan) -> str:
    """What makes two plans the same: every decision, and every byte that would be written."""
    parts = [repr(plan.decisions), plan.stopped]
    parts += [
        f"{change.path} {change.base} {hashlib.sha256(change.data).hexdigest() if isinstance(change, Put) else ''}"
        for change in plan.changes
        if isinstance(change, Put | Delete)
    ]
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def _recalled(key: tuple[Any, ...], stats: Mapping[str, Stat]) -> Known | None:
    then, found = _kept.get(key) or ({}, None)
    return found if then == stats else None


def _keep(key: tuple[Any, ...], stats: Mapping[str, Stat], made: Known) -> None:
    written = sum(len(change.data) for change in made.plan.changes if isinstance(change, Put))
    _kept.put(key, (stats, made), A_DECISION * len(made.plan.decisions) + written)


def _known(bot: Bot, plan: Plan) -> Known:
    return Known(plan, fingerprint(plan), numbers(plan.decisions), runner.counts(plan), _tokens(bot, plan))


def _tokens(bot: Bot, plan: Plan) -> dict[str, tuple[int, int]]:
    memory = index.BotMemory(bot)
    results = {change.path: change.data for change in plan.changes if isinstance(change, Put)}
    tokens = {}
    for path in plan.sizes:
        now = memory.read(path) or b""
        before = estimate(as_text(now))
        tokens[path] = before, estimate(as_text(results[path])) if path in results else before
    return tokens
