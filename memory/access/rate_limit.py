"""How often one secret or token may call, or one address try to log in: an even rate with a burst, kept in a small file
that all processes of a machine share.

Each machine counts by itself: two web servers let twice as much through. A file costs some microseconds and no write to the
database, where every call would compete with the turns themselves.
"""

from __future__ import annotations

import fcntl
import math
import os
import struct

from django.conf import settings

MINUTE = 60.0
_STATE = struct.Struct("<d")


def wait(name: str, limit: int, now: float) -> int:
    """Count a call at `now` (seconds since 1970) against `limit` calls a minute. 0: go on; else seconds to wait first."""
    folder = settings.KENOWEB_HOME / "rates"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(folder / name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        due, seconds = step(_read(descriptor), limit, now)
        os.pwrite(descriptor, _STATE.pack(due), 0)
        return math.ceil(seconds)
    finally:
        os.close(descriptor)


def step(due: float, limit: int, now: float) -> tuple[float, float]:
    """(when the calls so far are paid for, seconds to wait): each call costs a `limit`th of a minute, a minute is lent."""
    cost = MINUTE / limit
    begun = max(now, min(due, now + MINUTE))  # a clock that was set back must not lock anybody out
    over = begun + cost - now - MINUTE
    return (begun, over) if over > 1e-6 else (begun + cost, 0.0)


def _read(descriptor: int) -> float:
    held = os.pread(descriptor, _STATE.size, 0)
    due = _STATE.unpack(held)[0] if len(held) == _STATE.size else 0.0
    return float(due) if math.isfinite(due) else 0.0
