"""The newest years of a bot's days as drawings, a column for each week."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial

from django.utils.formats import date_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from memory.bots import open_bot
from memory.index import cached
from memory.models import Bot
from memory.web.base.calendar import Known, entries, level, month_name
from memory.web.base.chart import Cell, Chart, Plot
from memory.web.base.dates import day as day_words
from memory.web.base.gauges import grouped

STEP, SIDE, TOP = 12, 10, 16  # of one day's square: from one to the next, its side, and the room above for the months
WEEKS = 54  # columns that a year has at most


@dataclass(frozen=True, slots=True)
class Square:
    """A day with facts in its place; `level` 1 to 4 says how full it is beside the fullest one."""

    day: str
    about: str
    level: int
    x: int
    y: int


@dataclass(frozen=True, slots=True, kw_only=True)
class YearChart(Chart):
    """A year; `blank` is the outline of its days without facts, `today` where today is, if it is in it."""

    name: str
    squares: Sequence[Square]
    blank: str
    today: tuple[int, int] | None


def drawn(bot: Bot, there: Known) -> list[YearChart]:
    """The same as long as a bot's index stays as it is, on one day and in one language."""
    today = open_bot(bot).today()
    return cached.while_indexed(bot, f"weeks-{today}-{get_language()}", partial(charts_of, there, today))


def charts_of(there: Known, today: str) -> list[YearChart]:
    """The newest years with facts, the newest first."""
    newest = sorted({day[:4] for day, facts in there.days.items() if facts}, reverse=True)
    most = max(there.days.values(), default=0)
    return [_chart(year, there, most, today) for year in newest]


def _chart(year: str, there: Known, most: int, today: str) -> YearChart:
    facts = {day: number for day, number in there.days.items() if day[:4] == year and number}
    days = list(_days(year, max([*facts, today] if today[:4] == year else facts)))
    is_last = year == max(there.days)[:4]
    end = days[-1] if is_last else date(int(year), 12, 31)
    return YearChart(
        plot=Plot(most=most, width=WEEKS * STEP, height=TOP + 7 * STEP, left=0, right=0),
        title=year,
        sentence=_told(len(facts), sum(facts.values())),
        heights=(),
        names=_names(year, end),
        heads=(_("Month"), _("Facts")),
        cells=_months(year, there.months),
        name=year,
        squares=[_square(day, number, most) for day, number in facts.items()],
        blank=" ".join(_outline(one) for one in _days(year, str(end)) if str(one) not in facts),
        today=_place(date.fromisoformat(today)) if today[:4] == year else None,
    )


def _days(year: str, last: str) -> Iterator[date]:
    """The days of a year up to its last one that is shown."""
    one, end = date(int(year), 1, 1), date.fromisoformat(last)
    for number in range((end - one).days + 1):
        yield one + timedelta(days=number)


def _place(one: date) -> tuple[int, int]:
    """Where a day stands: its week from left to right, Monday above."""
    before = date(one.year, 1, 1).weekday()
    return (one.timetuple().tm_yday - 1 + before) // 7 * STEP, TOP + one.weekday() * STEP


def _outline(one: date) -> str:
    x, y = _place(one)
    return f"M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z"


def _square(day: str, facts: int, most: int) -> Square:
    x, y = _place(date.fromisoformat(day))
    return Square(day, f"{day_words(day)}: {entries(facts)}", level(facts, most), x, y)


def _names(year: str, end: date) -> list[tuple[float, str]]:
    """The months, each above its first day."""
    firsts = [date(int(year), month, 1) for month in range(1, end.month + 1)]
    return [(_place(one)[0], date_format(one, "M")) for one in firsts]


def _told(days: int, facts: int) -> str:
    words = ngettext("%(count)s day, %(facts)s", "%(count)s days, %(facts)s", days)
    return words % {"count": grouped(days), "facts": entries(facts)}


def _months(year: str, months: Mapping[str, int]) -> list[Cell]:
    some = sorted(month for month, facts in months.items() if month[:4] == year and facts)
    return [Cell(name=month_name(one), words=grouped(months[one]), url=f"?month={one}") for one in some]
