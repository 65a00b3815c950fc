"""A plan of compaction as its page shows it: numbers, bars, and its decisions by day, identical ones as one, a page at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from django.core.paginator import Page, Paginator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from memory.compaction.plan_cache import Known
from memory.compaction.rules import Counts
from memory.domain.dialect import Choice, Decision, Dialect, Fate, Limit, Plan
from memory.text.markdown.lead import lead
from memory.web.base.dates import day
from memory.web.base.gauges import grouped, kilobytes
from memory.web.compaction.bars import Bar, bars

AT_ONCE = 50
FATES = {
    Fate.MOVE: (gettext_lazy("move"), "good"),
    Fate.DUPLICATE: (gettext_lazy("duplicate"), ""),
    Fate.KEEP: (gettext_lazy("leave"), "warn"),
    Fate.ARCHIVE: (gettext_lazy("archive"), ""),
}
# The same once it has happened.
CAME_TO = {
    Fate.MOVE: (gettext_lazy("moved"), "good"),
    Fate.DUPLICATE: (gettext_lazy("duplicate"), ""),
    Fate.KEEP: (gettext_lazy("left"), "warn"),
    Fate.ARCHIVE: (gettext_lazy("archived"), ""),
}


@dataclass(frozen=True, slots=True)
class Size:
    """One long-term document before and after the run. `whole`: if everything moved. `over`: by how much it is more than the bot
    loads already."""

    path: str
    before: int
    after: int
    whole: int
    tokens_before: int
    tokens_after: int
    bars: Sequence[Bar]
    limit: str
    over: int


@dataclass(frozen=True, slots=True)
class Row:
    """One decision, or several that say the same, and where it goes, in words. Of several lines, `title` is what it is folded under
    and `first` what it says first. `field` is what its box is called: `pick` for what leaves its log if it is ticked, `take` for
    what then goes to long-term memory, "" for none."""

    decision: Decision
    place: str
    title: str
    first: str
    goes: str
    fate: str
    level: str
    alike: int = 1
    field: str = ""
    ticked: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of one log. `boxed`: it may be left whole."""

    path: str
    day: str
    rows: Sequence[Row]
    boxed: bool = False
    ticked: bool = True
    archived: bool = False


@dataclass(frozen=True, slots=True)
class Planned:
    """The plan page."""

    plan: Plan
    numbers: Mapping[str, int]
    counts: Counts
    facts: int
    sizes: Sequence[Size]
    page: Page[tuple[Decision, int]]
    groups: Sequence[Group]
    fate: str
    query: str
    fingerprint: str
    button: str
    leave: Sequence[str]  # what somebody chose that no box of this page says
    move: Sequence[str]


def planned(known: Known, dialect: Dialect, asked: Mapping[str, str], choice: Choice, limit: Limit | None) -> Planned:
    """One page of a plan: of all its decisions, or those of one fate (`fate`) or with some words (`q`). `limit` is what long-term
    memory is held against."""
    plan = known.plan
    shown, fate = filtered(plan.decisions, asked.get("fate", ""))
    query = asked.get("q", "").strip()
    if query:
        shown = [one for one in shown if query.casefold() in one.text.casefold()]
    page = Paginator(folded(shown), AT_ONCE).get_page(asked.get("page"))
    groups = grouped_rows(page, plan, dialect, choice)
    here = {row.decision.key for group in groups for row in group.rows if row.field} | {one.path for one in groups}
    return Planned(
        plan=plan,
        numbers=known.numbers,
        counts=known.counts,
        facts=sum(one.is_fact for one in plan.decisions),
        sizes=_sizes(known, limit),
        page=page,
        groups=groups,
        fate=fate,
        query=query,
        fingerprint=known.fingerprint,
        button=deeds(known.counts),
        leave=sorted(choice.leave - here),
        move=sorted(choice.move - here),
    )


