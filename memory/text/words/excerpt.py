"""Where to cut a long text so that what was looked for is seen."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

LEAD = 60  # characters that are shown before the first mark, so that it stands in its sentence
WORD = 24  # characters within which a cut looks for the end of a word
_MARK = re.compile(r"\n *[-=]+ *$")  # of a list whose words are cut off: alone, it makes a heading of the line above
Span = tuple[int, int]


def window(text: str, marks: Sequence[Span], length: int, lines: int) -> Span:
    """[start, end) of the stretch that shows most marks: at most so many characters and lines. The beginning, if that shows
    as many. The marks are in order and none touches another."""
    start = _start(text, marks, length)
    end = min(start + length, len(text))
    if end < len(text) and (space := text.rfind(" ", end - WORD, end)) > start:
        end = space
    shown = "\n".join(text[start:end].split("\n", lines)[:lines])
    if start + len(shown) < len(text):
        shown = _MARK.sub("", shown)
    return start, start + len(shown)


def _start(text: str, marks: Sequence[Span], length: int) -> int:
    if len(text) <= length or not marks:
        return 0
    firsts, lasts = [first for first, _last in marks], [last for _first, last in marks]

    def seen(start: int) -> int:
        return max(bisect_right(lasts, start + length - WORD) - bisect_left(firsts, start), 0)

    starts = [0, *(max(0, first - LEAD) for first in firsts)]
    best = max(starts, key=lambda start: (seen(start), -start))
    space = text.find(" ", best, best + WORD)
    return space + 1 if best and space >= 0 else best
