"""What in the form of a text makes a bot read it otherwise than it was meant, and the text without that."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from memory.text.markdown.blocks import BlockKind, parse
from memory.text.markdown.fences import end_fence, open_fence

_GLUED = re.compile(r"^#{2,6}(?!\d+\s)(?=[^\W_]|[*`\"“„«(\[])", re.MULTILINE)  # one # may be a tag, "##12" an issue


class Odd(StrEnum):
    """What is odd in a text."""

    FENCE = "fence"  # a code fence that is never closed
    HEADING = "heading"  # a heading without a space behind its signs


@dataclass(frozen=True, slots=True)
class Oddity:
    """The first of its sort: its line, from 1, and what stands there."""

    odd: Odd
    line: int
    text: str


def oddities(text: str) -> list[Oddity]:
    """The first of each sort in a text."""
    found = []
    if fence := open_fence(text):
        found.append(Oddity(Odd.FENCE, fence.line, _line(text, fence.start)))
    if (at := _glued_heading(text)) is not None:
        found.append(Oddity(Odd.HEADING, text.count("\n", 0, at) + 1, _line(text, at)))
    return found


def mend_oddity(text: str, odd: Odd) -> str:
    """The text without the first oddity of a sort; the same text if it has none."""
    if odd is Odd.FENCE:
        fence = open_fence(text)
        return end_fence(text, fence) if fence else text
    at = _glued_heading(text)
    if at is None:
        return text
    end = at + len(text[at:]) - len(text[at:].lstrip("#"))
    return f"{text[:end]} {text[end:]}"


def _glued_heading(text: str) -> int | None:
    """Where the first heading begins that has no space behind its signs; None if there is none outside of code."""
    if not _GLUED.search(text):
        return None
    prose = (block for block in parse(text) if block.kind is BlockKind.PARAGRAPH)
    return next((found.start() for block in prose if (found := _GLUED.search(text, block.start, block.end))), None)


def _line(text: str, at: int) -> str:
    return text[at:].partition("\n")[0].rstrip("\r")
