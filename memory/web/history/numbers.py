"""Numbers over time: how large memory is and what the prompt costs, what was learned and forgotten, findings open and settled."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from io import StringIO

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy as later
from django.views.decorators.http import require_safe

from memory.bots import open_bot
from memory.bots.costs import costs_of
from memory.models import Bot, Document, Measure, Tallied, Tally
from memory.numbers import over_time
from memory.web.base.chart import Bar, BarChart, Cell, LineChart, Plot, columns, line, time_names
from memory.web.base.dates import day as day_words
from memory.web.base.fact_rows import cost
from memory.web.base.gauges import dollars, grouped
from memory.web.overview.growth import growth, last_of_each

HALF, YEAR, ALL = "half", "year", "all"
SPANS: Mapping[str, tuple[str | Promise, int]] = {
    HALF: (later("6 months"), 183),
    YEAR: (later("1 year"), 366),
    ALL: (later("All"), 0),
}
BY_MONTH = 2 * 366  # days; of so many each month is one number
BY_QUARTER = 5 * 366
BY_WEEK = 200  # of so many each week is one point of a line
SOURCES: Mapping[str, str | Promise] = {
    Tally.Source.TURNS: later("Deliveries"),
    Tally.Source.OUTSIDE: later("Edited outside Kenoweb"),
    Tally.Source.EDITS: later("Edits"),
    Tally.Source.COMPACTION: later("Compaction"),
    Tally.Source.IMPORT: later("Imports"),
    Tally.Source.FOUND: later("First import"),
}
MEASURED = ("facts", "size", "tokens", "open", "settled")
COLUMNS = ("facts", "long_term_bytes", "prompt_tokens", "findings_open", "findings_settled")


@dataclass(frozen=True, slots=True)
class Period:
    """The time that is shown, and in which stretches."""

    since: date
    today: date

    @property
    def by_month(self) -> bool:
        return (self.today - self.since).days > BY_MONTH

    @property
    def by_quarter(self) -> bool:
        return (self.today - self.since).days > BY_QUARTER

    @property
    def thins(self) -> bool:
        """Whether a line has one point for each stretch."""
        return (self.today - self.since).days > BY_WEEK

    def begin(self, day: date) -> date:
        """Where the stretch of a day begins."""
        if self.by_quarter:
            return day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
        return day.replace(day=1) if self.by_month else day - timedelta(days=day.weekday())

    @property
    def stretches(self) -> list[date]:
        found, at = list[date](), self.begin(self.since)
        while at <= self.today:
            found.append(at)
            at = self.begin(at + timedelta(days=93 if self.by_quarter else 31 if self.by_month else 7))
        return found

    @property
    def head(self) -> str:
        """What its stretches are."""
        return _("Quarter") if self.by_quarter else _("Month") if self.by_month else _("Week")

    def name(self, begin: date) -> str:
        """What a stretch is called."""
        if self.by_quarter:
            return _("Three months from %(month)s") % {"month": date_format(begin, "YEAR_MONTH_FORMAT")}
        if self.by_month:
            return date_format(begin, "YEAR_MONTH_FORMAT")
        return _("Week of %(day)s") % {"day": day_words(begin)}


@dataclass(frozen=True, slots=True)
class ChartPart:
    """One chart with its heading; `empty` says why there is none."""

    key: str
    title: str
    chart: LineChart | BarChart | None
    empty: str
    tier: str = ""

    @property
    def is_line(self) -> bool:
        return isinstance(self.chart, LineChart)


@require_safe
def page(request: HttpRequest, bot: Bot) -> HttpResponse:
    asked = request.GET.get("span", "")
    chosen = asked if asked in SPANS else HALF
    span = _span(bot, SPANS[chosen][1])
    told = list(over_time.tallied(bot, span.since.isoformat(), by_month=span.by_month))
    counted = Tallied.objects.filter(bot=bot).exists()
    context = {
        "bot": bot,
        "place": "numbers",
        "spans": {name: label for name, (label, _days) in SPANS.items()},
        "chosen": chosen,
        "counted": counted,
        "parts": _parts(bot, span, told, _("None in this time") if counted else _("Not counted yet")),
        "sources": _by_source(told),
    }
    return render(request, "memory/history/numbers.html", context)


@require_safe
def as_csv(request: HttpRequest, bot: Bot) -> HttpResponse:
    """All of it, a line a day."""
    name = f"{bot.slug}-numbers-{open_bot(bot).today()}.csv"
    writer = csv.writer(lines := StringIO(newline=""))
    heads = [f"{what}_{source}" for what in ("learned", "forgotten") for source in SOURCES]
    writer.writerow(["day", *COLUMNS, *heads])
    for one in over_time.days(bot):
        told = [getattr(one.measure, name) if one.measure else None for name in MEASURED]
        came = [each.get(source, 0) for each in (one.learned, one.forgotten) for source in SOURCES]
        writer.writerow([one.day, *told, *came])
    response = HttpResponse(lines.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _span(bot: Bot, days: int) -> Period:
    today = date.fromisoformat(open_bot(bot).today())
    if days:
        return Period(today - timedelta(days=days), today)
    first = over_time.first_day(bot)
    return Period(date.fromisoformat(first) if first else today - timedelta(days=SPANS[HALF][1]), today)


def _parts(bot: Bot, span: Period, told: Sequence[over_time.Told], none: str) -> list[ChartPart]:
    measures, settled = over_time.measured(bot, span.since.isoformat(), by_month=span.by_month)
    prompt = [(one, one.tokens) for one in measures if one.tokens is not None]
    found = [(one, one.open) for one in measures]
    later_on = _("Noted once a day. The chart starts on the second day.")
    long_term = Document.objects.filter(bot=bot, path=open_bot(bot).long_term).first()
    growing = growth(bot, long_term, span.since, every=span.begin if span.thins else None)
    learned, forgotten = (_bars(span, [(day, source, pair[side]) for day, source, *pair in told]) for side in (0, 1))
    done = _bars(span, [(day, "", number) for day, number in settled])
    return [
        ChartPart("growth", _("Long-term memory"), growing, _("No changes in this time"), "global"),
        ChartPart("prompt", _("Prompt"), _line(span, prompt, cost, _a_message(bot, prompt)), later_on),
        ChartPart("learned", _("Facts learned"), learned, none),
        ChartPart("forgotten", _("Facts forgotten"), forgotten, none),
        ChartPart("open", _("Open findings"), _line(span, found, grouped, ""), later_on),
        ChartPart("settled", _("Settled findings"), done, _("None in this time") if measures else later_on),
    ]


def _a_message(bot: Bot, prompt: Sequence[tuple[Measure, int]]) -> str:
    costs = costs_of(bot)
    if not prompt or not costs.token_price:
        return ""
    return _("About $%(cost)s a message") % {"cost": dollars(costs.dollars(prompt[-1][1]))}


def _line(
    span: Period, told: Sequence[tuple[Measure, int]], words: Callable[[int], str], sentence: str
) -> LineChart | None:
    """A line through one number a day, of a long time one for each stretch; None for less than two."""
    days = {date.fromisoformat(one.day): number for one, number in told}
    if len(days) < 2:
        return None
    days = last_of_each(days, span.begin) if span.thins else days
    start, most = min(days), max(days.values())
    plot = Plot(most)

    def x(day: date) -> float:
        return plot.x((day - start).days / max((span.today - start).days, 1))

    drawn, area = line(plot, [(x(day), number) for day, number in days.items()])
    cells = [Cell(name=day_words(day), words=words(number)) for day, number in days.items()]
    said = {"first": cells[0].words, "start": cells[0].name, "last": cells[-1].words, "end": cells[-1].name}
    return LineChart(
        plot=plot,
        line=drawn,
        area=area,
        title=_("%(first)s on %(start)s, %(last)s on %(end)s") % said,
        sentence=sentence,
        heights=[(plot.y(0), "0"), (plot.y(most), grouped(most))] if most else [(plot.y(0), "0")],
        names=time_names(start, span.today, x, plot.width),
        heads=(_("Day"), _("Number")),
        cells=cells,
    )


def _bars(span: Period, told: Iterable[tuple[str, str, int]]) -> BarChart | None:
    """A bar for each stretch, which tells how much of it each source was; None where there was nothing."""
    sums: dict[date, Counter[str]] = defaultdict(Counter)
    for day, source, number in told:
        sums[span.begin(date.fromisoformat(day if len(day) > over_time.MONTH else f"{day}-01"))][source] += number
    stretches = span.stretches
    bars = [_bar(span, begin, sums[begin]) for begin in stretches]
    highest = max(bars, key=lambda bar: bar.number)
    if not highest.number:
        return None
    plot = Plot(highest.number)
    room = (plot.width - plot.left) / len(stretches)

    def x(day: date) -> float:
        at = (day - stretches[0]).days / max((span.today - stretches[0]).days, 1) * (len(stretches) - 1)
        return round(plot.left + at * room, 1)

    said = {"number": grouped(round(sum(bar.number for bar in bars))), "words": highest.words, "when": highest.name}
    return BarChart(
        plot=plot,
        title=_("%(number)s in all") % said,
        sentence=_("Most: %(words)s, %(when)s.") % said,
        heights=[(plot.ground, "0"), (plot.y(highest.number), grouped(round(highest.number)))],
        names=time_names(stretches[0], span.today, x, plot.width),
        heads=(span.head, _("Number")),
        cells=[bar for bar in bars if bar.number],
        columns=columns(plot, bars),
    )


def _bar(span: Period, begin: date, sums: Counter[str]) -> Bar:
    parts = [f"{SOURCES[source]} {grouped(number)}" for source, number in sums.most_common() if source and number]
    number = sums.total()
    words = grouped(number) + (f" ({', '.join(parts)})" if parts else "")
    return Bar(name=span.name(begin), words=words, number=number)


def _by_source(told: Iterable[over_time.Told]) -> list[dict[str, object]]:
    """What each source brought and took."""
    learned, forgotten = Counter[str](), Counter[str]()
    for _day, source, came, went in told:
        learned[source] += came
        forgotten[source] += went
    return [
        {"name": str(label), "learned": learned[source], "forgotten": forgotten[source]}
        for source, label in SOURCES.items()
        if learned[source] or forgotten[source]
    ]
