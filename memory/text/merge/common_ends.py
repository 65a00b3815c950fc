"""Where two versions of a text of lines are the same, so that what changed can be read alone. In bytes, from line to line."""

from __future__ import annotations

import re
from typing import AnyStr

_HEADING = re.compile(rb"\n\n(?=#{1,6} )")
_OPENING = (b"```", b"~~~", b"<")  # a fence, a comment, a block of HTML


def common_start(one: AnyStr, other: AnyStr) -> int:
    """How many characters or bytes both begin with."""
    low, high = 0, min(len(one), len(other))
    if one[:high] == other[:high]:  # as where something was added
        return high
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def same_start(old: bytes, new: bytes) -> int:
    """How many bytes both begin with, in whole lines."""
    return new.rfind(b"\n", 0, common_start(old, new)) + 1


def same_end(old: bytes, new: bytes, start: int) -> int:
    """How many bytes both end with, in whole lines; `start` is what they begin with, which is not counted again."""
    same = common_start(old[start:][::-1], new[start:][::-1])
    before = new.find(b"\n", len(new) - same) if same else -1
    return len(new) - before - 1 if before >= 0 else 0


def differing_sections(old: bytes, new: bytes) -> tuple[bytes, bytes]:
    """What differs of two Markdown texts, from heading to heading; both whole where something may be open that hides headings."""
    start = same_start(old, new)
    end = same_end(old, new, start)
    start = max((one.end() for one in _HEADING.finditer(old, 0, start)), default=0)
    behind = _HEADING.search(new, max(len(new) - end - 1, 0)) if end else None
    end = len(new) - behind.end() if behind else 0
    if any(mark in text for text in (old[: len(old) - end], new[: len(new) - end]) for mark in _OPENING):
        return old, new
    return old[start : len(old) - end], new[start : len(new) - end]
