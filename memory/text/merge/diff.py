"""The differences between two texts, for showing: rows of lines in hunks, with the changed words marked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Literal, NamedTuple

from memory.text.merge.lines import Gap, gaps
from memory.text.sentences import say

MOST_ROWS = 2_000

_WORD = re.compile(r"[^\W\d_\u0e00-\u0eff\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]+|\d+|\s+|.", re.DOTALL)
_ALIKE = 0.4  # the share of their letters that two lines must have in common to be shown as one line changed
_MOST_PAIRINGS = 900  # comparing each removed line with each added one goes only this far
_LONGEST = 20_000  # letters; a longer line is shown as changed without marked words
_LONGEST_OF_MANY = 400  # the same where the changed lines together have more than _MANY letters
_MANY = 300_000
_UNENDED = "\\ No newline at end of file\n"  # as programs that apply a difference know it
_ENDS = {"": say("no line ending"), "\n": say("ends with LF"), "\r\n": say("ends with CR LF")}


class LinePiece(NamedTuple):
    """A piece of a line; `marked` where it is what changed in the line."""

    text: str
    marked: bool


@dataclass(frozen=True, slots=True)
class DiffRow:
    """One line. `old` and `new` are its numbers from 1, None where it does not stand. A line that was changed is a removed row
    and right behind it an added one, with marks. `note` says what the text cannot show: how the line ends.
    The last row of a difference that is too long is of kind `more`: `count` rows are not shown.
    """

    kind: Literal["same", "removed", "added", "more"]
    old: int | None
    new: int | None
    spans: tuple[LinePiece, ...]
    note: str = ""
    count: int = 0


@dataclass(frozen=True, slots=True)
class Hunk:
    """Rows that stand together. `folded` unchanged lines are left out before them; the last hunk may be nothing but those."""

    folded: int
    rows: tuple[DiffRow, ...]


SIGNS = {"same": " ", "removed": "-", "added": "+"}  # of a unified difference


def diff(old: str, new: str, context: int = 3, *, most_rows: int = MOST_ROWS) -> list[Hunk]:
    """What changed from `old` to `new`, by lines, with `context` unchanged lines around; nothing changed: no hunks."""
    whole, found = Difference(old, new, context), list[tuple[int, list[DiffRow]]]()
    room, left = most_rows, sum(one.size for one in whole.stretches)
    for one in whole.stretches:
        if one.folded or not found:
            found.append((one.folded, []))
        rows = list(islice(whole.rows(one), room))
        found[-1][1].extend(rows)
        room, left = room - len(rows), left - len(rows)
        if not room and left:
            found[-1][1].append(DiffRow("more", None, None, (), count=left))
            break
    return [Hunk(folded, tuple(rows)) for folded, rows in found]


class Stretch(NamedTuple):
    """Lines of both texts that are shown together, as rows that are not made yet: the same lines, or those that became others.
    `folded` unchanged lines are left out before them."""

    old: range
    new: range
    is_same: bool
    folded: int

    @property
    def size(self) -> int:
        return len(self.old) if self.is_same else len(self.old) + len(self.new)

    def halves(self) -> list[Stretch]:
        """The same lines in two; of lines that became others each half became the other's half."""
        old, new = len(self.old) // 2, len(self.new) // 2
        first = Stretch(self.old[:old], self.new[:new], self.is_same, self.folded)
        return [first, Stretch(self.old[old:], self.new[new:], self.is_same, 0)]


class Difference:
    """Two texts compared by lines. Which line became which, by which words, is told of the stretches that are asked for."""

    def __init__(self, old: str, new: str, context: int = 3) -> None:
        self.old, self.new, self._context = old, new, context
        self.before, self.after = _lines(old), _lines(new)
        self._changes = gaps(self.before, self.after)

    @property
    def counts(self) -> tuple[int, int]:
        """How many lines were removed, and how many added."""
        return sum(gap.hi - gap.lo for gap in self._changes), sum(gap.new_hi - gap.new_lo for gap in self._changes)

    @cached_property
    def stretches(self) -> list[Stretch]:
        """All that is shown, in order."""
        return list(_stretches(self._changes, self._context, len(self.before)))

    @cached_property
    def _longest(self) -> int:
        """Up to how many letters a changed line is looked into for the words that changed."""
        return _LONGEST if sum(len(line) for line in self._changed()) <= _MANY else _LONGEST_OF_MANY

    def _changed(self) -> Iterator[str]:
        for gap in self._changes:
            yield from self.before[gap.lo : gap.hi]
            yield from self.after[gap.new_lo : gap.new_hi]

    def rows(self, one: Stretch) -> Iterator[DiffRow]:
        """The rows of a stretch."""
        if one.is_same:
            return (_same(self.before, i, j) for i, j in zip(one.old, one.new, strict=True))
        gap = Gap(one.old.start, one.old.stop, one.new.start, one.new.stop)
        return _changed(self.before, self.after, gap, self._longest)


