"""Plans of compaction that somebody is reading: kept in this process, so that turning their pages does not plan them again."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memory import index
from memory.bots import open_bot
from memory.compaction import runner
from memory.curation.documents import as_text
from memory.domain.changes import Delete, Put
from memory.domain.errors import Unreadable
from memory.domain.plan import Decision, Fate, Plan
from memory.index.parse import YOUNG_NS
from memory.models import Bot
from memory.storage import Stat
from memory.text.byte_cache import ByteCache
from memory.text.tokens.estimate import estimate

ROOM = 64 << 20  # bytes of plans in a process
A_DECISION = 1000  # bytes that it takes in a plan, about

_kept: ByteCache[tuple[Any, ...], tuple[Mapping[str, Stat], CachedPlan]] = ByteCache(ROOM)


@dataclass(frozen=True, slots=True)
class CachedPlan:
    """A plan and what a page says of it: facts by their fate, what it does, the days of its logs, tokens before and after the run
    of each long-term document, by estimate."""

    plan: Plan
    fingerprint: str
    numbers: Mapping[str, int]
    counts: runner.Counts
    days: Sequence[str]
    tokens: Mapping[str, tuple[int, int]]


def cached_plan(bot: Bot, scopes: Iterable[str], **options: Any) -> CachedPlan:
    """The plan of `runner.plan`, planned anew unless none of its files changed since. Raises BadOption."""
    question = runner.make_request(bot, scopes, **options)
    key = (bot.pk, bot.indexed, *sorted(bot.directories.items()), question)
    started = time.time_ns()
    try:
        stats = index.notes(bot, question.scopes)
        if found := _recalled(key, stats):
            return found
        made = _known(bot, runner.plan_request(bot, question, stats))
    except Unreadable as error:
        return _known(bot, Plan(stopped=str(error)))
    if all(stat.ctime_ns < started - YOUNG_NS for stat in stats.values()):
        _keep(key, stats, made)
    return made


def numbers(decisions: Sequence[Decision]) -> dict[str, int]:
    """How many facts meet each fate, and how many there are (`all`); lines that are none count nowhere."""
    fates = Counter(decision.fate for decision in decisions if decision.is_fact)
    return {**{fate.value: fates[fate] for fate in Fate}, "all": fates.total()}


def fingerprint(plan: Plan) -> str:
    """What makes two plans the same: every decision, and every byte that would be written."""
    parts = [repr(plan.decisions), plan.stopped]
    parts += [
        f"{change.path} {change.base} {hashlib.sha256(change.data).hexdigest() if isinstance(change, Put) else ''}"
        for change in plan.changes
        if isinstance(change, Put | Delete)
    ]
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def _recalled(key: tuple[Any, ...], stats: Mapping[str, Stat]) -> CachedPlan | None:
    then, found = _kept.get(key) or ({}, None)
    return found if then == stats else None


def _keep(key: tuple[Any, ...], stats: Mapping[str, Stat], made: CachedPlan) -> None:
    written = sum(len(change.data) for change in made.plan.changes if isinstance(change, Put))
    _kept.put(key, (stats, made), A_DECISION * len(made.plan.decisions) + written)


def _known(bot: Bot, plan: Plan) -> CachedPlan:
    days = [place.day for path in plan.sources if (place := open_bot(bot).dialect.describe(path)) and place.day]
    return CachedPlan(plan, fingerprint(plan), numbers(plan.decisions), runner.counts(plan), days, _tokens(bot, plan))


def _tokens(bot: Bot, plan: Plan) -> dict[str, tuple[int, int]]:
    memory = index.BotMemory(bot)
    results = {change.path: change.data for change in plan.changes if isinstance(change, Put)}
    tokens = {}
    for path in plan.sizes:
        now = memory.read(path) or b""
        before = estimate(as_text(now))
        tokens[path] = before, estimate(as_text(results[path])) if path in results else before
    return tokens
