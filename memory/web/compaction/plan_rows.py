"""A plan of compaction as its page shows it: numbers, sizes, and its decisions a page at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.compaction.plan_cache import Known
from memory.domain.dialect import Decision, Fate, Limit, Plan
from memory.web.base.gauges import Gauge, long_term_gauge

AT_ONCE = 200
FATES = {
    Fate.MOVE: (gettext_lazy("moves"), "good"),
    Fate.DUPLICATE: (gettext_lazy("said already"), ""),
    Fate.KEEP: (gettext_lazy("stays"), "warn"),
    Fate.ARCHIVE: (gettext_lazy("archived"), ""),
}
# The same once it has happened.
CAME_TO = {**FATES, Fate.MOVE: (gettext_lazy("moved"), "good"), Fate.KEEP: (gettext_lazy("stayed"), "warn")}


@dataclass(frozen=True, slots=True)
class Size:
    """One long-term document before and after the run."""

    path: str
    before: int
    after: int
    tokens_before: int
    tokens_after: int
    gauge: Gauge


@dataclass(frozen=True, slots=True)
class Line:
    """One decision as a row: where it stands, its first line, what follows, where it goes, in words."""

    decision: Decision
    place: str
    first: str
    rest: str
    goes: str
    fate: str
    level: str


@dataclass(frozen=True, slots=True)
class Planned:
    """The plan page."""

    plan: Plan
    numbers: Mapping[str, int]
    removed: int
    sizes: Sequence[Size]
    page: Page[Decision]
    lines: Sequence[Line]
    fate: str
    fingerprint: str

    @property
    def decided(self) -> int:
        """Facts that something happens to."""
        return self.numbers["move"] + self.numbers["duplicate"] + self.numbers["archive"]


def planned(known: Known, fate: str, number: str | None, limit: Limit | None) -> Planned:
    """One page of a plan, of all its decisions or those of one fate. `limit` is what long-term memory is held against."""
    shown, fate = filtered(known.plan.decisions, fate)
    page = Paginator(shown, AT_ONCE).get_page(number)
    within = folder(known.plan.decisions)
    return Planned(
        plan=known.plan,
        numbers=known.numbers,
        removed=known.removed,
        sizes=_sizes(known, within, limit),
        page=page,
        lines=lines(page, within),
        fate=fate,
        fingerprint=known.fingerprint,
    )


def filtered(decisions: Sequence[Decision], fate: str) -> tuple[Sequence[Decision], str]:
    """The decisions of a fate, and that fate; all of them and "" if there is no such."""
    if fate not in set(Fate):
        return decisions, ""
    return [decision for decision in decisions if decision.fate == fate], fate


def folder(decisions: Sequence[Decision]) -> str:
    """The directory that holds the documents of all decisions, with its slash: a row need not name it. "" for none."""
    first = decisions[0].path if decisions else ""
    above = first[: first.rfind("/") + 1]
    return above if above and all(decision.path.startswith(above) for decision in decisions) else ""


def lines(decisions: Iterable[Decision], within: str, *, done: bool = False) -> list[Line]:
    """Decisions as rows, paths as seen from the directory `within`: planned ones, or `done` ones."""
    words = {fate: (str(label), level) for fate, (label, level) in (CAME_TO if done else FATES).items()}
    return [_line(decision, within, *words[decision.fate]) for decision in decisions]


def _sizes(known: Known, within: str, limit: Limit | None) -> list[Size]:
    """Long-term memory before and after, tokens by estimate."""
    return [
        Size(path.removeprefix(within), before, after, *known.tokens[path], long_term_gauge(after, limit))
        for path, (before, after) in known.plan.sizes.items()
    ]


def _line(decision: Decision, within: str, fate: str, level: str) -> Line:
    first, _newline, rest = decision.text.partition("\n")
    place = f"{decision.path.removeprefix(within)}:{decision.line}"
    return Line(decision, place, first, rest, _goes(decision, decision.target.removeprefix(within)), fate, level)


def _goes(decision: Decision, target: str) -> str:
    if decision.fate is Fate.MOVE:
        return target
    if decision.fate is Fate.DUPLICATE:
        path, _colon, line = target.rpartition(":")
        if path:
            return _("line %(line)s of %(path)s says it") % {"line": line, "path": path}
        return _("%(path)s says it") % {"path": target}
    if decision.fate is Fate.ARCHIVE:
        return _("the archive %(path)s") % {"path": target}
    return _("stays in the log")
