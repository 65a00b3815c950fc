"""A file as byte-exact blocks: every character belongs to exactly one, also the ones we do not understand."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import accumulate

BOM = "\ufeff"
HEADING = re.compile(r"(#{1,6})(?![^ \t\r\n])")
ITEM = re.compile(r"( {0,3})([-*+•]|[0-9]{1,3}[.)])([ \t]+|\r*\Z)")
TIMED_LINE = re.compile(r"\[(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[ T])?[0-9]{1,2}[:：][0-9]{2}[^\]\n]{0,20}\]")

_ESCAPED_HEADING = re.compile(r"\\+#{1,6}(?![^ \t\r\n])")
_OWN_TIMED = re.compile(r"\\*## [0-9]{2}:[0-9]{2} — ")
_RULE = re.compile(r" {0,3}(?:-{3,}|\*{3,}|_{3,}|(?:\*[ \t]+){2,}\*|(?:_[ \t]+){2,}_)[ \t\r]*\Z")
_FENCE = re.compile(r"[ \t]*(?:(?:[-*+•]|[0-9]{1,3}[.)])[ \t]+)*(?:(`{3,})[^`]*|(~{3,}).*)\Z", re.DOTALL)
_CLOSER = re.compile(r"([ \t]*)(`{3,}|~{3,})[ \t\r]*\Z")
_DELIMITER_ROW = re.compile(r" {0,3}(?=[^|]*\|)\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t\r]*\Z")
_YAML_KEY = re.compile(r"[\"']?\w[^:]*:(?:[ \t]|\r*\Z)")


class BlockKind(StrEnum):
    """What a block is."""

    BOM = "bom"
    FRONT_MATTER = "front matter"
    HEADING = "heading"
    BULLET = "bullet"
    NUMBERED = "numbered"
    PARAGRAPH = "paragraph"
    FENCE = "fence"
    TABLE = "table"
    RULE = "rule"
    COMMENT = "comment"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class Block:
    """[start, end) of the text, lines from 1 with both ends included. `level`: of a heading, or spaces before a list item."""

    kind: BlockKind
    start: int
    end: int
    line: int
    end_line: int
    level: int = 0
    closed: bool = True  # False: a fence without its closing line


def decode(data: bytes) -> str:
    """The text of a file; what is not UTF-8 becomes lone surrogates, so that `encode` gives the same bytes."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes of a text that `decode` made, or of any text without lone surrogates."""
    return text.encode("utf-8", "surrogateescape")


def parse(text: str) -> list[Block]:
    """The blocks of a text in order; joined they are the text, whatever it is. Linear in its length."""
    return _Reading(text).blocks(head=True)


def parse_body(text: str) -> list[Block]:
    """The same for text that stands below a heading: no byte order mark, no front matter."""
    return _Reading(text).blocks(head=False)


def _blank(line: str) -> bool:
    return not line or line.isspace()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _fence_mark(line: str) -> str:
    found = _FENCE.match(line)
    return (found[1] or found[2]) if found else ""


def _closes(line: str, mark: str) -> bool:
    found = _CLOSER.match(line)
    return found is not None and found[2].startswith(mark)


def _opens(line: str) -> BlockKind:
    """What starts at a line that stands in nothing else. A comment may turn out to be none, if it never ends."""
    if _blank(line):
        return BlockKind.BLANK
    first = line[0]
    if first == "#":
        return BlockKind.HEADING if HEADING.match(line) else BlockKind.PARAGRAPH
    if first == "<":
        return BlockKind.COMMENT if line.startswith("<!--") else BlockKind.PARAGRAPH
    if first not in "`~ \t-*_+•0123456789":
        return BlockKind.PARAGRAPH
    if first in "`~" or (first in " \t" and line.lstrip(" \t")[:1] in ("`", "~")):
        return BlockKind.FENCE if _FENCE.match(line) else BlockKind.PARAGRAPH
    if _RULE.match(line):
        return BlockKind.RULE
    item = ITEM.match(line)
    if item is None:
        return BlockKind.PARAGRAPH
    return BlockKind.NUMBERED if item[2][0].isdigit() else BlockKind.BULLET


