"""The words that changed in a document, for one line: what went, what came, and how many facts more."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from django.utils.translation import gettext as _

from memory.curation.documents import sides_as_text
from memory.domain.attributes import usual_status
from memory.domain.dialect import Dialect
from memory.text.markdown.entries import FactAt
from memory.text.markdown.lead import plain_text
from memory.text.merge.common_ends import same_end, same_start
from memory.text.merge.diff import DiffRow, LinePiece, diff, end_last_line
from memory.text.secrets import mask

LARGEST = 64 * 1024  # bytes of a version that is compared for a line
JSON = ".json"
LONGEST = 160  # characters of what went or came
AROUND = 60  # of what stayed on either side
_MARKS = re.compile(r"^(?:#{1,6}\s+)?(?:[-*+]\s+)?(?:\d{1,2}:\d{2}\s*(?:—|–|--|-)\s*)?")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Piece:
    """Words that went (`del`), came (`ins`), or stayed ("")."""

    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Changed:
    """The first fact that is another one now, and how many are beside it."""

    pieces: Sequence[Piece]
    more: int


def changed(dialect: Dialect, path: str, before: bytes, after: bytes) -> Changed | None:
    """What changed in a document; None where neither words did nor what no line shows. It says no secret."""
    old, new = map(end_last_line, sides_as_text(dialect, path, before, after))
    if old == new:
        return Changed([Piece(_("Only line endings or invisible bytes"))], 0) if before != after else None
    was, now = _apart(old, new)
    every = (row for hunk in diff(mask(was), mask(now), 0) for row in hunk.rows)
    rows = [row for row in every if row.kind in ("removed", "added") and _text(row).strip()]
    if not rows:
        return None
    if path.endswith(JSON) and any(facts := [dialect.facts(path, mask(text).encode()) for text in (old, new)]):
        return _in_json(dialect, *facts)
    gone, come = (_facts(dialect, path, rows, kind) for kind in ("removed", "added"))
    pieces = [] if _has_rows(dialect, path) else _reworded(rows)
    pieces = pieces or _whole(rows, gone, come)
    return Changed(_cut(pieces), max(len(gone), len(come), 1) - 1)


def _apart(old: str, new: str) -> tuple[str, str]:
    """Two texts without the lines that both begin and end with: no secret goes on from a line to the next."""
    was, now = old.encode(), new.encode()
    start = same_start(was, now)
    end = same_end(was, now, start)
    return was[start : len(was) - end].decode(), now[start : len(now) - end].decode()


def _in_json(dialect: Dialect, before: Sequence[FactAt], after: Sequence[FactAt]) -> Changed | None:
    """The facts of a file of JSON that are others now, or are forgotten; its lines say nothing by themselves."""
    statuses = dialect.attributes.statuses if dialect.attributes else {}
    for some in ({"", usual_status(dialect.attributes)}, {"", *statuses}):
        old, new = (Counter(fact.text for fact in facts if _status(fact) in some) for facts in (before, after))
        gone, come = list((old - new).elements()), list((new - old).elements())
        if gone or come:
            is_one = len(before) == len(after) == 1
            rows = [row for hunk in diff(before[0].text, after[0].text, 0) for row in hunk.rows] if is_one else []
            return Changed(_cut(_reworded(rows) or _whole(rows, gone, come)), max(len(gone), len(come)) - 1)
    return None


def _status(fact: FactAt) -> str:
    return fact.attributes.status if fact.attributes else ""


def line_of(text: str, longest: int | None = None) -> str:
    """A line, or the beginning of it, without what marks it as an item or an entry, and without its Markdown."""
    return plain_text(_MARKS.sub("", text.strip(), count=1).strip(), longest)


def _has_rows(dialect: Dialect, path: str) -> bool:
    place = dialect.describe(path)
    return place is not None and place.has_attributes


def _text(row: DiffRow) -> str:
    return "".join(span.text for span in row.spans)


def _facts(dialect: Dialect, path: str, rows: Sequence[DiffRow], kind: str) -> list[str]:
    """The facts among the lines that went, or came."""
    place = dialect.describe(path)
    text = "".join(_text(row).rstrip("\n") + "\n" for row in rows if row.kind == kind)
    return [fact.text for fact in dialect.facts(path, text.encode())] if place and place.holds_facts else []


def _whole(rows: Sequence[DiffRow], gone: Sequence[str], come: Sequence[str]) -> list[Piece]:
    """The first fact that went and the first that came, or else the first line."""
    found = [Piece(plain_text(some[0]), kind) for some, kind in ((gone, "del"), (come, "ins")) if some]
    return found[:2] or [Piece(line_of(_text(rows[0])), "del" if rows[0].kind == "removed" else "ins")]


def _reworded(rows: Sequence[DiffRow]) -> list[Piece]:
    """The first line of which some words are others now, as one; none if that is not what comes first."""
    first = next(pairwise(rows), None)
    if first is None or [row.kind for row in first] != ["removed", "added"]:
        return []
    if not _has_marks(first):
        return []
    was, now = (line_of(_text(row)) for row in first)
    said = [row for hunk in diff(was, now, 0) for row in hunk.rows]
    if _has_marks(said):
        return list(_merged(*(list(row.spans) for row in said)))
    pieces = list(_merged(*(list(row.spans) for row in first)))  # only its Markdown is another one
    return [replace(pieces[0], text=_MARKS.sub("", pieces[0].text, count=1)), *pieces[1:]]


def _has_marks(rows: Sequence[DiffRow]) -> bool:
    return any(span.marked for row in rows for span in row.spans)


def _merged(old: list[LinePiece], new: list[LinePiece]) -> Iterator[Piece]:
    """Two versions of a line as one: what stays stands in both."""
    while old or new:
        if old and old[0].marked:
            yield Piece(old.pop(0).text, "del")
        elif new and new[0].marked:
            yield Piece(new.pop(0).text, "ins")
        elif old and new:
            same = min(len(old[0].text), len(new[0].text))
            yield Piece(new[0].text[:same])
            for spans in (old, new):
                rest = spans.pop(0).text[same:]
                if rest:
                    spans.insert(0, LinePiece(rest, marked=False))
        else:
            yield Piece((old or new).pop(0).text)


def _cut(pieces: Sequence[Piece]) -> list[Piece]:
    """As much as one line has room for: what changed, and a little of what is around it."""
    flat = [replace(piece, text=_SPACE.sub(" ", piece.text)) for piece in pieces]
    last = len(flat) - 1
    return [_shortened(piece, at == 0, at == last) for at, piece in enumerate(flat) if piece.text]


def _shortened(piece: Piece, is_first: bool, is_last: bool) -> Piece:
    text = piece.text
    if piece.kind:
        return replace(piece, text=text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")
    if len(text) <= AROUND:
        return piece
    before, after = "" if is_first else text[: AROUND // 2], "" if is_last else text[-AROUND // 2 :]
    return replace(piece, text=f"{before}…{after}" if not (is_first and is_last) else text[:AROUND])
