"""How long ago something was, in words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from memory.text.sentences import say, say_number
from memory.text.words.days import date_of

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NOW = say("just now")
_UNITS: tuple[tuple[int, Callable[[int], str]], ...] = (
    (86_400, lambda count: say_number("%(count)s day ago", "%(count)s days ago", count=count)),
    (3_600, lambda count: say_number("%(count)s hour ago", "%(count)s hours ago", count=count)),
    (60, lambda count: say_number("%(count)s minute ago", "%(count)s minutes ago", count=count)),
)


def age(now: datetime, then: datetime) -> str:
    """`just now` (also for the future), `5 minutes ago`, `1 hour ago`, `40 days ago`: whole units, rounded down."""
    seconds = (now - then).total_seconds()
    for size, ago in _UNITS:
        count = int(seconds // size)
        if count >= 1:
            return ago(count)
    return _NOW


def instant(ns: int) -> datetime:
    """The moment that the time of a file says, which is in nanoseconds."""
    return EPOCH + timedelta(microseconds=ns // 1000)


def age_of_day(day: str, now: datetime) -> str:
    """How long ago a day (YYYY-MM-DD) was, "" if that is no date or not in the past."""
    there = date_of(day)
    days = (now.date() - there).days if there else 0
    return age(now, now - timedelta(days=days)) if days > 0 else ""
