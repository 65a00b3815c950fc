"""Which days somebody means who types `2026-11`, `nov 3`, `3 nov` or `yesterday`; and which one a text names or is stamped with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta

_ISO = re.compile(r"\d{4}(?:-(?:\d{1,2}(?:-\d{0,2})?)?)?")
_DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SHORT = re.compile(r"(\d{1,2})-(\d{1,2})")


def parse_days(typed: str, today: date, words: Mapping[str, int], months: Mapping[str, int]) -> list[str]:
    """Beginnings of days (YYYY-MM-DD or less) that were meant, likeliest first; [] if it is no day.

    `words` are names of days as offsets from today ("yesterday": -1), `months` names of months in lower case (1 to 12).
    """
    text = " ".join(typed.casefold().replace(",", " ").replace(".", " ").split())
    if not text:
        return []
    if _ISO.fullmatch(text):
        return [_padded(text)]
    if short := _SHORT.fullmatch(text):
        return [f"{year}-{int(short[1]):02}-{int(short[2]):02}" for year in _years(today)]
    offsets = [offset for word, offset in words.items() if len(text) > 2 and word.startswith(text)]
    if offsets:
        return [(today + timedelta(days=offset)).isoformat() for offset in offsets]
    return _named(text.split(), today, months)


def leading_day(text: str) -> str:
    """The day of an entry that begins with `[2026-01-31`, "" if it begins with none that a calendar has."""
    day = text[1:11]
    return day if text.startswith("[") and _DAY.fullmatch(day) and date_of(day) else ""


def date_of(text: str) -> date | None:
    """The date that YYYY-MM-DD names; None if no calendar has it."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def moment_of(text: str) -> datetime | None:
    """The moment that a text names as ISO 8601 does, in UTC where it names no zone; None if it names none."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _padded(text: str) -> str:
    year, _, rest = text.partition("-")
    parts = rest.split("-") if rest else []
    if len(parts) == 2:
        parts[0] = parts[0].zfill(2)
    return "-".join([year, *parts]) if rest else text


def _named(words: list[str], today: date, months: Mapping[str, int]) -> list[str]:
    """A month's name or its beginning, with a day before or behind it, perhaps with a year."""
    numbers = [word for word in words if word.isdecimal()]
    names = [word for word in words if not word.isdecimal() and word not in ("de", "of")]
    if len(names) != 1 or len(names[0]) < 3 or len(numbers) > 2:
        return []
    found = sorted({number for name, number in months.items() if name.startswith(names[0])})
    years = [int(number) for number in numbers if len(number) == 4] or _years(today)
    days = [f"-{int(number):02}" for number in numbers if len(number) < 3] or [""]
    return [f"{year}-{month:02}{days[0]}" for year in years for month in found]


def _years(today: date) -> list[int]:
    return [today.year, today.year - 1]
