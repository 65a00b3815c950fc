"""The older years of a bot's days, each a row of its months."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.utils.dates import MONTHS_3

from memory.web.base.calendar import entries, level, month_name


@dataclass(frozen=True, slots=True)
class Cell:
    """A month with facts; `level` 0 to 4 says how full it is beside the fullest one of all years."""

    value: str  # YYYY-MM
    about: str  # March 2026: 1,788 facts
    level: int


@dataclass(frozen=True, slots=True)
class Year:
    """A year with its twelve months; None for one without facts."""

    name: str
    entries: str
    months: Sequence[Cell | None]


@dataclass(frozen=True, slots=True)
class Years:
    """The newest year first. `letters` stand above the months: one of each, and its short name."""

    rows: Sequence[Year]
    letters: Sequence[tuple[str, str]]


def years_of(months: Mapping[str, int], drawn: Collection[str] = ()) -> Years | None:
    """The years with facts, of the facts in each month (YYYY-MM), but those that are drawn by weeks; None where there are none."""
    names = sorted({month[:4] for month, facts in months.items() if facts}.difference(drawn), reverse=True)
    if not names:
        return None
    short = [str(MONTHS_3[number]) for number in range(1, 13)]
    rows = [_year(name, months, max(months.values())) for name in names]
    return Years(rows, [(name[0].upper(), name) for name in short])


def _year(name: str, months: Mapping[str, int], most: int) -> Year:
    facts = {f"{name}-{number:02}": months.get(f"{name}-{number:02}", 0) for number in range(1, 13)}
    return Year(name, entries(sum(facts.values())), [_cell(value, some, most) for value, some in facts.items()])


def _cell(value: str, facts: int, most: int) -> Cell | None:
    return Cell(value, f"{month_name(value)}: {entries(facts)}", level(facts, most)) if facts else None
