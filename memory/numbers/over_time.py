"""A bot's numbers over time, read from the rows that the schedule keeps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.db.models import Max, Min, Sum
from django.db.models.functions import Substr

from memory.models import Bot, Measure, Tally

MONTH = 7  # signs of YYYY-MM
Told = tuple[str, str, int, int]  # a day or a month, a source, learned, forgotten


@dataclass(frozen=True, slots=True)
class Day:
    """One day of a bot in numbers: as it was measured (None: it was not), and what came and went by each source."""

    day: str
    measure: Measure | None = None
    learned: dict[str, int] = field(default_factory=dict)
    forgotten: dict[str, int] = field(default_factory=dict)


def first_day(bot: Bot) -> str:
    """The first day that anything is known of; "" for none."""
    found = [rows.objects.filter(bot=bot).aggregate(first=Min("day"))["first"] for rows in (Tally, Measure)]
    return min(filter(None, found), default="")


def tallied(bot: Bot, since: str, *, by_month: bool) -> Iterator[Told]:
    """What came and went since a day, by day or by month, and never less than nothing."""
    rows = Tally.objects.filter(bot=bot, day__gte=since).order_by()
    told = rows.values_list("day", "source", "learned", "forgotten")
    if by_month:
        rows = rows.annotate(month=Substr("day", 1, MONTH))
        told = rows.values_list("month", "source").annotate(Sum("learned"), Sum("forgotten"))
    for when, source, learned, forgotten in told:
        yield when, source, max(learned, 0), max(forgotten, 0)


def measured(bot: Bot, since: str, *, by_month: bool) -> tuple[list[Measure], list[tuple[str, int]]]:
    """How it stood since a day, on each day or on the last one of each month; and how many findings were settled."""
    rows = Measure.objects.filter(bot=bot, day__gte=since).order_by("day")
    if not by_month:
        found = list(rows)
        return found, [(one.day, one.settled) for one in found]
    months = rows.order_by().annotate(month=Substr("day", 1, MONTH)).values("month")
    sums = list(months.annotate(last=Max("day"), sum=Sum("settled")).values_list("month", "last", "sum"))
    last = [last for _month, last, _sum in sums]
    return list(rows.filter(day__in=last)), [(month, settled) for month, _last, settled in sums]


def days(bot: Bot, since: str = "") -> list[Day]:
    """Each day since one that anything is known of, the oldest first; two statements."""
    found = {one.day: Day(one.day, one) for one in Measure.objects.filter(bot=bot, day__gte=since)}
    for day, source, learned, forgotten in tallied(bot, since, by_month=False):
        here = found.setdefault(day, Day(day))
        here.learned[source], here.forgotten[source] = learned, forgotten
    return [found[day] for day in sorted(found)]
