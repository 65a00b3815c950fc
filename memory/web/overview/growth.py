"""How large long-term memory was over the last months, as a chart drawn by its template."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from zoneinfo import ZoneInfo

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


def growth(
    bot: Bot, now: Document | None, since: date | None = None, every: Callable[[date], date] | None = None
) -> LineChart | None:
    """The chart of a bot whose long-term memory has changed on two days at least, of the last months or since a day; one statement.
    `every` says of a day where its stretch begins, of which the last size is drawn."""
    if now is None:
        return None
    today = date.fromisoformat(open_bot(bot).today())
    sizes, compacted = sizes_of(bot, now, since or today - SPAN, today)
    if every:
        sizes = dict({every(day): (day, size) for day, size in sizes.items()}.values())
    return _drawn(sizes, compacted, today, open_bot(bot).limit) if len(sizes) > 1 else None


def sizes_of(bot: Bot, now: Document, since: date, today: date) -> tuple[dict[date, int], list[date]]:
    """(size at the end of each day with a change, days of compactions), the oldest first."""
    zone = ZoneInfo(bot.time_zone)
    versions = Revision.objects.filter(bot=bot, path=now.path, done=True, size_after__isnull=False).order_by("-id")
    told = versions.values_list("change_set__created", "size_after", "change_set__kind")
    rows = [(when.astimezone(zone).date(), size, kind) for when, size, kind in reversed(told[:MOST])]
    sizes = {max(day, since): size for day, size, _kind in rows if day <= today and size is not None}
    compacted = [day for day, _size, kind in rows if kind == ChangeSet.Kind.COMPACTION and since <= day <= today]
    return {**sizes, today: now.size}, sorted(set(compacted))


def _drawn(sizes: dict[date, int], compacted: Sequence[date], today: date, limit: Limit | None) -> LineChart:
    most, start = max(sizes.values()), min(sizes)
    near = limit if limit and limit.size <= 3 * most else None
    plot = Plot(max(most, near.size if near else 0))

    def x(day: date) -> float:
        return plot.x((day - start).days / max((today - start).days, 1))

    drawn, area = line(plot, [(x(day), size) for day, size in sizes.items()])
    cells = [Cell(name=day_words(day), words=kilobytes(size)) for day, size in sizes.items()]
    return LineChart(
        plot=plot,
        line=drawn,
        area=area,
        tier="global",
        limit_y=plot.y(near.taken(sizes[today])) if near else None,
        limit_words=limit_words(limit, sizes[today]),
        cuts=bool(limit and limit.cuts),
        marks=[x(day) for day in compacted],
        names=time_names(start, today, x, plot.width),
        heights=[(plot.y(0), "0"), (plot.y(most), kilobytes(most))],
        heads=(_("Day"), _("Size")),
        cells=cells,
        sentence=_foreseen(sizes, today, limit),
        title=_("%(first)s on %(start)s, %(last)s now")
        % {"first": cells[0].words, "start": cells[0].name, "last": cells[-1].words},
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
    when = date_format(today + timedelta(days=days), "DATE_FORMAT")
    return _("At this pace it reaches %(limit)s around %(day)s.") % {"limit": kilobytes(limit.size), "day": when}