def end_last_line(text: str) -> str:
    """A text as an editor shows it, its last line ended as the others are: how it ends is then no difference of words."""
    return text if not text or text.endswith("\n") else text + "\n"


def match_entries(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """Which entry of one list became which of another, by their places, where both differ: the one that was alone in its place, and
    of several those that are most alike."""
    found = []
    for gap in gaps(old, new):
        was, now = old[gap.lo : gap.hi][:MOST_ROWS], new[gap.new_lo : gap.new_hi][:MOST_ROWS]
        pairs = [(0, 0)] if len(was) == len(now) == 1 else _pairs(was, now, _LONGEST_OF_MANY)
        found += [(gap.lo + i, gap.new_lo + j) for i, j in pairs]
    return found


def _lines(text: str) -> list[str]:
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _close(changes: Iterable[Gap], context: int) -> Iterator[list[Gap]]:
    """The changes, together where folding what is between them would hide one line at most."""
    close: list[Gap] = []
    for gap in changes:
        if close and gap.lo - close[-1].hi > 2 * context + 1:
            yield close
            close = []
        close.append(gap)
    if close:
        yield close


def _stretches(changes: Iterable[Gap], context: int, total: int) -> Iterator[Stretch]:
    shown = 0
    for close in _close(changes, context):
        lo, hi = max(close[0].lo - context, 0), min(close[-1].hi + context, total)
        folded = lo - shown
        for gap in close:
            if lo < gap.lo:
                yield _unchanged(lo, gap.lo, gap.new_lo - gap.lo, folded)
                folded = 0
            yield Stretch(range(gap.lo, gap.hi), range(gap.new_lo, gap.new_hi), False, folded)
            lo, folded = gap.hi, 0
        yield _unchanged(lo, hi, gap.new_hi - gap.hi, 0)
        shown = hi
    if 0 < shown < total:
        yield _unchanged(total, total, 0, total - shown)


def _unchanged(lo: int, hi: int, shift: int, folded: int) -> Stretch:
    return Stretch(range(lo, hi), range(lo + shift, hi + shift), True, folded)


def _same(before: list[str], old: int, new: int) -> DiffRow:
    return DiffRow("same", old + 1, new + 1, _plain(before[old]), _note(before[old]))


def _changed(before: list[str], after: list[str], gap: Gap, longest: int) -> Iterator[DiffRow]:
    """The rows of one changed place: what was removed, what was added, and between them each line that became another."""
    old, new = gap.lo, gap.new_lo
    pairs = _pairs(before[gap.lo : gap.hi][:MOST_ROWS], after[gap.new_lo : gap.new_hi][:MOST_ROWS], longest)
    for i, j in [*((gap.lo + i, gap.new_lo + j) for i, j in pairs), (gap.hi, gap.new_hi)]:
        yield from (DiffRow("removed", at + 1, None, _plain(before[at]), _note(before[at])) for at in range(old, i))
        yield from (DiffRow("added", None, at + 1, _plain(after[at]), _note(after[at])) for at in range(new, j))
        if i < gap.hi and j < gap.new_hi:
            yield from _pair(before[i], after[j], i, j)
        old, new = i + 1, j + 1


def _pair(was: str, now: str, old: int, new: int) -> Iterator[DiffRow]:
    was_spans, now_spans = _marked(_shown(was), _shown(now))
    ends_differ = _end(was) != _end(now)
    yield DiffRow("removed", old + 1, None, was_spans, _ENDS[_end(was)] if ends_differ else _note(was))
    yield DiffRow("added", None, new + 1, now_spans, _ENDS[_end(now)] if ends_differ else _note(now))


def _end(line: str) -> str:
    return "\r\n" if line.endswith("\r\n") else line[-1:] if line.endswith("\n") else ""


def _shown(line: str) -> str:
    return line.removesuffix(_end(line))


def _note(line: str) -> str:
    return "" if line.endswith("\n") else _ENDS[""]


def _plain(line: str) -> tuple[LinePiece, ...]:
    return (LinePiece(_shown(line), False),) if _shown(line) else ()


def _pairs(removed: list[str], added: list[str], longest: int) -> list[tuple[int, int]]:
    """Which removed line became which added one, in order: the choice by which the lines are most alike."""
    many = len(removed) * len(added) > _MOST_PAIRINGS or sum(map(len, removed)) + sum(map(len, added)) > _LONGEST
    if many:
        alike = (
            (i, _likeness(_weigh(a, longest), _weigh(b, longest)))
            for i, (a, b) in enumerate(zip(removed, added, strict=False))
        )
        return [(i, i) for i, likeness in alike if likeness >= _ALIKE]
    old, new = [_weigh(line, longest) for line in removed], [_weigh(line, longest) for line in added]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    likeness = [[_likeness(a, b) for b in new] for a in old]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            pair = likeness[i][j] + best[i + 1][j + 1] if likeness[i][j] >= _ALIKE else 0.0
            best[i][j] = max(pair, best[i + 1][j], best[i][j + 1])
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < len(old) and j < len(new) and best[i][j]:
        if likeness[i][j] >= _ALIKE and best[i][j] == likeness[i][j] + best[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _weigh(line: str, longest: int) -> tuple[str, Counter[str]]:
    """A line as shown, and how many letters each of its words has in all; a very long one is not looked into."""
    shown = _shown(line)
    words: Counter[str] = Counter()
    if len(shown) <= longest:
        for word in _WORD.findall(shown):
            if not word.isspace():
                words[word] += len(word)
    return shown, words


def _likeness(one: tuple[str, Counter[str]], two: tuple[str, Counter[str]]) -> float:
    """The share of letters in words that both lines have, from 0 to 1."""
    if one[0] == two[0]:
        return 1.0
    total = one[1].total() + two[1].total()
    return 2 * (one[1] & two[1]).total() / total if total else 0.0


def _marked(was: str, now: str) -> tuple[tuple[LinePiece, ...], tuple[LinePiece, ...]]:
    """Both lines in spans, the words that differ marked."""
    old, new = _WORD.findall(was), _WORD.findall(now)
    found = gaps(old, new)
    return _spans(old, [(gap.lo, gap.hi) for gap in found]), _spans(new, [(gap.new_lo, gap.new_hi) for gap in found])


def _spans(words: list[str], places: list[tuple[int, int]]) -> tuple[LinePiece, ...]:
    spans: list[LinePiece] = []
    done = 0
    for lo, hi in [place for place in places if place[0] < place[1]]:
        between = "".join(words[done:lo])
        if spans and between.isspace():  # one mark over neighbouring words reads better than one each
            spans[-1] = LinePiece(spans[-1].text + between + "".join(words[lo:hi]), True)
        else:
            spans += [LinePiece(between, False)] if between else []
            spans.append(LinePiece("".join(words[lo:hi]), True))
        done = hi
    rest = "".join(words[done:])
    return (*spans, LinePiece(rest, False)) if rest else tuple(spans)


def unified_diff(old: str, new: str) -> str:
    """The difference of two texts as programs read it."""
    return "".join(_unified(hunk) for hunk in diff(old, new))


def _unified(hunk: Hunk) -> str:
    if not hunk.rows:
        return ""
    old, new = ([getattr(row, side) for row in hunk.rows if getattr(row, side)] for side in ("old", "new"))
    head = f"@@ -{old[0] if old else 0},{len(old)} +{new[0] if new else 0},{len(new)} @@\n"
    return head + "".join(_line(row) for row in hunk.rows)


def _line(row: DiffRow) -> str:
    if row.kind == "more":
        return f"\\ {row.count} more lines\n"
    line = SIGNS[row.kind] + "".join(span.text for span in row.spans).rstrip("\n") + "\n"
    return line + _UNENDED if row.note == _ENDS[""] else line
