"""How long ago something was, in words."""

from __future__ import annotations

from datetime import date, datetime, timedelta

_NOW = "just now"
_UNITS = (
    (86_400, "1 day ago", "%(count)s days ago"),
    (3_600, "1 hour ago", "%(count)s hours ago"),
    (60, "1 minute ago", "%(count)s minutes ago"),
)


def age(now: datetime, then: datetime) -> str:
    """`just now` (also for the future), `5 minutes ago`, `1 hour ago`, `40 days ago`: whole units, rounded down."""
    seconds = (now - then).total_seconds()
    for size, one, many in _UNITS:
        count = int(seconds // size)
        if count >= 1:
            return one if count == 1 else many % {"count": count}
    return _NOW


def since(day: str, now: datetime) -> str:
    """How long ago a day (YYYY-MM-DD) was, "" if that is no date or not in the past."""
    try:
        days = (now.date() - date.fromisoformat(day)).days
    except ValueError:
        return ""
    return age(now, now - timedelta(days=days)) if days > 0 else ""
