"""The newest years of a bot's days as drawings, a column for each week."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from memory.web.base.calendar import KnownDays, fact_count, level, month_name
from memory.web.base.chart import Cell, Chart, Plot
from memory.web.base.gauges import grouped, number_of

STEP, SIDE, TOP = 12, 10, 16  # of one day's square: from one to the next, its side, and the room above for the months
WEEKS = 54  # columns that a year has at most


@dataclass(frozen=True, slots=True, kw_only=True)
class YearChart(Chart):
    """A year; `blank` is the outline of its months without facts, `today` where today is, if it is shown."""

    name: str
    months: Sequence[dict[str, object]]
    blank: str
    today: tuple[int, int] | None


def drawn(there: KnownDays, today: str) -> list[YearChart]:
    """The newest years with facts, the newest first."""
    newest = sorted({day[:4] for day, facts in there.days.items() if facts}, reverse=True)
    most = max(there.days.values(), default=0)
    return [_chart(year, there, most, today) for year in newest]


def _chart(year: str, there: KnownDays, most: int, today: str) -> YearChart:
    facts = {day: number for day, number in there.days.items() if day[:4] == year and number}
    is_last = year == max(there.days)[:4]
    end = max(facts) if is_last else f"{year}-12-31"
    outlines: dict[str, dict[int, list[str]]] = {}
    for one in _days(year, end):
        outlines.setdefault(one[:7], {}).setdefault(level(facts.get(one, 0), most), []).append(_outline(one))
    told = sorted(month for month, facts in there.months.items() if month[:4] == year and facts)
    return YearChart(
        plot=Plot(most=most, width=WEEKS * STEP, height=TOP + 7 * STEP, left=0, right=0),
        title=year,
        sentence=_told(len(facts), sum(facts.values())),
        heights=(),
        names=_names(list(outlines)),
        heads=(_("Month"), _("Facts")),
        cells=[Cell(name=month_name(one), words=grouped(there.months[one]), url=_url(one)) for one in told],
        name=year,
        months=[_month(month, there.months[month], outlines.pop(month)) for month in told],
        blank="".join(chain.from_iterable(some[0] for some in outlines.values())),
        today=_place(date.fromisoformat(today)) if f"{year}-01-01" <= today <= end else None,
    )


def _month(month: str, facts: int, outlines: Mapping[int, Sequence[str]]) -> dict[str, object]:
    """A month with facts and where it is looked at: its squares as outlines, by how full the days are beside the fullest one (0 for
    none, to LEVELS)."""
    squares = [(level, "".join(some)) for level, some in sorted(outlines.items())]
    return {"url": _url(month), "about": f"{month_name(month)}: {fact_count(facts)}", "squares": squares}


def _days(year: str, last: str) -> Iterator[str]:
    """The days of a year up to its last one that is shown."""
    one, end = date(int(year), 1, 1), date.fromisoformat(last)
    for number in range((end - one).days + 1):
        yield str(one + timedelta(days=number))


def _place(one: date) -> tuple[int, int]:
    """Where a day stands: its week from left to right, Monday above."""
    before = date(one.year, 1, 1).weekday()
    return (one.timetuple().tm_yday - 1 + before) // 7 * STEP, TOP + one.weekday() * STEP


def _outline(one: str) -> str:
    x, y = _place(date.fromisoformat(one))
    return f"M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z"


def _names(months: Sequence[str]) -> list[tuple[float, str]]:
    """The months, each above its first day."""
    firsts = [date.fromisoformat(f"{month}-01") for month in months]
    return [(_place(one)[0], date_format(one, "M")) for one in firsts]


def _told(days: int, facts: int) -> str:
    return number_of("%(count)s day, %(facts)s", "%(count)s days, %(facts)s", days, facts=fact_count(facts))


def _url(month: str) -> str:
    return f"?month={month}"
