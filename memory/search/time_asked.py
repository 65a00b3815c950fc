"""The time that a query asks for besides its words: whether for one, and which days it names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from memory.text.words.days import date_of
from memory.text.words.english import AMBIGUOUS_MONTHS, MONTHS
from memory.text.words.terms import fold

WHEN = frozenset(("when", "cuando", "wann", "quand", "quando", "wanneer", "когда"))

_PART = re.compile(r"[^\W\d_]+|\d+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_DAY = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?\b")


@dataclass(frozen=True, slots=True)
class TimeAsked:
    """Whether it asks for a time, and the years, months and days of the month that it names."""

    when: bool = False
    years: frozenset[int] = frozenset()
    months: frozenset[int] = frozenset()
    days: frozenset[int] = frozenset()

    @classmethod
    def of(cls, text: str) -> TimeAsked:
        """What a query asks for."""
        parts = _PART.findall(text)
        months = {MONTHS[fold(part)] for part in parts if fold(part) in MONTHS and part not in AMBIGUOUS_MONTHS}
        days = {int(day) for day in _DAY.findall(text) if 1 <= int(day) <= 31} if months else set()
        years = {int(part) for part in parts if _YEAR.fullmatch(part)}
        asks = any(fold(part) in WHEN for part in parts)
        return cls(asks, frozenset(years), frozenset(months), frozenset(days))

    def fits(self, day: str) -> float:
        """How well a day (YYYY-MM-DD) fits what is named, 0 to 1. What happened is often told a day or some later."""
        told = date_of(day)
        if told is None or not (self.months or self.years):
            return 0.0
        is_year = not self.years or told.year in self.years
        if not self.months:
            return 0.1 if is_year else 0.0
        is_month = told.month in self.months and is_year
        if self.days:
            return max(self._nearest(told), 0.3 if is_month else 0.0)
        soon_after = told.day <= 8 and (told.month - 2) % 12 + 1 in self.months
        return 0.6 if is_month else 0.3 if soon_after else 0.0

    def _nearest(self, told: date) -> float:
        years = self.years or {told.year}
        return max(_told_after(told, year, month, day) for year in years for month in self.months for day in self.days)


def _told_after(told: date, year: int, month: int, day: int) -> float:
    try:
        gap = (told - date(year, month, day)).days
    except ValueError:
        return 0.0
    if gap == 0:
        return 1.0
    return 0.8 if 0 < gap <= 2 else 0.5 if 2 < gap <= 8 or gap == -1 else 0.0
