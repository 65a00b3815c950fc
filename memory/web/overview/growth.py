"""How large long-term memory was over the last months, as a chart drawn by its template."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import chain, pairwise
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from memory.bots import open_bot
from memory.domain.prompt import Limit
from memory.models import Bot, ChangeSet, Document, Revision
from memory.web.base.chart import Cell, LineChart, Plot, line, time_names
from memory.web.base.dates import day as day_words
from memory.web.base.gauges import kilobytes, limit_words

SPAN = timedelta(days=183)
PACE = timedelta(days=30)  # the slope of which is carried on
AHEAD = timedelta(days=365)  # a limit that is met later is not foreseen
MOST = 2000  # versions that are looked at
LETTER = 6  # units of a drawing that a letter beside its axis takes
STEPS = 100  # versions of one day that are drawn


@dataclass(frozen=True, slots=True)
class VersionSize:
    """One version of long-term memory: since when by the bot's clock, how large, and of which kind its change was."""

    when: datetime
    size: int
    kind: str


def growth(
    bot: Bot, now: Document | None, since: date | None = None, every: Callable[[date], date] | None = None
) -> LineChart | None:
    """The chart of a bot whose long-term memory has changed, of the last months or since a day, where it is all of today step by
    step; one statement. `every` says of a day where its stretch begins, of which the last size is drawn."""
    if now is None:
        return None
    today = date.fromisoformat(open_bot(bot).today())
    start = since or today - SPAN
    steps = [one for one in _steps(bot, now) if one.when.date() <= today]
    sizes = {**{max(one.when.date(), start): one.size for one in steps}, today: now.size}
    if len(sizes) > 1:
        compacted = sorted({one.when.date() for one in steps if one.kind == ChangeSet.Kind.COMPACTION})
        marks = [day for day in compacted if day >= start]
        return _over_days(last_of_each(sizes, every) if every else sizes, marks, today, open_bot(bot).limit)
    return _within_today(bot, steps[-STEPS:], now.size) if len(steps) > 1 else None


def last_of_each(told: dict[date, int], begin: Callable[[date], date]) -> dict[date, int]:
    """The last number of each stretch of days, by its day; within one stretch all of them."""
    last = dict({begin(day): (day, number) for day, number in told.items()}.values())
    return last if len(last) > 1 else told


def _steps(bot: Bot, now: Document) -> list[VersionSize]:
    """The newest versions, the oldest of them first."""
    zone = open_bot(bot).zone
    versions = Revision.objects.filter(bot=bot, path=now.path, done=True, size_after__isnull=False).order_by("-id")
    told = versions.values_list("change_set__created", "size_after", "change_set__kind")
    return [VersionSize(when.astimezone(zone), size or 0, kind) for when, size, kind in reversed(told[:MOST])]


def _over_days(sizes: dict[date, int], compacted: Sequence[date], today: date, limit: Limit | None) -> LineChart:
    """A point a day."""
    plot, start = _plot(list(sizes.values()), limit), min(sizes)

    def x(day: date) -> float:
        return plot.x((day - start).days / max((today - start).days, 1))

    cells = [Cell(name=day_words(day), words=kilobytes(size)) for day, size in sizes.items()]
    said = {"first": cells[0].words, "start": cells[0].name, "last": cells[-1].words}
    return _drawn(
        plot,
        [(x(day), size) for day, size in sizes.items()],
        limit,
        marks=[x(day) for day in compacted],
        names=time_names(start, today, x, plot.width),
        heads=(_("Day"), _("Size")),
        cells=cells,
        sentence=_foreseen(sizes, today, limit),
        title=_("%(first)s on %(start)s, %(last)s now") % said,
    )


def _within_today(bot: Bot, steps: Sequence[VersionSize], size: int) -> LineChart:
    """Each version from its time until the next one's, the last one until now."""
    limit, start, now = open_bot(bot).limit, steps[0].when, open_bot(bot).now()
    plot = _plot([*(one.size for one in steps), size], limit)

    def x(when: datetime) -> float:
        return plot.x(min((when - start) / max(now - start, timedelta(seconds=1)), 1))

    ends = [(x(after.when), one.size) for one, after in pairwise(steps)]
    points = [(x(one.when), one.size) for one in steps]
    cells = [Cell(name=f"{one.when:%H:%M}", words=kilobytes(one.size)) for one in steps]
    names = [(x(start), f"{start:%H:%M}"), (plot.width, f"{now:%H:%M}")]
    said = {"first": cells[0].words, "start": cells[0].name, "last": kilobytes(size)}
    return _drawn(
        plot,
        [*chain.from_iterable(zip(points, ends, strict=False)), points[-1], (x(now), size)],
        limit,
        marks=[x(one.when) for one in steps if one.kind == ChangeSet.Kind.COMPACTION],
        names=names[:1] if names[0][1] == names[1][1] else names,
        heads=(_("Time"), _("Size")),
        cells=cells,
        sentence="",
        title=_("%(first)s at %(start)s, %(last)s now") % said,
    )


def _near(sizes: Sequence[int], limit: Limit | None) -> Limit | None:
    """The limit, where a chart of these sizes has room for it."""
    return limit if limit and limit.size <= 3 * max(sizes) else None


def _plot(sizes: Sequence[int], limit: Limit | None) -> Plot:
    """Its measures, with room for its largest size in words."""
    near, most = _near(sizes, limit), max(sizes)
    plot = Plot(max(most, near.size if near else 0))
    return replace(plot, left=max(plot.left, LETTER * (len(kilobytes(most)) + 1)))


def _drawn(plot: Plot, points: Sequence[tuple[float, int]], limit: Limit | None, **words: Any) -> LineChart:
    """The line with its heights and its limit."""
    sizes = [size for _x, size in points]
    near, most = _near(sizes, limit), max(sizes)
    drawn, area = line(plot, points)
    return LineChart(
        plot=plot,
        line=drawn,
        area=area,
        tier="global",
        limit_y=plot.y(near.taken(sizes[-1])) if near else None,
        limit_words=limit_words(limit, sizes[-1]),
        cuts=bool(limit and limit.cuts),
        heights=[(plot.y(0), "0"), (plot.y(most), kilobytes(most))],
        **words,
    )


def _unloaded(sizes: dict[date, int], limit: Limit) -> str:
    """Since when some of it is not loaded any more."""
    fits = [day for day, size in sizes.items() if size <= limit.size]
    over = [day for day in sizes if not fits or day > fits[-1]]
    return _("not loaded since %(month)s") % {"month": date_format(over[0], "YEAR_MONTH_FORMAT")} if fits else ""


def _foreseen(sizes: dict[date, int], today: date, limit: Limit | None) -> str:
    """When the limit will be met, if it goes on as in the last month."""
    now = sizes[today]
    if limit is None:
        return ""
    if now >= limit.size:
        return _unloaded(sizes, limit) if limit.cuts and now > limit.size else ""
    before = [(day, size) for day, size in sizes.items() if day <= today - PACE]
    first, size = before[-1] if before else min(sizes.items())
    a_day = (now - size) / max((today - first).days, 1)
    if a_day * 30 < 1:
        return _("Growth is flat.")
    days = (limit.size - now) / a_day
    if days > AHEAD.days:
        return ""
    when = day_words(today + timedelta(days=days))
    return _("At this pace it reaches %(limit)s around %(day)s.") % {"limit": kilobytes(limit.size), "day": when}
