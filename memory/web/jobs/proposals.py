"""What a job proposes, for its page: each source with its fate, which can be accepted, what that does, and what would be lost."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from memory.bots import open_bot
from memory.compaction import consolidation
from memory.domain.errors import VaultError
from memory.domain.plan import Choice
from memory.models import Bot, Job, Proposal
from memory.web.base import ticks
from memory.web.base.gauges import number_of
from memory.web.compaction.bars import Size, passing, size
from memory.web.compaction.plan_rows import deeds
from memory.web.compaction.suggestions import AT_ONCE
from memory.web.jobs.filters import Filter, filters
from memory.web.jobs.proposal_rows import ACTIONS, STATES, UNDONE, asked_for, groups, is_ticked, log_of

FLAGGED = "flagged"
FORESEEN = 1000  # proposals whose outcome is worked out while somebody waits for the page


@dataclass(frozen=True, slots=True)
class _Sum:
    action: str
    state: str
    n: int
    flagged: int


@dataclass(frozen=True, slots=True)
class _Deeds:
    """The button's words, "" where nothing is ticked; long-term memory before and after; by how much it would pass the limit."""

    button: str = ""
    sizes: Sequence[Size] = ()
    passes: str = ""


def proposed(bot: Bot, job: Job, asked: Mapping[str, str], undone: Collection[int] = ()) -> dict[str, object] | None:
    """A page of what a job proposes, by what was asked: `action`, `state`, `q`, `number` for one alone, `page`, its `rows`, and
    what was ticked. `undone` are its change sets that were taken back. None if it proposes nothing. In it, `open` wait for
    somebody; `blocked` cannot be accepted. `only` is the number of the one proposal there is, if it waits: its buttons need no
    tick. `ticked` are those that would be accepted now, on this page or another, and `does` says what that would do. `leave` and
    `move` are what no box of this page says, and `picks` whether there is something to choose from."""
    every = Proposal.objects.filter(job=job).order_by()
    flagged = Count("pk", filter=~Q(flags=[]))
    counted = every.values_list("action", "state", "change_set").annotate(n=Count("pk"), flagged=flagged)
    sums = [_Sum(action, UNDONE if made in undone else state, *sums) for action, state, made, *sums in counted]
    if not sums:
        return None
    action = asked.get("action", "") if asked.get("action") in {*ACTIONS, FLAGGED} else ""
    state = asked.get("state", "") if asked.get("state") in STATES else ""
    query, chosen = asked.get("q", "").strip(), ticks.choice(asked)
    those = asked_for(every.filter(_is(state, undone)) if state else every, asked)
    paginator = Paginator(_filtered(those, action, query).order_by("number"), AT_ONCE)
    if not query and "number" not in asked:
        paginator.count = _count(sums, action, state)
    page = paginator.get_page(asked.get("page"))
    decides = job.state == Job.State.PLANNED
    waiting = sum(one.n for one in sums if one.state == Proposal.State.OPEN) if decides else 0
    number = sum(one.n for one in sums)
    only = next((one.number for one in page.object_list), None) if number == waiting == 1 else None
    rows = asked.get("rows", "1") if paginator.count == 1 else ""
    shown = groups(bot, list(page.object_list), chosen, undone, decides=decides, boxed=only is None, number=rows)
    numbers = ticked(job, chosen) if waiting else []
    here = {row.value for group in shown for row in group.rows if row.boxed} | {one.path for one in shown if one.boxed}
    return {
        "groups": shown,
        "page": page,
        "states": _states(sums, state),
        "actions": _actions(sums, action) if number > 1 else [],
        "query": query,
        "all": number,
        "open": waiting,
        "blocked": sum(one.n for one in sums if one.state == Proposal.State.BLOCKED),
        "only": only,
        "picks": bool(waiting and only is None),
        "state": state,
        "action": action if number > 1 else "",
        "ticked": numbers,
        "does": _deeds_of(bot, job, numbers),
        "leave": sorted(chosen.leave - here),
        "move": sorted(chosen.move - here),
        "waits": waiting > FORESEEN,
    }


def ticked(job: Job, chosen: Choice) -> list[int]:
    """The numbers of a job's open proposals that are ticked: those without a warning, but for what was left, and what was asked for
    besides."""
    found = Proposal.objects.filter(job=job, state=Proposal.State.OPEN).order_by("number")
    if not chosen.leave and not chosen.move:
        return list(found.filter(flags=[]).values_list("number", flat=True))
    rows = found.only("number", "flags", "sources")
    return [one.number for one in rows if is_ticked(one.number, bool(one.flags), log_of(one), chosen)]


def _count(sums: Sequence[_Sum], action: str, state: str) -> int:
    """How many proposals a filter leaves."""
    left = [one for one in sums if state in ("", one.state) and action in ("", FLAGGED, one.action)]
    return sum(one.flagged if action == FLAGGED else one.n for one in left)


def _is(state: str, undone: Collection[int]) -> Q:
    """What is in this state; of what was accepted, whether or not that was undone."""
    back = Q(change_set__in=list(undone))
    return back if state == UNDONE else Q(state=state) & ~back


def _filtered(every: QuerySet[Proposal], action: str, query: str) -> QuerySet[Proposal]:
    if action == FLAGGED:
        every = every.exclude(flags=[])
    elif action:
        every = every.filter(action=action)
    return every.filter(number__in=[one.number for one in every if _says(one, query.casefold())]) if query else every


def _says(one: Proposal, words: str) -> bool:
    """Whether a proposal or a fact of it holds these words."""
    texts = [one.text, *(str(source.get("text", "")) for source in one.sources)]
    return any(words in text.casefold() for text in texts)


def _states(sums: Sequence[_Sum], chosen: str) -> list[Filter]:
    """How they stand; no choice where all stand alike."""
    found = [
        Filter(value, words[0], sum(one.n for one in sums if one.state == value), value == chosen)
        for value, words in STATES.items()
    ]
    return filters(found, chosen, _("All"))


def _actions(sums: Sequence[_Sum], chosen: str) -> list[Filter]:
    found = [
        Filter(value, words[0], sum(one.n for one in sums if one.action == value), value == chosen)
        for value, words in ACTIONS.items()
    ]
    marked = Filter(FLAGGED, _("With warnings"), sum(one.flagged for one in sums), chosen == FLAGGED)
    return filters([*found, marked], chosen, _("All"))


def _deeds_of(bot: Bot, job: Job, numbers: Sequence[int]) -> _Deeds:
    """What accepting these would do, as far as that can be told now."""
    if not numbers:
        return _Deeds()
    plain = number_of("Accept %(count)s suggestion", "Accept %(count)s suggestions", len(numbers))
    if job.kind != Job.Kind.CONSOLIDATION or len(numbers) > FORESEEN:
        return _Deeds(plain)
    try:
        found = consolidation.foresee(bot, job, numbers)
    except VaultError:
        return _Deeds(plain)
    limit = open_bot(bot).limit
    sizes = [size(path, before, after, limit) for path, (before, after) in found.sizes.items()]
    return _Deeds(deeds(found.counts) or plain, sizes, passing(sizes, limit))
