"""How long ago something was, in words."""

from __future__ import annotations

from datetime import datetime

_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


def age(now: datetime, then: datetime) -> str:
    """`just now` (also for the future), `5 minutes ago`, `1 hour ago`, `40 days ago`: whole units, rounded down."""
    seconds = (now - then).total_seconds()
    for size, unit in _UNITS:
        count = int(seconds // size)
        if count >= 1:
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    return "just now"
