"""Which day a file's name says: any of the ways in which bots and people date their notes, and never a guess."""

from __future__ import annotations

import re
from datetime import date

_FIRST_YEAR, _LAST_YEAR = 1990, 2099
_APART = re.compile(r"(?<![0-9])([0-9]{4})([-_.])([0-9]{2})\2([0-9]{2})(?![0-9])")
_TIGHT = re.compile(r"\A([0-9]{4})([0-9]{2})([0-9]{2})(?![0-9])|(?<![0-9])([0-9]{4})([0-9]{2})([0-9]{2})\Z")
_YEAR = re.compile(r"[0-9]{4}\Z")
_MONTH = re.compile(r"([0-9]{4})[-_.]?([0-9]{2})\Z")
_TWO = re.compile("[0-9]{2}")
_SHORT = re.compile(r"([0-9]{2})(?![0-9])")
_MONTH_AND_DAY = re.compile(r"([0-9]{2})[-_.]([0-9]{2})(?![0-9])")


def day_of(stem: str, directories: tuple[str, ...]) -> str:
    """The day (YYYY-MM-DD) that a file's name without its ending says, or its name and the directories above it (the nearest
    last); "" if they name none, more than one, or one that no calendar has."""
    found = _days(stem)
    if found is not None:
        return found
    return _with_directories(stem, directories)


def _days(stem: str) -> str | None:
    """The day that a name says by itself, "" if it says several; None if it says none."""
    named = [_day(*match.group(1, 3, 4)) for match in _APART.finditer(stem)]
    if not named and (tight := _TIGHT.search(stem)):
        named = [_day(*(part for part in tight.groups() if part is not None))]
    days = {day for day in named if day}
    if not named or not days:
        return None
    return days.pop() if len(days) == 1 else ""


def _with_directories(stem: str, directories: tuple[str, ...]) -> str:
    """The day of `2026/01/31.md`, `2026-01/31-slug.md` and `2026/01-31.md`."""
    nearest = directories[-1] if directories else ""
    above = directories[-2] if len(directories) > 1 else ""
    number = _SHORT.match(stem)
    if month := _MONTH.match(nearest):
        return _day(month[1], month[2], number[1]) if number else ""
    if _YEAR.match(nearest) and (both := _MONTH_AND_DAY.match(stem)):
        return _day(nearest, both[1], both[2])
    if _YEAR.match(above) and _TWO.fullmatch(nearest) and number:
        return _day(above, nearest, number[1])
    return ""


def _day(year: str, month: str, number: str) -> str:
    try:
        found = date(int(year), int(month), int(number))
    except ValueError:
        return ""
    return found.isoformat() if _FIRST_YEAR <= found.year <= _LAST_YEAR else ""
