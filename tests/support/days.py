"""Days as logs are called."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


def day(ago: int) -> str:
    """The day so many days ago."""
    return (datetime.now(UTC) - timedelta(days=ago)).date().isoformat()
