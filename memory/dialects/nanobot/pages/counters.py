"""What a nanobot did day by day: what it counts of its turns, what it saved, and what it recalled last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import partial
from html import escape
from typing import Any

from django.db.models import Count, IntegerField, Max, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Substr, TruncDate
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _, gettext_lazy as later
from django.views.decorators.http import require_safe

from memory.bots import open_bot
from memory.dialects.nanobot import attributes, maintenance
from memory.dialects.nanobot.database.table import Table
from memory.domain.errors import VaultError
from memory.index import cached
from memory.models import Bot, Delivery, FactAttributes
from memory.web.base.dates import day as day_words, short_day
from memory.web.base.gauges import grouped
from memory.web.base.translation import translate
from memory.web.entries.filters import worded

DAYS = 56
STEP, WIDE, HIGH, FOOT = 16, 12, 96, 18  # of bars, in units of the drawing
COUNTERS: Mapping[str, Promise] = {
    "memory_capture_saved": later("Saved"),
    "memory_capture_deduped": later("Repeated"),
    "memory_capture_dropped_low_conf": later("Dropped: low confidence"),
    "memory_capture_dropped_safety": later("Dropped: possible instructions"),
}
RECALL: Mapping[str, Promise] = {
    "memory_recall_hit": later("Entries recalled"),
    "memory_recall_miss": later("Nothing recalled"),
}
_RECALLED = """
    SELECT substr(last_accessed_at, 1, 10), COUNT(*) FROM memory_entries
    WHERE workspace_id = ? AND last_accessed_at >= ? GROUP BY 1
"""

Sums = Mapping[str, Mapping[str, int]]  # what is counted -> day -> how many


@dataclass(frozen=True, slots=True)
class Chart:
    """One drawing (the inside of an SVG) with the table behind it, newest day first. `legend`: (class, label, sum)."""

    title: str
    told: str
    empty: str
    svg: SafeString
    width: int
    height: int
    legend: Sequence[tuple[str, str, str]]
    heads: Sequence[str]
    rows: Sequence[tuple[str, Sequence[str]]]


@require_safe
def page(request: HttpRequest, bot: Bot) -> HttpResponse:
    last = date.fromisoformat(open_bot(bot).today())
    days = [(last - timedelta(days=back)).isoformat() for back in range(DAYS - 1, -1, -1)]
    context: dict[str, object] = {"bot": bot, "place": "counters"}
    turns = _turns(bot, days[0])
    charts = [_saved(bot, days), *_of_turns(days, turns)]
    try:
        charts.append(_recalled(bot, days))
    except (VaultError, ValueError) as error:
        context["refusal"] = translate(str(error))
    return render(request, "nanobot/counters.html", context | {"charts": charts})


def _saved(bot: Bot, days: Sequence[str]) -> Chart:
    kinds, sources = _made(bot, days[0])
    by, words = worded(attributes.SOURCES), worded(attributes.KINDS)
    told = ", ".join(f"{by.get(name, name)}: {grouped(sum(some.values()))}" for name, some in sources.items())
    return _chart(
        _("Entries by the day they were created"),
        told,
        _("No entries from the last eight weeks."),
        days,
        {name: (words.get(name, name), some) for name, some in kinds.items()},
    )


def _of_turns(days: Sequence[str], turns: Sums) -> Iterator[Chart]:
    results, bots = _("Results of deliveries"), _("The bot’s own counters, from deliveries stored here.")
    yield _chart(results, "", bots, days, {name: (str(label), turns.get(name, {})) for name, label in COUNTERS.items()})
    recall = _("Recall in deliveries answered by Kenoweb")
    ours = _("Counts only deliveries answered by Kenoweb. The bot doesn’t report what it recalls itself.")
    yield _chart(recall, "", ours, days, {name: (str(label), turns.get(name, {})) for name, label in RECALL.items()})


def _recalled(bot: Bot, days: Sequence[str]) -> Chart:
    """Raises ValueError for a bot whose database is not known, RootGone and Unreadable."""
    since = days[0]
    found = maintenance.asked_once(
        bot, f"recalled-{since}", lambda vault: vault.ask(partial(_last_recalled, since=since))
    )
    return _chart(
        _("Entries by day last recalled"),
        _("The bot records only the latest recall of each entry."),
        _("No entry was recalled in the last eight weeks."),
        days,
        {"recalled": (_("Last recalled"), found)},
    )


def _last_recalled(table: Table, since: str) -> dict[str, int]:
    if "last_accessed_at" not in table.columns or not table.is_writable:
        return {}
    return {str(day): int(count) for day, count in table.db.execute(_RECALLED, [table.workspace, since])}


def _made(bot: Bot, since: str) -> tuple[Sums, Sums]:
    """(by kind, by source); the same as long as the index stays as it is."""

    def found() -> tuple[Sums, Sums]:
        rows = FactAttributes.objects.filter(bot=bot, created__gte=since).annotate(day=Substr("created", 1, 10))
        counts = list(rows.values_list("kind", "source", "day").annotate(number=Count("pk")).order_by())
        return (
            _summed((kind, day, count) for kind, _source, day, count in counts),
            _summed((source, day, count) for _kind, source, day, count in counts),
        )

    return cached.while_indexed(bot, f"made-{since}", found)


def _turns(bot: Bot, since: str) -> Sums:
    """The bot's own counters of the turns that it reported; the same as long as no other was reported."""
    newest = Delivery.objects.filter(bot=bot).aggregate(newest=Max("pk"))["newest"] or 0
    return cached.as_of(bot, f"turns-{since}", newest, lambda: _summed(_reported(bot, since)))


