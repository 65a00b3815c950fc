"""What a job proposes, for its page: each source with its fate, which of it can be accepted, and what would be lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, QuerySet
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from memory.models import Bot, Fact, Job, Proposal
from memory.templatetags.desk import addresses, shown
from memory.text.words import spans, words
from memory.views.rows import excerpt
from memory.views.said import said

AT_ONCE = 100
SOURCES_SHOWN = 20  # of one proposal
Where = tuple[str, str]  # path and key of a fact
_WORD = re.compile(r"[^\W_]")

# Each action as a filter is called, and as the chip of one proposal says it.
ACTIONS: Mapping[str, tuple[str | Promise, str | Promise, str]] = {
    Proposal.Action.MERGE: (later("Merged"), later("becomes one line"), "good"),
    Proposal.Action.SUPERSEDE: (later("Superseded"), later("superseded"), "warn"),
    Proposal.Action.KEEP: (later("Kept"), later("kept as it is"), "good"),
    Proposal.Action.ARCHIVE: (later("Archived"), later("archived"), ""),
    Proposal.Action.REMEMBER: (later("Remembered"), later("remembered"), "good"),
    Proposal.Action.REPLACE: (later("Rewritten"), later("rewritten"), ""),
}
STATES: Mapping[str, tuple[str | Promise, str | Promise, str]] = {
    Proposal.State.OPEN: (later("To decide"), "", ""),
    Proposal.State.APPLIED: (later("Accepted"), later("accepted"), "good"),
    Proposal.State.REFUSED: (later("Refused"), later("refused"), ""),
    Proposal.State.BLOCKED: (later("Would be lost"), later("would be lost"), "bad"),
}
FLAGGED = "flagged"


@dataclass(frozen=True, slots=True)
class Source:
    """A fact that a proposal is about: where it stands, with the address of that line, and its text, safe."""

    place: str
    url: str
    text: SafeString


@dataclass(frozen=True, slots=True)
class Row:
    """One proposal. `line` is what it makes, safe; `goes` where that goes; `more` how many sources are not shown.

    `open`: it can be accepted; `stale`: a fact of it is not there any more as it was. `set_pk` is the change set that has it."""

    number: int
    action: str
    word: str
    level: str
    sources: Sequence[Source]
    more: int
    line: SafeString
    goes: str
    newer: Source | None
    flags: Sequence[str]
    losses: Sequence[str]
    open: bool
    stale: bool
    state: str
    state_level: str
    set_pk: int | None


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
    page = Paginator(_filtered(every, action, state).order_by("number"), AT_ONCE).get_page(asked.get("page"))
    standing = [one for one in sums if one.state == Proposal.State.OPEN and job.state == Job.State.PLANNED]
    return Plan(
        rows=_rows(bot, list(page.object_list), decides=job.state == Job.State.PLANNED),
        page=page,
        states=_states(sums, state),
        actions=_actions(sums, action),
        all=sum(one.n for one in sums),
        open=sum(one.n for one in standing),
        plain=sum(one.n - one.flagged for one in standing),
        blocked=sum(one.n for one in sums if one.state == Proposal.State.BLOCKED),
    )


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
    marked = Choice(FLAGGED, _("With a flag"), sum(one.flagged for one in sums), chosen == FLAGGED)
    return _with_all([*found, marked], chosen, _("Any fate"))


def _with_all(found: Iterable[Choice], chosen: str, every: str) -> list[Choice]:
    shown = [choice for choice in found if choice.number or choice.chosen]
    return [Choice("", every, 0, not chosen), *shown] if len(shown) > 1 else []


def _rows(bot: Bot, found: Sequence[Proposal], *, decides: bool) -> list[Row]:
    standing = _standing(bot, found) if decides else None
    within, address = _folder(found), addresses("document", bot)
    return [_row(one, within, address, standing) for one in found]


def _standing(bot: Bot, found: Iterable[Proposal]) -> set[Where]:
    """The facts of what is open that are there now."""
    wanted = {_where(source) for one in found if one.state == Proposal.State.OPEN for source in one.sources}
    wanted.discard(("", ""))
    if not wanted:
        return set()
    facts = Fact.objects.filter(bot=bot, key__in={key for _path, key in wanted})
    return set(facts.values_list("document__path", "key")) & wanted


def _where(source: Mapping[str, Any]) -> Where:
    """Which fact a source is; ("", "") for one that is no fact, such as a message."""
    return (str(source.get("path", "")), str(source["key"])) if source.get("key") else ("", "")


def _folder(found: Iterable[Proposal]) -> str:
    """The directory that holds all documents of some proposals, with its slash: a row need not name it. "" for none."""
    paths = {str(source.get("path", "")) for one in found for source in one.sources}
    first = next(iter(paths), "")
    above = first[: first.rfind("/") + 1]
    return above if above and all(path.startswith(above) for path in paths) else ""


def _row(one: Proposal, within: str, address: Callable[[str], str], standing: Collection[Where] | None) -> Row:
    """`standing`: the facts that are there now; None where nothing can be decided."""
    _label, word, level = ACTIONS[one.action]
    _label, state, state_level = STATES[one.state]
    is_open = one.state == Proposal.State.OPEN and standing is not None
    said_here = set(words(one.text)) if one.action == Proposal.Action.MERGE else set()
    line, cut = excerpt(one.text)
    return Row(
        number=one.number,
        action=one.action,
        word=str(word),
        level=level,
        sources=[_source(source, within, address, said_here) for source in one.sources[:SOURCES_SHOWN]],
        more=max(0, len(one.sources) - SOURCES_SHOWN),
        line=mark_safe(escape(shown(line)) + ("…" if cut else "")),  # noqa: S308 - escaped
        goes=shown(one.path.removeprefix(within)),
        newer=_source(one.newer, within, address, set()) if one.newer else None,
        flags=[said(flag) for flag in one.flags],
        losses=[said(loss) for loss in one.losses],
        open=is_open,
        stale=is_open and any(where[1] and where not in (standing or ()) for where in map(_where, one.sources)),
        state=str(state),
        state_level=state_level,
        set_pk=one.change_set_id,
    )


def _source(
    source: Mapping[str, Any], within: str, address: Callable[[str], str], said_here: Collection[str]
) -> Source:
    path, line = str(source.get("path", "")), source.get("line")
    place = path.removeprefix(within)
    url = address(path)
    text, cut = excerpt(str(source.get("text", "")))
    return Source(
        place=shown(f"{place}:{line}" if line else place),
        url=f"{url}?line={line}" if url and line else url,
        text=mark_safe(_marked(shown(text), said_here) + ("…" if cut else "")),  # noqa: S308 - escaped
    )


def _marked(text: str, said_here: Collection[str]) -> str:
    """A text, escaped, with the words that are said elsewhere in `<mark>`."""
    parts, at = [], 0
    for start, end in _together(text, spans(text, said_here.__contains__)) if said_here else ():
        parts += [escape(text[at:start]), "<mark>", escape(text[start:end]), "</mark>"]
        at = end
    return "".join([*parts, escape(text[at:])])


def _together(text: str, found: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans with no word between them as one, so that what is *not* said elsewhere stands out."""
    joined: list[tuple[int, int]] = []
    for start, end in found:
        if joined and not _WORD.search(text, joined[-1][1], start):
            start = joined.pop()[0]
        joined.append((start, end))
    return joined
