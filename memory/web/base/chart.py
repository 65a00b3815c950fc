"""What every chart has, whatever it draws: its measures, its axes, what it says in words, and the same as a table. Its template
extends `memory/base/_chart.html`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils.formats import date_format

from memory.web.base.dates import short_day

MONTHS = 14  # more of them are told by their years
HEADROOM = 1.12  # above the largest number, so that its line has room for words


@dataclass(frozen=True, slots=True)
class Plot:
    """Where a drawing has its marks, in its own units, or across (`unit`) in parts of the room that it gets. `most` is the
    largest number that is to be seen."""

    most: float
    width: int = 330
    height: int = 150
    left: int = 42
    right: int = 8
    top: int = 14
    bottom: int = 20
    unit: str = ""

    @property
    def ground(self) -> int:
        """Where 0 is."""
        return self.height - self.bottom

    def x(self, share: float) -> float:
        """Where a part of the whole width ends."""
        return round(self.left + share * (self.width - self.left - self.right), 1)

    def y(self, number: float) -> float:
        """How high a number is."""
        return round(self.ground - number / (self.most * HEADROOM or 1) * (self.ground - self.top), 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What one mark says, as a row of the table: a name, a number in words, where it leads ("" for nowhere), and the name in
    full where it is a short one."""

    name: str
    words: str
    url: str = ""
    exactly: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """The drawing. `title` and `sentence` say it in words, `heights` and `names` stand along its axes, `limit_y` is the limit's
    height (None: none is known, or it is far above) and `cuts` whether nothing goes beyond; `cells` is its table under `heads`."""

    plot: Plot
    title: str
    sentence: str
    heights: Sequence[tuple[float, str]]
    names: Sequence[tuple[float, str]]
    heads: tuple[str, str]
    cells: Sequence[Cell]
    limit_y: float | None = None
    limit_words: str = ""
    cuts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChart(Chart):
    """A line through numbers over an area; `marks` are signs on the ground, `tier` whose colour it has ("" for none)."""

    line: str
    area: str
    marks: Sequence[float] = ()
    tier: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar(Cell):
    """A bar of a number; `level` is its colour (`good`, `warn`, `bad`, `chat`, "" for none)."""

    number: float
    level: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A bar in its place: the stretch of the axis that is its own, and the part of it that is drawn."""

    bar: Bar
    start: float
    room: float
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BarChart(Chart):
    """A chart of bars from left to right."""

    columns: Sequence[Column]

    @property
    def leads(self) -> bool:
        """Whether any of them leads somewhere: a picture holds no links."""
        return any(column.bar.url for column in self.columns)


def line(plot: Plot, points: Sequence[tuple[float, float]]) -> tuple[str, str]:
    """A line through (x, number) in order, and the area below it, as SVG has them."""
    drawn = " ".join(f"{x},{plot.y(number)}" for x, number in points)
    return drawn, f"{points[0][0]},{plot.ground} {drawn} {points[-1][0]},{plot.ground}"


def time_names(start: date, end: date, x: Callable[[date], float], width: int) -> list[tuple[float, str]]:
    """What is told along an axis of days: where months begin, of long times where years do, of short ones the first and the last
    day."""
    days = [start + timedelta(days=number) for number in range((end - start).days + 1)]
    months = [day for day in days if day.day == 1]
    if len(months) < 2:
        return [(x(start), short_day(start)), (x(end) - 26, short_day(end))]
    if len(months) > MONTHS:
        years = [day for day in months if day.month == 1]
        return [(x(day), str(day.year)) for day in years[:: len(years) // MONTHS + 1] if x(day) < width - 24]
    return [(x(day), date_format(day, "M")) for day in months[:: len(months) // 8 + 1] if x(day) < width - 20]


def wide(most: float, height: int = 120) -> Plot:
    """The measures of a chart that is as wide as its page, whose words stay as large; its heights are told on their lines."""
    return Plot(most, width=100, height=height, left=0, right=0, top=16, bottom=18, unit="%")


def columns(plot: Plot, bars: Sequence[Bar], least: int = 0) -> list[Column]:
    """The bars beside each other; where they are fewer than `least`, each takes no more room than if they were so many."""
    room = (plot.width - plot.left) / max(len(bars), least, 1)
    return [_column(plot, bar, plot.left + number * room, room) for number, bar in enumerate(bars)]


def _column(plot: Plot, bar: Bar, start: float, room: float) -> Column:
    y = plot.y(bar.number)
    drawn = room * 0.78
    return Column(
        bar,
        start=round(start, 2),
        room=round(room, 2),
        x=round(start + (room - drawn) / 2, 2),
        y=y,
        width=round(drawn, 2),
        height=round(plot.ground - y, 1),
    )
