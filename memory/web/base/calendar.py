"""A month of days as a calendar, and the days that no calendar has."""

from __future__ import annotations

import calendar
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from math import ceil, log1p

from django.db.models import QuerySet
from django.utils.dates import WEEKDAYS, WEEKDAYS_ABBR
from django.utils.formats import date_format, get_format
from django.utils.text import capfirst

from memory.index import cached
from memory.models import Bot, Day
from memory.text.words.days import date_of
from memory.web.base.gauges import grouped, kilobytes, number_of

LEVELS = 4
MOST_APART = 200
NEWEST = 2  # years with facts, of which each day is known
TOLD = ("day", "facts", "chats", "size", "written_ns")  # of a day in the list
Told = tuple[str, int, int, int, int]
MONTH = re.compile(r"(?!0000)[0-9]{4}-(?:0[1-9]|1[0-2])")


@dataclass(frozen=True, slots=True)
class KnownDays:
    """What the days of a bot's logs are: those that no calendar has, for a file's name may say 2025-13-45, not more than
    MOST_APART of them; and the months of the others with their facts."""

    impossible: tuple[str, ...]
    months: Mapping[str, int]
    days: Mapping[str, int]  # of the newest years alone

    @property
    def lacks_facts(self) -> bool:
        """Whether none of the days holds a fact, as where a family's day files are text: nothing is said of facts then."""
        return bool(self.months) and not any(self.months.values())


def name_of(day: str) -> str:
    """A day as it stands by itself, by locale; one that no calendar has as it is written."""
    there = date_of(day)
    return capfirst(f"{date_format(there, 'l')}, {date_format(there)}") if there else day


def fact_count(number: int) -> str:
    """`12 facts`."""
    return number_of("%(count)s fact", "%(count)s facts", number)


def list_days(rows: Iterable[Told]) -> list[dict[str, object]]:
    """Some days in words: what people call each, and what there is of it."""
    return [{"day": row[0], "name": name_of(row[0]), "about": " · ".join(_about(*row[1:]))} for row in rows]


def _about(facts: int, chats: int, size: int, written_ns: int) -> Iterator[str]:
    if facts:
        yield fact_count(facts)
    if chats:
        yield number_of("%(count)s chat", "%(count)s chats", chats)
    if written_ns:  # of a day that only the history tells of there is no file
        yield kilobytes(size)


def known_days(bot: Bot) -> KnownDays:
    """The days that a bot knows of, worked out once as long as its index stays as it is."""
    return cached.while_indexed(bot, "days", partial(_find_days, bot))


def _find_days(bot: Bot) -> KnownDays:
    impossible, months, days = [], Counter[str](), dict[str, int]()
    for day, facts in Day.objects.filter(bot=bot).order_by("day").values_list("day", "facts"):
        if date_of(day):
            months[day[:7]] += facts
            days[day] = facts
        else:
            impossible.append(day)
    newest = sorted({day[:4] for day, facts in days.items() if facts})[-NEWEST:]
    return KnownDays(
        tuple(impossible[:MOST_APART]), months, {day: facts for day, facts in days.items() if day[:4] in newest}
    )


def month_name(value: str) -> str:
    """`March 2026` of 2026-03, as it stands by itself."""
    return capfirst(date_format(date.fromisoformat(f"{value}-01"), "YEAR_MONTH_FORMAT"))


def month_of(days: QuerySet[Day], full: QuerySet[Day], value: str, today: str) -> dict[str, object]:
    """The month YYYY-MM of these days, which are all real; the one of the newest of the `full` ones, from one to the next of which
    people turn, if `value` is no month. `before` and `after` are the nearest ones with entries, "" for none."""
    newest = full.order_by("-day").values_list("day", flat=True).first() or today
    value = value if MONTH.fullmatch(value) else newest[:7]
    facts = dict(days.filter(day__gte=f"{value}-01", day__lte=f"{value}-31").values_list("day", "facts"))
    return {
        "value": value,
        "name": month_name(value),
        "weekdays": [(str(WEEKDAYS_ABBR[day]), str(WEEKDAYS[day])) for day in _calendar().iterweekdays()],
        "weeks": _weeks(value, facts, today, newest),
        "entries": fact_count(sum(facts.values())),
        "filled": sum(1 for number in facts.values() if number),
        "before": _nearest(full.filter(day__lt=f"{value}-01").order_by("-day")),
        "after": _nearest(full.filter(day__gt=f"{value}-31").order_by("day")),
    }


def _nearest(days: QuerySet[Day]) -> str:
    day = days.values_list("day", flat=True).first()
    return day[:7] if day else ""


def _calendar() -> calendar.Calendar:
    first = int(get_format("FIRST_DAY_OF_WEEK")) - 1  # Django counts from Sunday, Python from Monday
    return calendar.Calendar(first % 7)


def _weeks(value: str, facts: Mapping[str, int], today: str, newest: str) -> list[list[dict[str, object] | None]]:
    """The weeks of a month; those behind the newest day with entries, and behind today, are still to come."""
    most = max(facts.values(), default=0)
    year, month = map(int, value.split("-"))
    weeks = _calendar().monthdayscalendar(year, month)
    if newest[:7] == value:
        last = max(int(day[8:]) for day in (newest, today) if day[:7] == value)
        weeks = [week for week in weeks if min(filter(None, week)) <= last]
    return [[_square(f"{value}-{day:02}", facts, most, today) if day else None for day in week] for week in weeks]


def _square(day: str, facts: Mapping[str, int], most: int, today: str) -> dict[str, object]:
    """One day of a month. `level` 0 to 4 says how full it is beside the fullest one; `is_told`: there is a log of it."""
    number = facts.get(day, 0)
    figure, words = (grouped(number), fact_count(number)) if number else ("", "")
    return {
        "day": day,
        "number": int(day[8:]),
        "name": name_of(day),
        "figure": figure,
        "entries": words,
        "level": level(number, most),
        "is_told": day in facts,
        "is_today": day == today,
    }


def level(number: int, most: int) -> int:
    """How full one is beside the fullest, 0 to LEVELS: one wild day must not pale the others."""
    return ceil(LEVELS * log1p(number) / log1p(most)) if number else 0
