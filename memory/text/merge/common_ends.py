"""Where two versions of a text of lines are the same, so that what changed can be read alone. In bytes, from line to line."""

from __future__ import annotations

import re

_HEADING = re.compile(rb"\n\n(?=#{1,6} )")
_OPENING = (b"```", b"~~~", b"<")  # a fence, a comment, a block of HTML


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


def sections(old: bytes, new: bytes) -> tuple[bytes, bytes]:
    """What differs of two Markdown texts, from heading to heading; both whole where something may be open that hides headings."""
    start = same_start(old, new)
    end = same_end(old, new, start)
    start = max((one.end() for one in _HEADING.finditer(old, 0, start)), default=0)
    behind = _HEADING.search(new, max(len(new) - end - 1, 0)) if end else None
    end = len(new) - behind.end() if behind else 0
    if any(mark in text for text in (old[: len(old) - end], new[: len(new) - end]) for mark in _OPENING):
        return old, new
    return old[start : len(old) - end], new[start : len(new) - end]
