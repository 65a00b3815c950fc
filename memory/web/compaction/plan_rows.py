"""A plan of compaction as its page shows it: numbers, bars, and its decisions by day, identical ones as one, a page at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from django.core.paginator import Paginator
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from memory.compaction.plan_cache import CachedPlan
from memory.domain.dialect import Dialect
from memory.domain.plan import LEFT, NOTHING_CHOSEN, Choice, Decision, Fate, Plan, name_in_log
from memory.domain.prompt import Limit
from memory.text.markdown.lead import lead
from memory.text.storable import as_utf8
from memory.web.base import ticks
from memory.web.base.calendar import fact_count
from memory.web.base.dates import day
from memory.web.base.fact_rows import excerpt
from memory.web.base.gauges import grouped, number_of
from memory.web.base.translation import translate
from memory.web.compaction.asides import Asides
from memory.web.compaction.bars import Size, passing, size
from memory.web.compaction.suggestions import AT_ONCE, SuggestionGroup, SuggestionRow, folder

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


def planned(
    known: CachedPlan, dialect: Dialect, asked: Mapping[str, str], choice: Choice, limit: Limit | None, asides: Asides
) -> dict[str, Any]:
    """One page of a plan: of all its decisions, or those of one fate (`fate`) or with some words (`q`). `limit` is what long-term
    memory is held against. `found` is how many facts the rows of all pages are, `passes` by how much it is more than its bot loads;
    `leave`, `move` and `unfolded` are what somebody chose that no box of this page says. Facts stay in `kept_logs`; `lines` stay in
    theirs, `line_logs`, and are no facts."""
    plan = known.plan
    found, fate = filtered(plan.decisions, asked.get("fate", ""))
    query = asked.get("q", "").strip()
    if query:
        found = [one for one in found if query.casefold() in one.text.casefold()]
    single = _single(choice, ticks.unfolded(asked), plan.decisions)
    choice = single.choice
    first, alike = folded(found, single)
    page = Paginator(first, AT_ONCE).get_page(asked.get("page"))
    groups = grouped_rows(page, alike, plan, dialect, single, asides, query=query)
    here = {row.value for group in groups for row in group.rows if row.boxed} | {one.path for one in groups}
    sizes = _sizes(known, limit)
    words = {
        "hits": grouped(sum(one.is_fact for one in found)),
        "entries": fact_count(known.numbers["all"]),
        "query": query,
    }
    kept = [one for one in plan.decisions if one.fate is Fate.KEEP]
    lines = [one for one in kept if not one.is_fact]
    return {
        "plan": plan,
        "numbers": known.numbers,
        "counts": known.counts,
        "facts": known.numbers["all"],
        "found": sum(one.is_fact for one in found),
        "sizes": sizes,
        "passes": passing(sizes, limit) if plan.passes else "",
        "kept_logs": len({one.path for one in kept if one.is_fact}),
        "lines": lines,
        "line_logs": len({one.path for one in lines}),
        "told": _("%(hits)s of %(entries)s contain “%(query)s”") % words,
        "page": page,
        "groups": groups,
        "fate": fate,
        "query": query,
        "fingerprint": known.fingerprint,
        "button": deeds({**known.counts._asdict(), "archived": 0, "archived_logs": known.counts.archived}),
        "leave": sorted(choice.leave - here),
        "move": sorted(choice.move - here),
        "unfolded": sorted(single.unfolded),
    }


def deeds(counts: Mapping[str, int]) -> str:
    """What will be done, as a button says it: `Move 110 facts, remove 33 logs`; "" for nothing. The counts are named as beside a
    change set."""
    moved, duplicates, superseded, archived, removed, logs = (
        counts.get(name, 0) for name in ("moved", "duplicates", "superseded", "archived", "removed", "archived_logs")
    )
    told = {
        number_of("move %(count)s fact", "move %(count)s facts", moved): moved,
        number_of("drop %(count)s duplicate", "drop %(count)s duplicates", duplicates): 0 if moved else duplicates,
        number_of("replace %(count)s fact", "replace %(count)s facts", superseded): superseded,
        number_of("archive %(count)s fact", "archive %(count)s facts", archived): archived,
        number_of("remove %(count)s log", "remove %(count)s logs", removed): removed,
        number_of("archive %(count)s log", "archive %(count)s logs", logs): logs,
    }
    words = ", ".join(words for words, count in told.items() if count)
    return words[:1].upper() + words[1:]


def filtered(decisions: Sequence[Decision], fate: str) -> tuple[Sequence[Decision], str]:
    """The decisions of a fate, and that fate; all of them and "" if there is no such."""
    if fate not in set(Fate):
        return decisions, ""
    return [decision for decision in decisions if decision.fate == fate], fate


@dataclass(frozen=True, slots=True)
class Single:
    """Which facts of the same words are decided one by one: those that somebody `unfolded`, by their keys, and those of
    which they chose so. `keys`: of all of these."""

    choice: Choice = NOTHING_CHOSEN
    unfolded: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()

    def name(self, one: Decision) -> str:
        """What the boxes of a fact send."""
        if one.key not in self.keys:
            return one.key
        name = name_in_log(one.path, one.key, one.time)
        chosen = name in self.choice.leave or name in self.choice.move
        return name if chosen or one.key in self.unfolded else one.key

    def row(self, one: Decision) -> str:
        """The name that all have in common that are one row."""
        return f"{self.name(one)} {one.fate}" if one.is_fact else one.place


FOLDED = Single()


def _single(choice: Choice, unfolded: frozenset[str], decisions: Iterable[Decision]) -> Single:
    """What was chosen of several together that are unfolded now is chosen of each."""
    each = [(one.key, name_in_log(one.path, one.key, one.time)) for one in decisions if one.key in unfolded]
    leave = (choice.leave - unfolded) | {name for key, name in each if key in choice.leave}
    move = (choice.move - unfolded) | {name for key, name in each if key in choice.move}
    keys = frozenset(name.partition("@")[0] for name in leave | move if "@" in name)
    return Single(replace(choice, leave=leave, move=move), unfolded, keys | unfolded)


def folded(decisions: Sequence[Decision], single: Single = FOLDED) -> tuple[list[Decision], Counter[str]]:
    """Decisions, those that say the same and meet the same fate as one, and how many they are by their common name."""
    names = list(map(single.row, decisions))
    first: dict[str, Decision] = {}
    for name, one in zip(names, decisions, strict=True):
        first.setdefault(name, one)
    return list(first.values()), Counter(names)


def grouped_rows(
    found: Iterable[Decision],
    alike: Counter[str],
    plan: Plan,
    dialect: Dialect,
    single: Single,
    asides: Asides,
    *,
    done: bool = False,
    query: str = "",
) -> list[SuggestionGroup]:
    """Decisions by their logs: planned ones with what else is to be known of them, or `done` ones. `query` is marked in them."""
    within = folder(one.path for one in plan.decisions)
    groups = []
    for path, group in groupby(found, key=lambda one: one.path):
        some = list(group)
        rows = [_row(one, alike[single.row(one)], within, CAME_TO if done else FATES, query) for one in some]
        if not done:
            doomed = asides.bot if asides.deletes(dialect, path) else ""
            rows = [
                _boxed(_told(row, one, asides, doomed), one, plan, single) for row, one in zip(rows, some, strict=True)
            ]
        left = path in single.choice.leave
        boxed = not done and (left or path in plan.archived or any(row.is_done for row in rows))
        groups.append(SuggestionGroup(path, _day(dialect, path), rows, boxed, not left, path in plan.archived))
    return groups


def _day(dialect: Dialect, path: str) -> str:
    place = dialect.describe(path)
    return day(place.day) if place and place.day else ""


def _told(row: SuggestionRow, one: Decision, asides: Asides, doomed: str) -> SuggestionRow:
    """A planned row, that says what its fact contradicts, and what becomes of it where it stays in a log that a bot deletes, which
    is called `doomed`. That somebody chose so says its box, that it contradicts others its chip."""
    others = asides.others.get((one.path, one.key), 0)
    note = "" if others or one.note == LEFT else row.note
    words = number_of("contradicts %(count)s other", "contradicts %(count)s others", others)
    if doomed and one.is_fact and one.fate is Fate.KEEP:
        goes = _("Stays in the log, and %(bot)s will delete it") % {"bot": doomed}
        return replace(row, note=note, goes=as_utf8(goes), against=words if others else "")
    return replace(row, note=note, against=words if others else "")


def _boxed(row: SuggestionRow, one: Decision, plan: Plan, single: Single) -> SuggestionRow:
    """A row with the boxes that decide it, if anything is to be decided: one that takes its fact to long-term memory where nothing
    else would, and one that leaves it in its log, or its log where it is."""
    if not one.is_fact or not one.key:
        return row
    choice, name = single.choice, single.name(one)
    left, stays, archives = choice.leaves(one.path, one.key, one.time), one.fate is Fate.KEEP, one.path in plan.archived
    moves = choice.moves(one.path, one.key, one.time)
    offered = not left and (one.doubted or one.fate is Fate.ARCHIVE or (moves and not stays))
    picks = left or archives or not (stays or offered)
    row = replace(row, value=name, unfolds=one.key, is_single=one.key in single.unfolded)
    return replace(row, take=moves if offered else None, pick=not left if picks else None)


def _sizes(known: CachedPlan, limit: Limit | None) -> list[Size]:
    """Long-term memory before and after the run, tokens by estimate; and if all moved, where logs are archived."""
    whole, less = known.plan.whole, bool(known.plan.archived)
    return [
        size(path, before, after, limit, whole=whole.get(path, after), less=less, tokens=known.tokens[path])
        for path, (before, after) in known.plan.sizes.items()
    ]


def _row(
    decision: Decision, alike: int, within: str, chips: Mapping[Fate, tuple[str | Promise, str]], query: str
) -> SuggestionRow:
    title, first = lead(decision.text) if decision.is_fact and not query else ("", "")
    chip, level = chips[decision.fate]
    return SuggestionRow(
        text=excerpt(decision.text, query)[0] if query else as_utf8(decision.text),
        goes=as_utf8(_goes(decision, decision.target.removeprefix(within))),
        chip=str(chip),
        level=level,
        time=decision.time,
        place=as_utf8(f"{decision.path.removeprefix(within)}:{decision.line}"),
        title=as_utf8(title),
        first=as_utf8(first),
        is_fact=decision.is_fact,
        moves=decision.fate is Fate.MOVE,
        note=as_utf8(translate(decision.note)),
        alike=alike,
        value=decision.key,
        named=as_utf8(title or decision.text),
    )


def _goes(decision: Decision, target: str) -> str:
    if decision.fate is Fate.MOVE:
        return target
    if decision.fate is Fate.DUPLICATE:
        return _("already in %(place)s") % {"place": target}
    if decision.fate is Fate.ARCHIVE:
        return target.rpartition("/")[0] + "/"
    return _("Stays in the log")
