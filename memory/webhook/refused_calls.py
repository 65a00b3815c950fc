"""Refused calls, counted by address, minute and reason. A flood must not become a flood of writes."""

from __future__ import annotations

import atexit
import ipaddress
import threading
from collections import Counter
from datetime import datetime

from django.db import DatabaseError
from django.db.models import F

from memory.models import RefusedCalls

WRITES_A_SECOND = 10
NAMED_A_MINUTE = 200  # addresses and reasons that one process tells apart
UNKNOWN = "0.0.0.0"  # noqa: S104 - stands for an address that is not known, nothing listens on it

Key = tuple[str, datetime, int, str]  # address, minute, status, reason


class Tally:
    """Counts that wait for their turn to be written: at most so many writes a second, the rest goes along with the next one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pending: Counter[Key] = Counter()
        self._named: set[Key] = set()
        self._second, self._writes = 0, 0

    def count(self, address: str, status: int, reason: str, at: datetime) -> None:
        """Count one refused call at `at` (aware); written at once unless there are many."""
        with self._lock:
            self._pending[self._name((_address(address), at.replace(second=0, microsecond=0), status, reason))] += 1
        self.flush(int(at.timestamp()))

    def flush(self, second: int | None = None) -> None:
        """Write what is pending; with `second` (since 1970) only if that second has writes left."""
        with self._lock:
            if not self._pending or not self._may_write(second):
                return
            due, self._pending = self._pending, Counter()
        try:
            for key, count in due.items():
                _add(key, count)
        except DatabaseError:
            with self._lock:
                self._pending.update(due)

    def _name(self, key: Key) -> Key:
        """The key to count under: its own, or the one for unknown addresses when this minute has had too many."""
        if self._named and next(iter(self._named))[1] != key[1]:
            self._named.clear()
        if key not in self._named and len(self._named) >= NAMED_A_MINUTE:
            return (UNKNOWN, *key[1:])
        self._named.add(key)
        return key

    def _may_write(self, second: int | None) -> bool:
        if second is None:
            return True
        if second != self._second:
            self._second, self._writes = second, 0
        self._writes += 1
        return self._writes <= WRITES_A_SECOND


def _add(key: Key, count: int) -> None:
    address, minute, status, reason = key
    rows = RefusedCalls.objects.filter(address=address, minute=minute, status=status, reason=reason)
    if rows.update(count=F("count") + count):
        return
    _, made = RefusedCalls.objects.get_or_create(
        address=address, minute=minute, status=status, reason=reason, defaults={"count": count}
    )
    if not made:
        rows.update(count=F("count") + count)


def _address(address: str) -> str:
    try:
        return str(ipaddress.ip_address(address))
    except ValueError:
        return UNKNOWN


tally = Tally()
atexit.register(tally.flush)