def deeds(counts: Counts) -> str:
    """What a plan will do, as its button says it: `Move 110 facts, remove 33 logs`; "" for nothing."""
    told = {
        ngettext("move %(count)s fact", "move %(count)s facts", counts.moved): counts.moved,
        ngettext("drop %(count)s duplicate", "drop %(count)s duplicates", counts.duplicates): (
            0 if counts.moved else counts.duplicates
        ),
        ngettext("remove %(count)s log", "remove %(count)s logs", counts.removed): counts.removed,
        ngettext("archive %(count)s log", "archive %(count)s logs", counts.archived): counts.archived,
    }
    words = ", ".join(words % {"count": grouped(count)} for words, count in told.items() if count)
    return words[:1].upper() + words[1:]


def filtered(decisions: Sequence[Decision], fate: str) -> tuple[Sequence[Decision], str]:
    """The decisions of a fate, and that fate; all of them and "" if there is no such."""
    if fate not in set(Fate):
        return decisions, ""
    return [decision for decision in decisions if decision.fate == fate], fate


def folded(decisions: Iterable[Decision]) -> list[tuple[Decision, int]]:
    """Decisions, those that say the same and meet the same fate as one, with how many they are."""
    alike: dict[tuple[str, ...], list[Decision]] = {}
    for one in decisions:
        name = (one.key, one.fate) if one.is_fact else (one.path, str(one.line))
        alike.setdefault(name, []).append(one)
    return [(some[0], len(some)) for some in alike.values()]


def folder(decisions: Sequence[Decision]) -> str:
    """The directory that holds the documents of all decisions, with its slash: a row need not name it. "" for none."""
    first = decisions[0].path if decisions else ""
    above = first[: first.rfind("/") + 1]
    return above if above and all(decision.path.startswith(above) for decision in decisions) else ""


def grouped_rows(
    shown: Iterable[tuple[Decision, int]], plan: Plan, dialect: Dialect, choice: Choice, *, done: bool = False
) -> list[Group]:
    """Decisions by their logs: planned ones, or `done` ones."""
    within = folder(plan.decisions)
    groups = []
    for path, some in groupby(shown, key=lambda pair: pair[0].path):
        rows = [_row(one, alike, within, done=done) for one, alike in some]
        if not done:
            rows = [_with_box(row, path in plan.archived, choice) for row in rows]
        left = path in choice.leave
        boxed = not done and (left or path in plan.archived or any(row.field for row in rows))
        groups.append(Group(path, _day(dialect, path), rows, boxed, not left, path in plan.archived))
    return groups


def _day(dialect: Dialect, path: str) -> str:
    place = dialect.describe(path)
    return day(place.day) if place and place.day else ""


def _with_box(row: Row, archived: bool, choice: Choice) -> Row:
    one = row.decision
    if not one.is_fact or not one.key:
        return row
    if archived:
        return replace(row, field="take", ticked=one.key in choice.move)
    if one.fate is Fate.KEEP and one.key not in choice.leave:
        return row
    return replace(row, field="pick", ticked=one.fate is not Fate.KEEP)


def _sizes(known: Known, limit: Limit | None) -> list[Size]:
    """Long-term memory before and after, tokens by estimate."""
    found = []
    for path, (before, after) in known.plan.sizes.items():
        whole = known.plan.whole.get(path, after)
        shown = bars(before, after, whole if known.plan.archived else after, limit)
        over = max(0, before - limit.size) if limit and limit.cuts else 0
        found.append(Size(path, before, after, whole, *known.tokens[path], shown, _limit(limit), over))
    return found


def _limit(limit: Limit | None) -> str:
    if limit is None:
        return _("Limit unknown")
    words = _("%(limit)s loaded") if limit.cuts else _("%(limit)s recommended")
    return words % {"limit": kilobytes(limit.size)}


def _row(decision: Decision, alike: int, within: str, *, done: bool) -> Row:
    title, first = lead(decision.text) if decision.is_fact else ("", "")
    label, level = (CAME_TO if done else FATES)[decision.fate]
    place = f"{decision.path.removeprefix(within)}:{decision.line}"
    goes = _goes(decision, decision.target.removeprefix(within))
    return Row(decision, place, title, first, goes, str(label), level, alike)


def _goes(decision: Decision, target: str) -> str:
    if decision.fate is Fate.MOVE:
        return target
    if decision.fate is Fate.DUPLICATE:
        return _("already in %(place)s") % {"place": target}
    if decision.fate is Fate.ARCHIVE:
        return target.rpartition("/")[0] + "/"
    return _("Stays in the log")