class _Reading:
    """One text while it is cut into blocks. What looks ahead is computed once, so that nothing is scanned twice."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")
        if not self.lines[-1]:
            self.lines.pop()
        self.count = len(self.lines)
        self._whole: dict[int, bool] = {}

    def blocks(self, head: bool) -> list[Block]:
        found: list[Block] = []
        starts = [0, *accumulate(len(line) + 1 for line in self.lines)]
        starts[-1] = len(self.text)
        at = 0
        if head and self.text.startswith(BOM):
            found.append(Block(BlockKind.BOM, 0, 1, 1, 1))
            self.lines[0] = self.lines[0][1:]
            starts[0] = 1
            if len(self.text) == 1:
                return found
        if head and (end := self._front_matter()):
            found.append(Block(BlockKind.FRONT_MATTER, starts[0], starts[end], 1, end))
            at = end
        while at < self.count:
            kind, end, level, closed = self._block(at)
            found.append(Block(kind, starts[at], starts[end], at + 1, end, level, closed))
            at = end
        return found

    def _block(self, at: int) -> tuple[BlockKind, int, int, bool]:
        line = self.lines[at]
        kind = _opens(line)
        if kind is BlockKind.BLANK:
            return kind, self._while(at, _blank), 0, True
        if kind is BlockKind.HEADING:
            return kind, at + 1, len(HEADING.match(line)[1]), True  # type: ignore[index]
        if kind is BlockKind.FENCE:
            end, closed = self._fence(at)
            return kind, end, _indent(line), closed
        if kind in (BlockKind.BULLET, BlockKind.NUMBERED):
            return kind, self._item(at), _indent(line), True
        if kind is BlockKind.COMMENT and (end := self._comment(at)):
            return kind, end, 0, True
        if kind is BlockKind.RULE:
            return kind, at + 1, 0, True
        if self._starts_table(at):
            return (
                BlockKind.TABLE,
                self._while(at + 2, lambda row: "|" in row and _opens(row) is BlockKind.PARAGRAPH),
                0,
                True,
            )
        end = at + 1
        while end < self.count and self._continues(end):
            end += 1
        return BlockKind.PARAGRAPH, end, 0, True

    def _while(self, at: int, holds: Callable[[str], bool]) -> int:
        while at < self.count and holds(self.lines[at]):
            at += 1
        return at

    def _continues(self, at: int) -> bool:
        """Whether a line goes on with the paragraph above it."""
        line = self.lines[at]
        kind = _opens(line)
        if kind is BlockKind.COMMENT:
            return not self._comment(at)
        if kind is BlockKind.NUMBERED:  # "… was born in\n1985. Later": only a list that begins at one interrupts
            return line.lstrip()[:2] not in ("1.", "1)")
        if kind is not BlockKind.PARAGRAPH:
            return False
        return not (line[0] == "\\" and _ESCAPED_HEADING.match(line)) and not self._starts_table(at)

    def _starts_table(self, at: int) -> bool:
        if at + 1 >= self.count or "|" not in self.lines[at]:
            return False
        return _DELIMITER_ROW.match(self.lines[at + 1]) is not None

    def _front_matter(self) -> int:
        """The line after the closing mark; 0 if this is none: it must close and look like a mapping inside."""
        if not self.lines or self.lines[0].rstrip() != "---":
            return 0
        keys = 0
        for at, line in enumerate(self.lines[1:], start=1):
            if line.rstrip() in ("---", "..."):
                return at + 1 if keys else 0
            if _blank(line) or line[0] in "# \t" or (keys and line.startswith("- ")):
                continue
            if not _YAML_KEY.match(line):
                return 0
            keys += 1
        return 0

    def _item(self, at: int) -> int:
        """The end of a list item with all that is nested in it: what is indented more, also below blank lines."""
        line = self.lines[at]
        indent = _indent(line)
        mark = _fence_mark(line)
        lazy = not mark and not _blank(ITEM.sub("", line, count=1))
        at += 1
        while at < self.count:
            line = self.lines[at]
            if _blank(line):
                below = self._while(at, _blank)
                if below == self.count or _indent(self.lines[below]) <= indent:
                    break
                at, lazy = below, False
                continue
            if mark and _closes(line, mark):
                mark, lazy = "", False
            elif _indent(line) > indent:
                if not mark:
                    mark = _fence_mark(line)
                    lazy = not mark
            elif not lazy or _opens(line) is BlockKind.NUMBERED or TIMED_LINE.match(line) or not self._continues(at):
                break
            at += 1
        return at

    def _fence(self, at: int) -> tuple[int, bool]:
        """Its end, and whether it was closed. An indented one belongs to a list, so a line at the margin ends it too."""
        mark = _fence_mark(self.lines[at])
        if self.lines[at][0] in " \t":
            end = at + 1
            while end < self.count:
                line = self.lines[end]
                if _closes(line, mark):
                    return end + 1, True
                if line[:1] not in ("", " ", "\t") and not _blank(line):
                    break
                end += 1
            return end, False
        closer = self._closer(at, mark)
        entry = self._own_timed_after(at)
        if closer and (closer < entry or not self._whole_entry(closer)):
            return closer + 1, True
        return entry, False

    def _closer(self, at: int, mark: str) -> int:
        """The line that closes the fence opened at `at`, 0 if none does."""
        lines, lengths, longest = self._closers[mark[0]]
        after = bisect_right(lines, at)
        if after == len(lines) or longest[after] < len(mark):
            return 0
        while lengths[after] < len(mark):
            after += 1
        return lines[after]

    @cached_property
    def _closers(self) -> dict[str, tuple[list[int], list[int], list[int]]]:
        """By fence character: lines that may close one, how long each is, and the longest from each on."""
        found: dict[str, tuple[list[int], list[int], list[int]]] = {"`": ([], [], []), "~": ([], [], [])}
        for at, line in enumerate(self.lines):
            if (
                ("```" in line or "~~~" in line)
                and (closer := _CLOSER.match(line))
                and closer[1] in ("", " ", "  ", "   ")
            ):
                lines, lengths, _ = found[closer[2][0]]
                lines.append(at)
                lengths.append(len(closer[2]))
        for _, lengths, longest in found.values():
            longest.extend(reversed(list(accumulate(reversed(lengths), max))))
        return found

    @cached_property
    def _own_timed(self) -> list[int]:
        """Lines that are a bot's own timed headings, or would be but for a backslash: escaping must change no block."""
        return [at for at, line in enumerate(self.lines) if line[:1] in ("#", "\\") and _OWN_TIMED.match(line)]

    def _own_timed_after(self, at: int) -> int:
        after = bisect_right(self._own_timed, at)
        return self._own_timed[after] if after < len(self._own_timed) else self.count

    def _whole_entry(self, at: int) -> bool:
        """Whether the entry around a line closes all fences that it opens, so that it owes none to the entry above."""
        start = self._own_timed[bisect_right(self._own_timed, at) - 1]
        if start not in self._whole:
            inside = parse_body("\n".join(self.lines[start + 1 : self._own_timed_after(start)]))
            self._whole[start] = all(block.closed or block.level for block in inside)
        return self._whole[start]

    def _comment(self, at: int) -> int:
        """The line after an HTML comment, 0 if it is not closed before the next entry."""
        ends = self._comment_ends
        after = bisect_right(ends, at - 1)
        while after < len(ends) and ends[after] == at and "-->" not in self.lines[at][4:]:
            after += 1
        if after == len(ends):
            return 0
        end = ends[after]
        if end == at and not _blank(self.lines[at].rpartition("-->")[2]):
            return 0  # text goes on behind it
        return 0 if self._own_timed_after(at) <= end else end + 1

    @cached_property
    def _comment_ends(self) -> list[int]:
        return [at for at, line in enumerate(self.lines) if "-->" in line]
