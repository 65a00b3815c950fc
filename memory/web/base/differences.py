"""Differences between two texts for reading: one below the other, and side by side."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import accumulate
from typing import Any

from django.core.paginator import Page

from memory.text.merge.diff import Difference, DiffRow, Hunk, LinePiece, Stretch
from memory.text.secrets import place_to_cut
from memory.web.base.pages import Laid

SHOWN = 10  # documents whose differences are shown at once
ROOM = 150_000  # bytes of a page that its differences share
ROW, MARK = 300, 11  # bytes that showing a row takes beside its text, both ways together, and marking a word
DEAREST = 30  # bytes of a character both ways together, about, at the most


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
    page: Page[Any] | None = None  # which of its rows these are, where not all are shown at once


def blocks(old: str, new: str, room: int = ROOM) -> list[Block]:
    """A difference for both ways of showing it, as much of it as so many bytes of a page hold."""
    return paged(Difference(old, new), room)[0]


def turned(
    those: Mapping[str, Callable[[], tuple[str, str]]], asked: Mapping[str, str], form: str
) -> dict[str, object]:
    """What a page tells of the differences that an act would make in documents, each given by what makes its texts: those of the
    first, or the `file` that is asked for alone, a `page` of its rows. They are asked for by the form of this id."""
    only = asked.get("file") in those
    paths = [asked["file"]] if only else list(those)[:SHOWN]
    number = asked.get("page", "1") if len(paths) == 1 else ""
    found = [DocumentDiff(path, *paged(Difference(*those[path]()), ROOM // len(paths), number)) for path in paths]
    return {"diffs": found, "more_diffs": len(those) - len(paths), "turns": form, "only": only}


def paged(whole: Difference, room: int, number: str = "") -> tuple[list[Block], Page[Any] | None]:
    """The blocks of a difference that so many bytes hold, or with `number` those of that page of all its rows, and the page. Only
    what is shown is made."""
    pages = _pages(whole, room)
    if number:
        page = Laid(pages, map(_count, pages)).get_page(number)
        return _blocks(_hunks(whole, page.object_list, room)), page
    first, *rest = pages
    hunks = _hunks(whole, first, room)
    if left := sum(map(_count, rest)):
        hunks[-1] = replace(hunks[-1], rows=(*hunks[-1].rows, DiffRow("more", None, None, (), count=left)))
    return _blocks(hunks), None


def _blocks(hunks: Iterable[Hunk]) -> list[Block]:
    """Hunks for both ways of showing them."""
    return [Block(hunk.folded, hunk.rows, _pairs(hunk)) for hunk in hunks]


def _pages(whole: Difference, room: int) -> list[list[Stretch | Hunk]]:
    """A difference as pages of so many bytes. Only lines that are longer than one are rows already: they take several."""
    pages, left = [list[Stretch | Hunk]()], room
    old, new = (list(accumulate(map(_weight, _encoded(lines)), initial=0)) for lines in (whole.before, whole.after))
    todo = whole.stretches[::-1]
    while todo:
        one = todo.pop()
        size = old[one.old.stop] - old[one.old.start]
        size += 0 if one.is_same else new[one.new.stop] - new[one.new.start]
        if size > left and max(len(one.old), len(one.new)) > 1 and (size > room // 2 or not (one.old and one.new)):
            todo += one.halves()[::-1]
            continue
        pieces = [(one, size)] if size <= room else _rows(whole, one, room // 3)
        for piece, taken in pieces:
            if taken > left and pages[-1]:
                pages.append([])
                left = room
            pages[-1].append(piece)
            left -= taken
    return pages


def _encoded(lines: Iterable[str]) -> list[bytes]:
    """Lines as they stand in a page's HTML; all at once, which is what a large file takes time for."""
    return escape("".join(lines)).encode("utf-8", "replace").split(b"\n")


def _weight(line: bytes) -> int:
    """The bytes of a line's row: of what changed as many are left to its marks as its text takes one way."""
    return ROW + 3 * len(line)


def _rows(whole: Difference, one: Stretch, most: int) -> Iterator[tuple[Hunk, int]]:
    """Long rows in pieces that take no more than that each."""
    folded = one.folded
    for row in whole.rows(one):
        for part in _parts(row, most):
            yield Hunk(folded, (part,)), _size(part)
            folded = 0


def _count(page: Iterable[Stretch | Hunk]) -> int:
    """How many rows a page has."""
    return sum(one.size if isinstance(one, Stretch) else len(one.rows) for one in page)


def _hunks(whole: Difference, page: Iterable[Stretch | Hunk], room: int) -> list[Hunk]:
    """The rows of a page, with as many marks as there is room for."""
    found: list[tuple[int, list[DiffRow]]] = []
    for one in page:
        if one.folded or not found:
            found.append((one.folded, []))
        found[-1][1].extend(one.rows if isinstance(one, Hunk) else whole.rows(one))
    left = room - sum(_size(_unmarked(row)) for _, rows in found for row in rows)
    hunks: list[Hunk] = []
    for folded, rows in found:
        for at, row in enumerate(rows):
            left -= _size(row) - _size(_unmarked(row))
            rows[at] = row if left >= 0 else _unmarked(row)
        hunks.append(Hunk(folded, tuple(rows)))
    return hunks


def _unmarked(row: DiffRow) -> DiffRow:
    return replace(row, spans=tuple(LinePiece(span.text, False) for span in row.spans))


def _parts(row: DiffRow, most: int) -> Iterator[DiffRow]:
    """A row in pieces that take no more than that each; no secret is parted."""
    text = "".join(span.text for span in row.spans)
    if len(text) < most // DEAREST or (size := _size(row)) <= most:
        yield row
        return
    ends = list(_ends(text, len(text) * most // size + 1))
    for at, spans in enumerate(_split(row.spans, ends)):
        numbered = row if at == 0 else replace(row, old=None, new=None)
        yield replace(numbered, spans=spans, note=row.note if at == len(ends) - 1 else "")


def _ends(text: str, length: int) -> Iterator[int]:
    """Where the pieces of a text end."""
    at = 0
    while at < len(text):
        near = text[at : at + 2 * length]
        at += place_to_cut(near, length) or len(near)
        yield at


def _split(spans: Iterable[LinePiece], ends: Sequence[int]) -> list[tuple[LinePiece, ...]]:
    """Spans in pieces that end there."""
    pieces, at = [list[LinePiece]() for _ in ends], 0
    for span in spans:
        start, end = at, at + len(span.text)
        while at < end:
            number = bisect_right(ends, at)
            upto = min(end, ends[number])
            pieces[number].append(LinePiece(span.text[at - start : upto - start], span.marked))
            at = upto
    return [tuple(piece) for piece in pieces]


def _size(row: DiffRow) -> int:
    """The bytes of a row, both ways together."""
    times = 3 if row.kind == "same" else 2
    return ROW + times * sum(
        len(escape(span.text).encode("utf-8", "replace")) + MARK * span.marked for span in row.spans
    )


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
