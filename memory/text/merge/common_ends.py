"""Where two versions of a text of lines are the same, so that what changed can be read alone. In bytes, from line to line."""

from __future__ import annotations


def same_start(old: bytes, new: bytes) -> int:
    """How many bytes both begin with, in whole lines."""
    if new.startswith(old):
        return new.rfind(b"\n", 0, len(old)) + 1
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if old.startswith(new[:middle]) else (low, middle - 1)
    return new.rfind(b"\n", 0, low) + 1


def same_end(old: bytes, new: bytes, start: int) -> int:
    """How many bytes both end with, in whole lines; `start` is what they begin with, which is not counted again."""
    low, high = 0, min(len(old), len(new)) - start
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if old.endswith(new[-middle:]) else (low, middle - 1)
    before = new.find(b"\n", len(new) - low) if low else -1
    return len(new) - before - 1 if before >= 0 else 0
