"""A month of days as a calendar, and the days that no calendar has."""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Q, QuerySet
from django.db.models.functions import Substr
from django.utils.dates import WEEKDAYS, WEEKDAYS_ABBR
from django.utils.formats import date_format, get_format
from django.utils.translation import ngettext

from memory.models import Bot, Day
from memory.views.measure import grouped

LEVELS = 4
MONTH = re.compile(r"(?!0000)[0-9]{4}-(?:0[1-9]|1[0-2])")
_SHORT_MONTHS = ("02", "04", "06", "09", "11")
_FOURTHS = [f"{number:02}" for number in range(0, 100, 4)]


@dataclass(frozen=True, slots=True)
class Square:
    """One day of a month. `level` 0 to 4 says how full it is beside the fullest one; without `logs` no file is named after it."""

    day: str
    number: int
    name: str
    facts: int
    logs: int
    level: int
    is_today: bool


@dataclass(frozen=True, slots=True)
class Month:
    """A month as a calendar shows it. Months are YYYY-MM; `before` and `after` are the nearest ones with entries, "" for none."""

    value: str
    name: str
    weekdays: Sequence[tuple[str, str]]  # short and in full
    weeks: Sequence[Sequence[Square | None]]  # None: a day of another month
    entries: str  # "12 entries"
    filled: int  # days with entries
    before: str
    after: str
    years: Sequence[tuple[str, str]]  # (this month, year) of all years with days, newest first


def date_of(day: str) -> date | None:
    """The date that YYYY-MM-DD names; None if no calendar has it."""
    try:
        return date.fromisoformat(day)
    except ValueError:
        return None


def name_of(day: str) -> str:
    """A day as people say it, by locale; one that no calendar has as it stands."""
    there = date_of(day)
    return f"{date_format(there, 'l')}, {date_format(there)}" if there else day


def entries(number: int) -> str:
    """`12 entries`."""
    return ngettext("%(number)s entry", "%(number)s entries", number) % {"number": grouped(number)}


def real(days: QuerySet[Day]) -> QuerySet[Day]:
    """Those of the days that a calendar has."""
    return _parted(days).filter(~_is_impossible())


def impossible(days: QuerySet[Day]) -> QuerySet[Day]:
    """Those of the days that no calendar has: a file's name may say 2025-13-45."""
    return _parted(days).filter(_is_impossible())


def _parted(days: QuerySet[Day]) -> QuerySet[Day]:
    parts = {"century": (1, 2), "year": (3, 2), "month": (6, 2), "date": (9, 2)}
    return days.alias(**{name: Substr("day", start, length) for name, (start, length) in parts.items()})


def _is_impossible() -> Q:
    none = Q(month__lt="01") | Q(month__gt="12") | Q(date__lt="01") | Q(date__gt="31") | Q(century="00", year="00")
    too_long = Q(date="31", month__in=_SHORT_MONTHS) | Q(date="30", month="02")
    leap = Q(year="00", century__in=_FOURTHS) | (Q(year__in=_FOURTHS) & ~Q(year="00"))
    return none | too_long | (Q(date="29", month="02") & ~leap)


def month_of(bot: Bot, value: str, today: str) -> Month:
    """The month YYYY-MM of a bot, or the one of `today` if `value` is no month."""
    value = value if MONTH.fullmatch(value) else today[:7]
    days = Day.objects.filter(bot=bot)
    rows = {row.day: row for row in days.filter(day__gte=f"{value}-01", day__lte=f"{value}-31")}
    return Month(
        value=value,
        name=date_format(date.fromisoformat(f"{value}-01"), "YEAR_MONTH_FORMAT"),
        weekdays=_weekdays(),
        weeks=_weeks(value, rows, today),
        entries=entries(sum(row.facts for row in rows.values())),
        filled=sum(1 for row in rows.values() if row.facts),
        before=_nearest(days.filter(day__lt=f"{value}-01").order_by("-day")),
        after=_nearest(days.filter(day__gt=f"{value}-31").order_by("day")),
        years=[(f"{year}{value[4:]}", year) for year in _years(days, today, value)],
    )


def _years(days: QuerySet[Day], *others: str) -> list[str]:
    """The years that have days, with those of the others."""
    found = real(days).order_by().values_list(Substr("day", 1, 4), flat=True).distinct()
    return sorted({*found, *(day[:4] for day in others)}, reverse=True)


def _nearest(days: QuerySet[Day]) -> str:
    day = real(days).filter(facts__gt=0).values_list("day", flat=True).first()
    return day[:7] if day else ""


def _weekdays() -> list[tuple[str, str]]:
    """From the locale's first day of the week on."""
    return [(str(WEEKDAYS_ABBR[day]), str(WEEKDAYS[day])) for day in _calendar().iterweekdays()]


def _calendar() -> calendar.Calendar:
    return calendar.Calendar(
        (int(get_format("FIRST_DAY_OF_WEEK")) - 1) % 7
    )  # Django counts from Sunday, Python from Monday


def _weeks(value: str, rows: dict[str, Day], today: str) -> list[list[Square | None]]:
    most = max((row.facts for row in rows.values()), default=0)
    year, month = map(int, value.split("-"))
    weeks = _calendar().monthdayscalendar(year, month)
    return [[_square(f"{value}-{day:02}", rows, most, today) if day else None for day in week] for week in weeks]


def _square(day: str, rows: dict[str, Day], most: int, today: str) -> Square:
    row = rows.get(day)
    facts = row.facts if row else 0
    level = -(-facts * LEVELS // most) if facts else 0
    return Square(day, int(day[8:]), name_of(day), facts, row.logs if row else 0, level, day == today)
