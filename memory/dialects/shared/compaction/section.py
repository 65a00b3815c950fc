"""The one section of MEMORY.md that compaction writes to: found again by later runs, extended at its end."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import zip_longest

from memory.text.markdown.blocks import BOM, Block, BlockKind, parse
from memory.text.markdown.entries import bullet

HEADING = "## Compacted memories"
ARCHIVE_HEADING = "# Archive"

_OURS = re.compile(r"##[ \t]+Compacted memories[ \t]*+(?:#++[ \t]*+)?\r?\n?")
_UNDERLINED = re.compile(r"\n {0,3}=+[ \t]*\r?\n?\Z")
_NOTHING = (BlockKind.BLANK, BlockKind.RULE)
_LIST_GOES_ON = (BlockKind.BULLET, BlockKind.NUMBERED, BlockKind.HEADING)


def extended(text: str, facts: Iterable[str]) -> str:
    """The text of a MEMORY.md with these facts as bullets in its section; the section is made at the end if it is missing.

    Only added to, never rewritten; new lines take the file's most frequent line end.
    """
    end = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    bullets = "".join(bullet(fact).rstrip("\n").replace("\r\n", "\n").replace("\n", end) + end for fact in facts)
    last = _last_block(text)
    if last is None:
        return _closed(text, end) + (end if text.strip(BOM) else "") + HEADING + end + bullets
    before = _closed(text[: last.end], end)
    return before + ("" if last.kind in _LIST_GOES_ON else end) + bullets + text[last.end :]


def overhead(text: str) -> int:
    """How many bytes the section itself takes that is to be made, at most."""
    return 0 if HEADING in text else len(HEADING) + 6


def archived(text: str, facts: Iterable[str]) -> str:
    """The text of an archive with these facts as bullets at its end."""
    end = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    bullets = "".join(bullet(fact).rstrip("\n").replace("\r\n", "\n").replace("\n", end) + end for fact in facts)
    blocks = [block for block in parse(text) if block.kind not in (BlockKind.BLANK, BlockKind.BOM)]
    if not blocks:
        return text.strip() + ARCHIVE_HEADING + end + end + bullets
    before = _closed(text[: blocks[-1].end], end)
    return (
        before
        + ("" if blocks[-1].kind in (BlockKind.BULLET, BlockKind.NUMBERED) else end)
        + bullets
        + text[blocks[-1].end :]
    )


def _closed(text: str, end: str) -> str:
    """The text with a line end after its last line."""
    return text + end if text.strip(BOM) and not text.endswith("\n") else text


def _last_block(text: str) -> Block | None:
    """The last block of our section that says something: the heading itself if nothing stands below it, None if there is
    no such section. Of several the last one counts."""
    found: Block | None = None
    inside = False
    blocks = parse(text)
    for block, after in zip_longest(blocks, blocks[1:]):
        if block.kind is BlockKind.HEADING and block.level <= 2:
            inside = _OURS.fullmatch(text, block.start, block.end) is not None
        elif inside and block.kind is BlockKind.PARAGRAPH and _is_title(text, block, after):
            inside = False
        if inside and block.kind not in _NOTHING:
            found = block
    return found


def _is_title(text: str, block: Block, after: Block | None) -> bool:
    """Whether a paragraph is a heading by the line drawn under it."""
    if _UNDERLINED.search(text, block.start, block.end):
        return True
    return after is not None and after.kind is BlockKind.RULE and text[after.start : after.end].strip().strip("-") == ""
