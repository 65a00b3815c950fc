"""A long text in parts that a page can show, each from one heading to another where that is possible."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import accumulate

from memory.text.byte_cache import byte_cached

WHOLE = 80 * 1024  # bytes as HTML; a text up to this is one part
MOST = 40 * 1024  # bytes as HTML of a part of a longer one
ROOM = 32 << 20  # bytes of texts whose parts are remembered: somebody turns the pages of each
_BLANK, _ANYWHERE = 7, 8  # what stands behind the six levels of headings as a place to cut
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*)")
_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")
_LONGEST_TITLE = 80


@dataclass(frozen=True, slots=True)
class TextPart:
    """[start, end) of a text, and the line it begins with. `title`: its first heading, "" without one."""

    start: int
    end: int
    line: int
    lines: int
    title: str


@byte_cached(ROOM, times=1)
def parts(text: str) -> tuple[TextPart, ...]:
    """The parts of a text whose line ends are `\\n`; joined they are the text. One that is short is one part."""
    lines = text.split("\n")
    sizes = [len(escape(line).encode("utf-8", "surrogatepass")) + 1 for line in lines]
    if sum(sizes) <= WHOLE:
        return (TextPart(0, len(text), 1, len(lines), ""),)
    levels, titles = _headings(lines)
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    starts[-1] = len(text)
    found: list[TextPart] = []
    for first, behind in _cuts(sizes, levels):
        title = next((titles[at] for at in range(first, behind) if titles[at]), "")
        found.extend(_pieces(text, TextPart(starts[first], starts[behind], first + 1, behind - first, title)))
    return tuple(found)


def part_of(found: tuple[TextPart, ...], at: int) -> int:
    """Which of the parts, from 0, holds a place in their text; the last one holds what is behind its end."""
    return next((number for number, part in enumerate(found) if at < part.end), len(found) - 1)


def part_with(found: tuple[TextPart, ...], line: int) -> int:
    """Which of the parts, from 0, holds a line."""
    return next((number for number, part in enumerate(found) if line < part.line + part.lines), len(found) - 1)


def put_back(text: str, start: int, end: int, typed: str) -> str:
    """A text with another one in the place [start, end). The line end of a part, and spaces before it, which editors lose, stay."""
    before = text[start:end]
    if _bare(typed) == _bare(before):
        typed = before
    elif end < len(text) and typed and before.endswith("\n") and not typed.endswith("\n"):
        typed += "\n"
    return text[:start] + typed + text[end:]


def _bare(text: str) -> str:
    return text.rstrip(" \t").removesuffix("\n").rstrip(" \t")


def _headings(lines: list[str]) -> tuple[list[int], list[str]]:
    """For each line how good a place to cut stands before it, and the heading it is. What stands in a fence is none."""
    levels, titles, fence = [_ANYWHERE] * len(lines), [""] * len(lines), ""
    for at, line in enumerate(lines):
        if mark := _FENCE.match(line):
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        elif not fence and (heading := _HEADING.match(line[:1000])):
            levels[at], titles[at] = len(heading[1]), _title(heading[2])
        elif at and not fence and not lines[at - 1].strip():
            levels[at] = _BLANK
    return levels, titles


def _title(line: str) -> str:
    return line.rstrip(" \t").rstrip("#").rstrip(" \t")[:_LONGEST_TITLE]


def _cuts(sizes: list[int], levels: list[int]) -> Iterator[tuple[int, int]]:
    """(first line, line behind the last) of each part: as full as the best place to cut in its second half allows."""
    first = 0
    sums = [0, *accumulate(sizes)]
    while first < len(sizes):
        behind = first + 1
        while behind < len(sizes) and sums[behind + 1] - sums[first] <= MOST:
            behind += 1
        if behind < len(sizes):
            half = [at for at in range(first + 1, behind + 1) if sums[at] - sums[first] >= MOST // 2]
            behind = min(half, key=lambda at: (levels[at], -at), default=behind)
        yield first, behind
        first = behind


def _pieces(text: str, part: TextPart) -> Iterator[TextPart]:
    """A part, or what it falls into if its one line is longer than a part may be."""
    at = part.start
    while part.lines == 1 and (size := _fitting(text, at, part.end)) < part.end - at:
        yield TextPart(at, at + size, part.line, 1, part.title)
        at += size
    yield TextPart(at, part.end, part.line, part.lines, part.title)


def _fitting(text: str, at: int, end: int) -> int:
    """How many characters from here fit into a part."""
    size = min(MOST, end - at)
    while len(escape(text[at : at + size]).encode("utf-8", "surrogatepass")) > MOST + 1:
        size = max(1, size // 2)
    return size
