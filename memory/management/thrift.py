"""What the server's processes hold is shared where it can be, and given back to the system where it is used no more."""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress

# glibc's names for what it can be told, and what it is told. Left to itself it keeps a heap for each of many threads, and what one
# request took at its height stays in each of them; and once a large piece was given back, the next ones come from the heaps too.
ARENA_MAX, MMAP_THRESHOLD, TRIM_THRESHOLD = -8, -3, -1
HEAPS, LARGE = 2, 256 * 1024
NEVER = 1 << 30  # collections of the young before one of all
SOON, LATE = 50, 200  # requests between two collections of all garbage


def give_back() -> None:
    """Have the C library give memory back sooner."""
    for name, value in ((ARENA_MAX, HEAPS), (MMAP_THRESHOLD, LARGE), (TRIM_THRESHOLD, LARGE)):
        _tell("mallopt", name, value)


def trim() -> None:
    """Have it give back also what lies free between what is used, as what a connection to SQLite had read does."""
    _tell("malloc_trim", 0)


def _tell(function: str, *values: int) -> None:
    """Tell the C library; any other one than glibc does as it does."""
    with suppress(AttributeError, OSError):
        getattr(ctypes.CDLL(None), function)(*values)


def share() -> None:
    """Before a fork: what is here stays for ever, so that no collection of garbage writes to it and makes it each process's own."""
    gc.collect()
    gc.freeze()


class Collector:
    """Collects all garbage of a process between requests instead of in one, where that took longer than the request."""

    def __init__(self) -> None:
        self.at = 0  # how many requests had come
        gc.set_threshold(*gc.get_threshold()[:2], NEVER)

    def look(self, asked: int, *, idle: bool) -> None:
        """Collect if it is time after so many requests: soon where nobody waits, late where somebody always does."""
        if asked - self.at >= (SOON if idle else LATE):
            gc.collect()
            trim()
            self.at = asked
