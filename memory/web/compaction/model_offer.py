"""Compaction by meaning before it is asked for: what the model would read, what that costs, and whether one is at it already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from memory import llm
from memory.bots.automation import LINES, MEANING, automation_of
from memory.bots.costs import costs_of
from memory.compaction import consolidation
from memory.compaction.consolidation import Prospect
from memory.domain.errors import VaultError
from memory.llm import budget
from memory.models import Bot, Job
from memory.web.base.gauges import money
from memory.web.base.said import said

LOOKED_AT = 50  # jobs


@dataclass(frozen=True, slots=True)
class Offer:
    """What a run would ask. `money` is what reading it costs, "" without a price; `job` does it already, what `planned` proposes
    waits for somebody; `problem` says why it cannot be told what a run would ask."""

    prospect: Prospect | None
    money: str
    job: int | None
    planned: int | None
    problem: str = ""


def by_meaning(bot: Bot, asked: str) -> bool:
    """Whether the page of compaction is about the one by meaning: as asked for (`lines`, `meaning`), else as is set."""
    chosen = asked if asked in (LINES, MEANING) else automation_of(bot).compact_by
    return chosen == MEANING and llm.server() is not None


def offer(bot: Bot, scopes: Iterable[str], options: Mapping[str, Any]) -> Offer:
    """What compaction of these scopes by meaning would take."""
    wanted = tuple(scopes)
    job = _latest(bot, wanted, (Job.State.QUEUED, Job.State.RUNNING))
    planned = _latest(bot, wanted, (Job.State.PLANNED,))
    try:
        found = consolidation.prospect(bot, wanted, **options)
    except VaultError as error:
        return Offer(None, "", job, planned, said(str(error)))
    if found.stopped:
        return Offer(None, "", job, planned, said(found.stopped))
    return Offer(found, money(round(costs_of(bot).dollars(found.tokens) * budget.MICROS)), job, planned)


def _latest(bot: Bot, scopes: tuple[str, ...], states: Iterable[Job.State]) -> int | None:
    """The newest job of these scopes that stands so."""
    found = Job.objects.filter(bot=bot, kind=Job.Kind.CONSOLIDATION, state__in=states).values_list("pk", "params")
    return next((pk for pk, params in found[:LOOKED_AT] if params.get("scopes") == list(scopes)), None)
