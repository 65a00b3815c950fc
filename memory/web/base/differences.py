"""Differences between two texts for reading: one below the other, and side by side."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import accumulate
from sys import maxsize
from typing import Any

from django.core.paginator import Page

from memory.text.merge.diff import DiffRow, Hunk, Span, diff
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
    return _laid(_first(_pages(diff(old, new), room)))


def turned(
    those: Mapping[str, Callable[[], tuple[str, str]]], asked: Mapping[str, str], form: str
) -> dict[str, object]:
    """What a page tells of the differences that an act would make in documents, each given by what makes its texts: those of the
    first, or the `file` that is asked for alone, a `page` of its rows. They are asked for by the form of this id."""
    only = asked.get("file") in those
    paths = [asked["file"]] if only else list(those)[:SHOWN]
    number = asked.get("page", "1") if len(paths) == 1 else ""
    found = [DocumentDiff(path, *paged(*those[path](), ROOM // len(paths), number)) for path in paths]
    return {"diffs": found, "more_diffs": len(those) - len(paths), "turns": form, "only": only}


def paged(old: str, new: str, room: int, number: str) -> tuple[list[Block], Page[Any] | None]:
    """The same, or with `number` that page of all its rows, as one may turn them."""
    if not number:
        return blocks(old, new, room), None
    pages = _pages(diff(old, new, most_rows=maxsize), room)
    page = Laid(pages, [sum(len(hunk.rows) for hunk in page) for page in pages]).get_page(number)
    return _laid(page.object_list), page


def _laid(hunks: Iterable[Hunk]) -> list[Block]:
    """Hunks for both ways of showing them."""
    return [Block(hunk.folded, hunk.rows, _pairs(hunk)) for hunk in hunks]


def _pages(hunks: Iterable[Hunk], room: int) -> list[list[Hunk]]:
    """The same rows, as many together as there is room for; a long one takes several."""
    pages, left = [list[Hunk]()], room
    for hunk in hunks:
        rows = [part for row in hunk.rows for part in _parts(row, room // 3)]
        sums, folded, start = [0, *accumulate(map(_size, rows))], hunk.folded, 0
        while (fits := bisect_right(sums, sums[start] + left) - 1) < len(rows):
            end = fits if pages[-1] else max(fits, start + 1)
            if end > start:
                pages[-1].append(Hunk(folded, tuple(rows[start:end])))
                folded, start = 0, end
            pages.append([])
            left = room
        pages[-1].append(Hunk(folded, tuple(rows[start:])))
        left -= sums[-1] - sums[start]
    return pages


def _first(pages: Sequence[Sequence[Hunk]]) -> Sequence[Hunk]:
    """The first page; its last row says how many are left out."""
    left = sum(row.count or 1 for page in pages[1:] for hunk in page for row in hunk.rows)
    if not left:
        return pages[0]
    *kept, last = pages[0]
    return [*kept, replace(last, rows=(*last.rows, DiffRow("more", None, None, (), count=left)))]


def _parts(row: DiffRow, most: int) -> Iterator[DiffRow]:
    """A row in pieces that take no more than that each; no secret is parted."""
    text = _text(row)
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


def _split(spans: Iterable[Span], ends: Sequence[int]) -> list[tuple[Span, ...]]:
    """Spans in pieces that end there."""
    pieces, at = [list[Span]() for _ in ends], 0
    for span in spans:
        start, end = at, at + len(span.text)
        while at < end:
            number = bisect_right(ends, at)
            upto = min(end, ends[number])
            pieces[number].append(Span(span.text[at - start : upto - start], span.marked))
            at = upto
    return [tuple(piece) for piece in pieces]


def _text(row: DiffRow) -> str:
    return "".join(span.text for span in row.spans)


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
