"""What a change did to a text, in one line: the words that went and those that came."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from memory.text.merge.diff import Row, diff

MOST_ROWS = 200  # of a difference that are looked at
LONGEST = 200  # characters of a line
BEFORE = 60  # of them that stand before what changed
_MARKS = re.compile(r"^\s*(?:#{1,6}\s+)?(?:[-*+]\s+)?(?:\d{1,2}:\d{2}\s*(?:—|–|--|-)\s*)?")


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words of a line: those that stayed, went or came."""

    text: str
    kind: Literal["", "removed", "added"] = ""


@dataclass(frozen=True, slots=True)
class Changed:
    """The first line that changed, and how many more did."""

    pieces: Sequence[Piece]
    more: int = 0


def changed(before: str, after: str) -> Changed | None:
    """What happened to a text; None where no line says anything of it."""
    rows = [row for hunk in diff(before, after, 0, most_rows=MOST_ROWS) for row in hunk.rows if _says(row)]
    lines = list(_lines([row for row in rows if not _text(row).startswith("#")] or rows))
    return Changed(tuple(_cut(lines[0])), len(lines) - 1) if lines else None


def _says(row: Row) -> bool:
    return row.kind in ("removed", "added") and bool(_text(row).strip(" \t\r\n#*-"))


def _text(row: Row) -> str:
    return "".join(span.text for span in row.spans).rstrip("\r\n")


def _lines(rows: Sequence[Row]) -> Iterator[list[Piece]]:
    """A line for each that went or came; one that went with another right behind it was replaced."""
    left = list(rows)
    while left:
        row = left.pop(0)
        if row.kind == "removed" and left and left[0].kind == "added":
            yield list(_replaced(row, left.pop(0)))
        else:
            yield [Piece(_text(row), "removed" if row.kind == "removed" else "added")]


def _replaced(old: Row, new: Row) -> Iterator[Piece]:
    if _is_reworded(old):
        yield from _merged(old, new)
        return
    yield Piece(_text(old), "removed")
    yield Piece(" ")
    yield Piece(_MARKS.sub("", _text(new), count=1), "added")


def _is_reworded(row: Row) -> bool:
    return any(not span.marked and span.text.strip() for span in row.spans) and len(row.spans) > 1


def _merged(old: Row, new: Row) -> Iterator[Piece]:
    """Both lines as one: what stayed once, what went before what came in its place."""
    left, right = list(old.spans), list(new.spans)
    while left or right:
        if left and left[0].marked:
            yield Piece(left.pop(0).text, "removed")
        elif right and right[0].marked:
            yield Piece(right.pop(0).text, "added")
        else:
            same = left.pop(0) if left else None
            yield Piece((right.pop(0) if right else same or old.spans[0]).text)


def _cut(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Without the signs that a line of Markdown begins with, and no longer than a line of a list."""
    room, is_first = LONGEST, True
    for piece in pieces:
        text = _MARKS.sub("", piece.text, count=1) if is_first else piece.text
        if is_first and not piece.kind and len(text) > BEFORE:
            text = f"… {text[-BEFORE:].partition(' ')[2]}"
        is_first = is_first and not text
        shown = text if len(text) <= room else f"{text[:room].rstrip()}…"
        if shown and room > 0:
            yield Piece(shown, piece.kind)
        room -= len(text)
