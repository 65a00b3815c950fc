"""Differences between two texts for reading: one below the other, and side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.text.merge.diff import DiffRow, Hunk, diff


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


def blocks(old: str, new: str) -> list[Block]:
    """A difference for both ways of showing it."""
    return [Block(hunk.folded, hunk.rows, _pairs(hunk)) for hunk in diff(old, new)]


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
