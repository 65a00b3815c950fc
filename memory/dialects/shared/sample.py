"""What the samples of bots are made of: files, each with the moment at which it was written, counted back from now."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path


def write_files(directory: Path, files: Mapping[str, tuple[bytes | str, datetime]]) -> None:
    """Write files below a directory, as of when each was written."""
    for path, (data, written) in files.items():
        target = directory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data.encode() if isinstance(data, str) else data)
        os.utime(target, (written.timestamp(), written.timestamp()))


def moment(days_ago: int, time: str, now: datetime) -> datetime:
    """A time of day (HH:MM) so many days ago, or now where that is still to come."""
    hour, minute = map(int, time.split(":"))
    at = (now - timedelta(days=days_ago)).replace(hour=hour, minute=minute, second=0, microsecond=0)
    return min(at, now)
