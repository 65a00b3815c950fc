"""The older years of a bot's days, each a row of its months."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.utils.dates import MONTHS_3

from memory.web.base.calendar import entries, level, month_name


def years_of(months: Mapping[str, int], drawn: Collection[str] = ()) -> dict[str, object] | None:
    """The years with facts, of the facts in each month (YYYY-MM), but those that are drawn by weeks; None where there are none."""
    names = sorted({month[:4] for month, facts in months.items() if facts}.difference(drawn), reverse=True)
    if not names:
        return None
    short = [str(MONTHS_3[number]) for number in range(1, 13)]
    rows = [_year(name, months, max(months.values())) for name in names]
    return {"rows": rows, "letters": [(name[0].upper(), name) for name in short]}


def _year(name: str, months: Mapping[str, int], most: int) -> dict[str, object]:
    """A year with its twelve months, each None without facts."""
    facts = {f"{name}-{number:02}": months.get(f"{name}-{number:02}", 0) for number in range(1, 13)}
    return {
        "name": name,
        "entries": entries(sum(facts.values())),
        "months": [_cell(value, some, most) for value, some in facts.items()],
    }


def _cell(value: str, facts: int, most: int) -> dict[str, object] | None:
    """A month; `level` 0 to 4 says how full it is beside the fullest one of all years."""
    if not facts:
        return None
    return {"value": value, "about": f"{month_name(value)}: {entries(facts)}", "level": level(facts, most)}
