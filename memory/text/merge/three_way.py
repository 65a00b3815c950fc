"""Three-way merge of two versions of a file that come from one base, by lines and byte-exact.

Ours is what we want written, theirs what stands in the file by now. Two changes meet only when they touch the same line
of the base; neighbours do not. Two inserts at one place are both kept, ours then theirs; where one of them holds the
other at that end (a bot's line that we had already joined), it counts once. A line keeps the line end of its side.

A file whose last line has no line end and that a bot appends to: what was appended continues that line. If ours left the
line alone, the longer line takes its place, and what ours added below it stays below. If ours changed or removed it, ours
is kept and the whole longer line follows on a line of its own. Nothing is ever glued to a line that it was not glued to.
"""

from __future__ import annotations

import string
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from memory.text.merge.diff import diff
from memory.text.merge.line_merge import Clash, Lines, Side, weave
from memory.text.merge.overlay import lay_over
from memory.text.sentences import say

__all__ = ["LIMIT", "Clashed", "Merged", "diff", "lay_over", "merge"]

LIMIT = 8 * 1024 * 1024
_MARKUP = string.punctuation.encode() + string.whitespace.encode()  # a line of nothing else may go twice
_FEW_LINES = 4  # below this, losing more than half says nothing


@dataclass(frozen=True, slots=True)
class Merged:
    """The merged bytes. `joined`: they hold something of theirs that ours did not."""

    data: bytes
    joined: bool


@dataclass(frozen=True, slots=True)
class Clashed:
    """Why a person has to decide: the same lines changed on both sides, theirs lost most of the file, or it is too large."""

    reason: str
    kind: Literal["edits", "lost", "size"]


def merge(base: bytes, ours: bytes, theirs: bytes, *, limit: int = LIMIT) -> Merged | Clashed:
    """Bring theirs into ours. Files over `limit` bytes are only joined where no lines need comparing."""
    if theirs in (base, ours):
        return Merged(ours, joined=False)
    appended = theirs.startswith(base)
    if not appended and (lost := _lost(base, theirs)):
        return lost
    if ours == base:
        return Merged(theirs, joined=True)
    if max(len(base), len(ours), len(theirs)) > limit:
        return _large(base, ours, theirs, limit)
    end = _line_end(base, theirs, ours)
    whole = [data if data.endswith(b"\n") or not data else data + end for data in (base, ours, theirs)]
    head, tail = _common(whole, with_tail=not appended)
    mid_base, mid_ours, mid_theirs = (_split(data[head : len(data) - tail]) for data in whole)
    woven = weave(mid_base, mid_ours, mid_theirs, appended=appended)
    if isinstance(woven, Clash):
        return _clashed(woven, whole[0].count(b"\n", 0, head))
    if not appended and (lost := _lost_twice(mid_base, mid_ours, mid_theirs, woven.lines)):
        return lost
    data = b"".join([whole[0][:head], *woven.lines, whole[0][len(whole[0]) - tail :]])
    if not _is_ended(base, ours, theirs, "both" if tail else woven.last) and not data.endswith(b"\n" + end):
        data = data.removesuffix(end)
    return Merged(data, joined=data != ours)


def _lost(base: bytes, theirs: bytes) -> Clashed | None:
    """The question to ask when theirs holds less than half of base's lines, wherever they stand in it now."""
    had = Counter(line.rstrip() for line in base.split(b"\n"))
    del had[b""]
    total = had.total()
    gone = (had - Counter(line.rstrip() for line in theirs.split(b"\n"))).total()
    if total < _FEW_LINES or gone * 2 <= total:
        return None
    return Clashed(say("%(gone)s of the file’s %(total)s lines would be gone.", gone=gone, total=total), "lost")


def _lost_twice(base: Lines, ours: Lines, theirs: Lines, woven: Lines) -> Clashed | None:
    """The question to ask when each side took out another one of several equal lines, and too few of them would be left."""
    had, we, they, left = (Counter(line.rstrip(b"\r\n") for line in lines) for lines in (base, ours, theirs, woven))
    missing = (had & we & they) - left
    if not any(line.strip(_MARKUP) for line in missing):
        return None
    return Clashed(say("A line that occurs several times was removed in different places."), "edits")


def _large(base: bytes, ours: bytes, theirs: bytes, limit: int) -> Merged | Clashed:
    """Without comparing lines: a pure append of whole lines goes behind ours."""
    if theirs.startswith(base) and base.endswith(b"\n"):
        tail = theirs[len(base) :]
        gap = b"" if ours.endswith(b"\n") or not ours else _line_end(base, theirs, ours)
        own = ours[len(base) :] if ours.startswith(base) else b""
        if own.endswith(b"\n") and tail.startswith(own):
            return Merged(theirs, joined=True)
        if own.endswith(b"\n" + tail) or own == tail:
            return Merged(ours, joined=False)
        return Merged(ours + gap + tail, joined=True)
    return Clashed(
        say("The file is larger than %(limit)s KB, too large to merge line by line.", limit=f"{limit // 1024:,}"),
        "size",
    )


def _line_end(*files: bytes) -> bytes:
    """The first line end that any of these files shows."""
    for data in files:
        at = data.find(b"\n")
        if at >= 0:
            return b"\r\n" if data[:at].endswith(b"\r") else b"\n"
    return b"\n"


def _split(data: bytes) -> Lines:
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines.pop()  # every file that comes here ends in a line end
    return lines


def _common(files: list[bytes], *, with_tail: bool) -> tuple[int, int]:
    """How many bytes of whole lines all files begin and end with; the two never overlap."""
    shortest = min(files, key=len)
    size = len(shortest)
    head = _most(size, lambda n: all(data.startswith(shortest[:n]) for data in files))
    head = shortest.rfind(b"\n", 0, head) + 1
    if not with_tail:
        return head, 0
    tail = _most(size - head, lambda n: all(data.endswith(shortest[size - n :]) for data in files))
    line_start = shortest.find(b"\n", size - tail) + 1
    return head, size - line_start if line_start else 0


def _most(most: int, holds: Callable[[int], bool]) -> int:
    """The largest number up to `most` that `holds`, which holds for 0 and for all below one that it holds for."""
    return bisect_left(range(most), True, key=lambda n: not holds(n + 1))


def _clashed(clash: Clash, before: int) -> Clashed:
    """A clash in words. `before`: how many lines of base stand before those that were compared."""
    first, last = clash.lo + before + 1, clash.hi + before
    if clash.removed and first == last:
        return Clashed(say("One version changes line %(first)s, the other removes it.", first=first), "edits")
    if clash.removed:
        return Clashed(
            say("One version changes lines %(first)s to %(last)s, the other removes them.", first=first, last=last),
            "edits",
        )
    if first == last:
        return Clashed(say("Both versions change line %(first)s.", first=first), "edits")
    return Clashed(say("Both versions change lines %(first)s to %(last)s.", first=first, last=last), "edits")


def _is_ended(base: bytes, ours: bytes, theirs: bytes, last: Side) -> bool:
    """Whether the last line of the result has a line end: as on the side that wrote it; where it was there, as it was changed."""
    was, we, they = (data.endswith(b"\n") or not data for data in (base, ours, theirs))
    if theirs.startswith(base) and was:
        return they
    if last == "both":
        return they if we == was else we
    return {"ours": we, "theirs": they, "inside": True}[last]