def _reported(bot: Bot, since: str) -> Iterator[tuple[str, str, int]]:
    zone = open_bot(bot).zone
    start = datetime.combine(date.fromisoformat(since), time(), zone)
    rows = Delivery.objects.filter(bot=bot, status=200, received__gte=start).order_by()
    names = (*COUNTERS, *RECALL)
    sums = {name: Sum(Cast(KT(f"answer__stored__counters__{name}"), IntegerField())) for name in names}
    for found in rows.values(day=TruncDate("received", tzinfo=zone)).annotate(**sums):
        about: dict[str, Any] = dict(found)
        yield from ((name, about["day"].isoformat(), about[name] or 0) for name in names)


def _summed(counts: Iterable[tuple[str, str, int]]) -> Sums:
    found: dict[str, Counter[str]] = {}
    for name, day, count in counts:
        found.setdefault(name, Counter())[day] += count
    return {name: dict(some) for name, some in sorted(found.items())}


def _chart(
    title: str, told: str, empty: str, days: Sequence[str], series: Mapping[str, tuple[str, Mapping[str, int]]]
) -> Chart:
    """Bars that stand on one another, a day each."""
    some = {label: [counts.get(day, 0) for day in days] for label, counts in series.values()}
    some = {label: counts for label, counts in some.items() if any(counts)}
    totals = [sum(counts[at] for counts in some.values()) for at in range(len(days))]
    rows = [
        (
            day_words(days[at]),
            [grouped(counts[at]) for counts in some.values()],
        )
        for at in range(len(days) - 1, -1, -1)
        if totals[at]
    ]
    return Chart(
        title=title,
        told=told if some else "",
        empty="" if some else empty,
        svg=mark_safe("".join([*_bars(days, some, totals), *_dates(days)])),  # noqa: S308 - words are escaped
        width=len(days) * STEP,
        height=HIGH + FOOT,
        legend=[(f"s{at}", label, grouped(sum(counts))) for at, (label, counts) in enumerate(some.items())],
        heads=list(some),
        rows=rows,
    )


def _bars(days: Sequence[str], some: Mapping[str, Sequence[int]], totals: Sequence[int]) -> Iterator[str]:
    most = max(totals, default=0)
    for at, day in enumerate(days):
        foot = float(HIGH)
        if not totals[at]:
            continue
        parts = ", ".join(f"{label} {grouped(counts[at])}" for label, counts in some.items() if counts[at])
        name = day_words(day)
        yield f"<g><title>{escape(name)}: {escape(parts)}</title>"
        for number, counts in enumerate(some.values()):
            if counts[at]:
                tall = max(counts[at] / most * (HIGH - 4), 2)
                foot -= tall
                yield f'<rect class="s{number}" x="{at * STEP}" y="{foot:.1f}" width="{WIDE}" height="{tall:.1f}"/>'
        yield "</g>"


def _dates(days: Sequence[str]) -> Iterator[str]:
    """The first day of each second week, below the bars."""
    for at in range(0, len(days), 14):
        name = escape(short_day(date.fromisoformat(days[at])))
        yield f'<text x="{at * STEP}" y="{HIGH + FOOT - 4}">{name}</text>'
