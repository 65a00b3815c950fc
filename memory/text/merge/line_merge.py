"""Three versions of some lines woven into one, change by change: the part of a merge that knows only lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from memory.text.merge.lines import Gap, gaps

Lines = list[bytes]
Side = Literal["ours", "theirs", "both", "inside"]


@dataclass(frozen=True, slots=True)
class Clash:
    """Lines `lo` to `hi` of base (from 0, end not included) that both sides changed; `removed`: one of them took them out."""

    lo: int
    hi: int
    removed: bool


@dataclass(slots=True)
class Woven:
    """The result so far. `last`: the side whose last line is the last one here; both: it was there before, or both wrote it;
    inside: a side wrote it, and it is not the last one there.
    """

    lines: Lines = field(default_factory=list)
    done: int = 0
    last: Side = "both"

    def stay(self, base: Lines, to: int) -> None:
        if to > self.done:
            self.lines += base[self.done : to]
            self.done, self.last = to, "both"

    def change(self, base: Lines, lo: int, hi: int, new: Lines, side: Side) -> None:
        self.stay(base, lo)
        self.lines += new
        self.done, self.last = hi, side if new else self.last


def weave(base: Lines, ours: Lines, theirs: Lines, *, appended: bool) -> Woven | Clash:
    """The three versions as one, or the first place where they clash. `appended`: theirs is base and more behind it."""
    our_gaps = gaps(base, ours)
    their_gaps = _append_gaps(base, theirs, our_gaps) if appended else gaps(base, theirs)
    our_gaps, their_gaps = (
        _without_repeats(our_gaps, ours, their_gaps, theirs),
        _without_repeats(their_gaps, theirs, our_gaps, ours),
    )
    woven = Woven()
    for mine, yours in _meetings(our_gaps, their_gaps):
        lo, hi = min(gap.lo for gap in mine + yours), max(gap.hi for gap in mine + yours)
        new_ours, new_theirs = _version(ours, mine, lo, hi), _version(theirs, yours, lo, hi)
        we: Side = "ours" if mine and mine[-1].new_hi == len(ours) else "inside"
        they: Side = "theirs" if yours and yours[-1].new_hi == len(theirs) else "inside"
        if not mine:
            woven.change(base, lo, hi, new_theirs, they)
        elif not yours:
            woven.change(base, lo, hi, new_ours, we)
        elif lo == hi:
            woven.change(base, lo, hi, _both(new_ours, new_theirs), they)
        elif new_ours == new_theirs:
            woven.change(base, lo, hi, new_ours, "both")
        elif all(gap.new_lo == gap.new_hi for gap in mine + yours):
            woven.change(base, lo, hi, [], "both")
        else:
            return Clash(lo, hi, removed=not new_ours or not new_theirs)
    woven.stay(base, len(base))
    return woven


def _append_gaps(base: Lines, theirs: Lines, our_gaps: list[Gap]) -> list[Gap]:
    """Where theirs grew, which only went on behind base: new lines, or base's last line continued and then new lines."""
    end = len(base)
    rest = [Gap(end, end, end, len(theirs))] if len(theirs) > end else []
    if theirs[:end] == base:
        return rest
    if our_gaps and our_gaps[-1].lo < end == our_gaps[-1].hi:
        return [Gap(end, end, end - 1, len(theirs))]
    return [Gap(end - 1, end, end - 1, end), *rest]


def _without_repeats(gaps: list[Gap], lines: Lines, other_gaps: list[Gap], other: Lines) -> list[Gap]:
    """Without the inserts that the other side made too, at the edge of a line that it also changed."""
    starts = {gap.lo: gap for gap in other_gaps if gap.lo < gap.hi}
    ends = {gap.hi: gap for gap in other_gaps if gap.lo < gap.hi}

    def is_repeat(gap: Gap) -> bool:
        size = gap.new_hi - gap.new_lo
        if gap.lo < gap.hi:
            return False
        before, after = ends.get(gap.lo), starts.get(gap.lo)
        new = lines[gap.new_lo : gap.new_hi]
        if before and _growth(before) >= size and other[before.new_hi - size : before.new_hi] == new:
            return True
        return bool(after and _growth(after) >= size and other[after.new_lo : after.new_lo + size] == new)

    return [gap for gap in gaps if not is_repeat(gap)]


def _growth(gap: Gap) -> int:
    return (gap.new_hi - gap.new_lo) - (gap.hi - gap.lo)


def _meetings(ours: list[Gap], theirs: list[Gap]) -> Iterator[tuple[list[Gap], list[Gap]]]:
    """The changes of both sides in order, those that meet together: (ours, theirs), one of them empty where nothing meets."""
    sides: tuple[list[Gap], list[Gap]] = ([], [])
    lo = hi = -1
    for start, end, side, gap in sorted(
        (gap.lo, gap.hi, side, gap) for side, found in enumerate((ours, theirs)) for gap in found
    ):
        if not (start < hi or lo == hi == start == end):
            if any(sides):
                yield sides
            sides, lo, hi = ([], []), start, end
        sides[side].append(gap)
        hi = max(hi, end)
    if any(sides):
        yield sides


def _version(lines: Lines, found: list[Gap], lo: int, hi: int) -> Lines:
    """What base's lines `lo` to `hi` are on a side whose changes in there are `found`; nothing if it has none."""
    if not found:
        return []
    return lines[found[0].new_lo - (found[0].lo - lo) : found[-1].new_hi + (hi - found[-1].hi)]


def _both(ours: Lines, theirs: Lines) -> Lines:
    """Two inserts at one place: ours then theirs, or just the one that already holds the other there."""
    if theirs[: len(ours)] == ours:
        return theirs
    return ours if ours[-len(theirs) :] == theirs else ours + theirs
