"""The months of what was found: a chart of bars that are links, which of them are chosen, and from when until when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from memory.search import Spots
from memory.text.words.days import date_of
from memory.text.words.query import Filter
from memory.web.base.chart import Bar, BarChart, columns, wide
from memory.web.base.gauges import grouped, number_of
from memory.web.search.filters import asked, undated, with_filter

LEAST, MOST = 12, 36  # months in a row; those before them are counted together
NAMES = 12  # along the axis
CHOSEN = "chosen"


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthChart(BarChart):
    """The bars; what of them is chosen in words, and where all are ("" if they are all chosen); the months that may be the first
    and the last one: (YYYY-MM, its name, is it chosen as that)."""

    span: str
    clear_url: str
    query: str
    firsts: Sequence[tuple[str, str, bool]]
    lasts: Sequence[tuple[str, str, bool]]


def chart(query: str, spots: Spots, dates: Sequence[Filter]) -> MonthChart | None:
    """The chart of what a query finds in each month, whichever `dates` it names; None where nothing has a day."""
    told = Counter[str]()
    for day, number in spots.counts.day.items():
        told[day[:7]] += number
    dated = sorted(month for month in told if date_of(f"{month}-01"))
    if not dated:
        return None
    bare = undated(query)
    shown = _in_a_row(max(dated[0], _moved(dated[-1], 1 - MOST)), dated[-1])
    chosen = [month for month in shown if all(_meets(month, one) for one in dates)]
    bars = [_bar(month, told.get(month, 0), spots.cut, bare, CHOSEN if month in chosen else "") for month in shown]
    return _drawn(bare, bars, shown, chosen if dates else [], counted(told.total(), spots.cut))


def between(query: str, first: str, last: str) -> str:
    """A query from one month until another ("" for any), in the place of whatever dates it names."""
    query = undated(query)
    if date_of(f"{first}-01"):
        query = with_filter(query, "after", _moved(first, -1))
    return with_filter(query, "before", _moved(last, 1)) if date_of(f"{last}-01") else query


def _meets(month: str, one: Filter) -> bool:
    """Whether some day of a month (YYYY-MM) is one that a filter means."""
    if one.field == "after":  # after:2026-10 is after all of its days
        return f"{month}-31" > f"{one.value}~"
    if one.field == "before":
        return f"{month}-01" < one.value
    return month.startswith(one.value[:7])


def _drawn(query: str, bars: Sequence[Bar], shown: Sequence[str], chosen: Sequence[str], all_of: str) -> MonthChart:
    most = max(bars, key=lambda bar: bar.number)
    plot, every = wide(most.number, 96), -(-len(bars) // NAMES)
    placed = columns(plot, bars)
    title = _("%(all)s, most in %(month)s (%(number)s)")
    return MonthChart(
        plot=plot,
        title=_("Results by month"),
        sentence=title % {"all": all_of, "month": most.name, "number": most.words},
        heights=[(plot.ground, "0"), (plot.y(most.number), most.words)],
        names=[(one.x, _short(month)) for one, month in list(zip(placed, shown, strict=True))[::every]],
        heads=(_("Month"), _("Results")),
        cells=[bar for bar in bars if bar.number],
        columns=placed,
        span=_span(chosen),
        clear_url=asked(query) if chosen else "",
        query=query,
        firsts=[(month, _in_a_list(month), bool(chosen) and month == chosen[0]) for month in shown],
        lasts=[(month, _in_a_list(month), month == (chosen or shown)[-1]) for month in shown],
    )


def _bar(month: str, number: int, is_cut: bool, query: str, level: str) -> Bar:
    url = asked(with_filter(query, "day", month)) if number else ""
    return Bar(name=_long(month), words=counted(number, is_cut), url=url, number=number, level=level)


def counted(number: int, is_cut: bool) -> str:
    """How many were found, in words; `is_cut`: there may be more."""
    if is_cut:
        return _("%(number)s or more results") % {"number": grouped(number)}
    return number_of("%(count)s result", "%(count)s results", number)


def _span(chosen: Sequence[str]) -> str:
    if not chosen:
        return ""
    if len(chosen) == 1:
        return _long(chosen[0])
    return _("%(first)s to %(last)s") % {"first": _long(chosen[0]), "last": _long(chosen[-1])}


def _in_a_row(first: str, last: str) -> list[str]:
    first = min(first, _moved(last, 1 - LEAST))
    return [_moved(first, by) for by in range(_number(last) - _number(first) + 1)]


def _number(month: str) -> int:
    return int(month[:4]) * 12 + int(month[5:]) - 1


def _moved(month: str, by: int) -> str:
    number = max(_number(month) + by, 12)
    return f"{number // 12:04}-{number % 12 + 1:02}"


def _short(month: str) -> str:
    """A month under its bar."""
    return date_format(date.fromisoformat(f"{month}-01"), "M")


def _in_a_list(month: str) -> str:
    """A month to choose, short enough for two beside each other on a phone."""
    return date_format(date.fromisoformat(f"{month}-01"), "M Y")


def _long(month: str) -> str:
    return date_format(date.fromisoformat(f"{month}-01"), "YEAR_MONTH_FORMAT")
