"""What a job proposes, for its page: each source with its fate, which of it can be accepted, and what would be lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from memory.models import Bot, Job, Proposal
from memory.web.jobs.proposal_rows import ACTIONS, STATES, Row, rows

AT_ONCE = 50
FLAGGED = "flagged"


@dataclass(frozen=True, slots=True)
class Choice:
    """One filter: what it is called, how many proposals it leaves, and whether it is chosen."""

    value: str
    label: str | Promise
    number: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """What a job proposes, a page of it. `open` wait for somebody, `plain` of these have no flag; `blocked` cannot be accepted."""

    rows: Sequence[Row]
    page: Page[Proposal]
    states: Sequence[Choice]
    actions: Sequence[Choice]
    all: int
    open: int
    plain: int
    blocked: int

    @property
    def only(self) -> int | None:
        """The number of the one proposal there is, if it waits for somebody: its buttons need no tick."""
        return self.rows[0].number if self.all == self.open == len(self.rows) == 1 else None

    @property
    def picks(self) -> bool:
        """Whether there is something to choose from."""
        return bool(self.open and self.only is None)


@dataclass(frozen=True, slots=True)
class _Sum:
    action: str
    state: str
    n: int
    flagged: int


def proposed(bot: Bot, job: Job, asked: Mapping[str, str]) -> Plan | None:
    """A page of what a job proposes, by the filters of an address: `action`, `state`, `page`. None if it proposes nothing."""
    every = Proposal.objects.filter(job=job).order_by()
    counted = every.values_list("action", "state").annotate(n=Count("pk"), flagged=Count("pk", filter=~Q(flags=[])))
    sums = [_Sum(*row) for row in counted]
    if not sums:
        return None
    action = asked.get("action", "") if asked.get("action") in {*ACTIONS, FLAGGED} else ""
    state = asked.get("state", "") if asked.get("state") in STATES else ""
    paginator = Paginator(_filtered(every, action, state).order_by("number"), AT_ONCE)
    paginator.count = _count(sums, action, state)
    page = paginator.get_page(asked.get("page"))
    standing = [one for one in sums if one.state == Proposal.State.OPEN and job.state == Job.State.PLANNED]
    number = sum(one.n for one in sums)
    return Plan(
        rows=rows(bot, list(page.object_list), decides=job.state == Job.State.PLANNED),
        page=page,
        states=_states(sums, state),
        actions=_actions(sums, action) if number > 1 else [],
        all=number,
        open=sum(one.n for one in standing),
        plain=sum(one.n - one.flagged for one in standing),
        blocked=sum(one.n for one in sums if one.state == Proposal.State.BLOCKED),
    )


def _count(sums: Sequence[_Sum], action: str, state: str) -> int:
    """How many proposals a filter leaves."""
    left = [one for one in sums if state in ("", one.state) and action in ("", FLAGGED, one.action)]
    return sum(one.flagged if action == FLAGGED else one.n for one in left)


def _filtered(every: QuerySet[Proposal], action: str, state: str) -> QuerySet[Proposal]:
    if action == FLAGGED:
        every = every.exclude(flags=[])
    elif action:
        every = every.filter(action=action)
    return every.filter(state=state) if state else every


def _states(sums: Sequence[_Sum], chosen: str) -> list[Choice]:
    """How they stand; no choice where all stand alike."""
    found = [
        Choice(value, words[0], sum(one.n for one in sums if one.state == value), value == chosen)
        for value, words in STATES.items()
    ]
    return _with_all(found, chosen, _("All"))


def _actions(sums: Sequence[_Sum], chosen: str) -> list[Choice]:
    found = [
        Choice(value, words[0], sum(one.n for one in sums if one.action == value), value == chosen)
        for value, words in ACTIONS.items()
    ]
    marked = Choice(FLAGGED, _("With warnings"), sum(one.flagged for one in sums), chosen == FLAGGED)
    return _with_all([*found, marked], chosen, _("All"))


def _with_all(found: Iterable[Choice], chosen: str, every: str) -> list[Choice]:
    shown = [choice for choice in found if choice.number or choice.chosen]
    return [Choice("", every, 0, not chosen), *shown] if len(shown) > 1 else []
