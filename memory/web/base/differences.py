"""Differences between two texts for reading: one below the other, and side by side."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from memory.text.merge.diff import DiffRow, Hunk, diff

ROW = 300  # bytes that showing a row takes, either way, beside its text


@dataclass(frozen=True, slots=True)
class Pair:
    """One line of a difference side by side; None where a side has nothing."""

    old: DiffRow | None
    new: DiffRow | None


@dataclass(frozen=True, slots=True)
class Block:
    """A hunk for both ways of showing it."""

    folded: int
    rows: Sequence[DiffRow]
    pairs: Sequence[Pair]


@dataclass(frozen=True, slots=True)
class DocumentDiff:
    """What an act would change in one document."""

    path: str
    blocks: Sequence[Block]


def blocks(old: str, new: str, room: int = 0) -> list[Block]:
    """A difference for both ways of showing it. `room`: so many bytes of a page at the most may go into either, 0 for no bound."""
    hunks = diff(old, new)
    return [Block(hunk.folded, hunk.rows, _pairs(hunk)) for hunk in (_within(room, hunks) if room else hunks)]


def _within(room: int, hunks: Sequence[Hunk]) -> Sequence[Hunk]:
    """The first rows, as far as there is room; the last says how many are left out."""
    rows = [row for hunk in hunks for row in hunk.rows]
    fits = bisect_right(list(accumulate(map(_size, rows))), room)
    if fits == len(rows):
        return hunks
    kept, left = list[Hunk](), fits
    for hunk in hunks:
        kept.append(replace(hunk, rows=hunk.rows[:left]))
        left -= len(hunk.rows)
        if left <= 0:
            break
    more = DiffRow("more", None, None, (), count=sum(row.count or 1 for row in rows[fits:]))
    return [*kept[:-1], replace(kept[-1], rows=(*kept[-1].rows, more))]


def _size(row: DiffRow) -> int:
    return ROW + sum(len(span.text.encode("utf-8", "replace")) for span in row.spans)


def _pairs(hunk: Hunk) -> list[Pair]:
    pairs: list[Pair] = []
    for row in hunk.rows:
        last = pairs[-1] if pairs else None
        if row.kind == "added" and last and last.old and last.old.kind == "removed" and last.new is None:
            pairs[-1] = Pair(last.old, row)
        elif row.kind == "added":
            pairs.append(Pair(None, row))
        elif row.kind == "removed":
            pairs.append(Pair(row, None))
        else:
            pairs.append(Pair(row, row))
    return pairs
