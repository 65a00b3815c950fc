"""What a file of markdown says, one thing after the other: a list item, a paragraph, each short enough for an entry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory.dialects.nanobot import lines
from memory.text.markdown import titles
from memory.text.markdown.blocks import ITEM, TIMED_LINE, Block, BlockKind, parse
from memory.text.markdown.entries import memory_facts

SHORTEST, LONGEST = 12, 500  # characters of an entry

_SENTENCES = re.compile(r"(?<=[.!?\u2026]) |(?<=[\u3002\uff01\uff1f])(?=.)")
_UNREAD = (BlockKind.FENCE, BlockKind.TABLE)
_STAMPED = re.compile(r"\[(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}) UTC\] (.+)", re.DOTALL)  # a line of the bot's mirrors


@dataclass(frozen=True, slots=True)
class Note:
    """One thing: the number of its line, from 1; the time that it or its heading tells, "HH:MM" or, of the bot's own lines, with
    its date and seconds as UTC, "" for none; its text on one line, "" for a table or a block of code. `whole` is what it is a part
    of, if that was too long."""

    line: int
    time: str
    text: str
    whole: str

    @property
    def was_entry(self) -> bool:
        """Whether the bot wrote it into its mirrors, as it does with its entries."""
        return len(self.time) > len("HH:MM")


@dataclass(slots=True)
class _Above:
    """A heading that what follows stands under, and the time that it tells."""

    level: int
    time: str


def said(text: str, *, dated: bool) -> Iterator[Note]:
    """What a text says. Of notes on a day (`dated`) the times count, and a heading with one or with nothing below it says
    something itself. A text is longer than LONGEST only where it is a single sentence."""
    facts = {fact.start: fact for fact in memory_facts(text)}
    blocks = [block for block in parse(text) if block.kind is not BlockKind.BLANK]
    above: list[_Above] = []
    for at, block in enumerate(blocks):
        time = above[-1].time if above else ""
        if block.kind is BlockKind.HEADING and dated:
            below = blocks[at + 1] if at + 1 < len(blocks) else None
            yield from _heading(text, block, below, above)
        elif block.kind in _UNREAD:
            yield Note(block.line, time, "", "")
        elif fact := facts.get(block.start):
            for line, part in _items(fact.line, fact.text, timed=dated):
                own, words = _timed(part, dated=dated)
                yield from _parts(line, own or time, words)


def _heading(text: str, block: Block, below: Block | None, above: list[_Above]) -> Iterator[Note]:
    title = lines.collapsed(text[block.start : block.end].lstrip("#"))
    time, words = titles.time_and_words(title)
    while above and above[-1].level >= block.level:
        above.pop()
    above.append(_Above(block.level, time or (above[-1].time if above else "")))
    is_alone = below is None or (below.kind is BlockKind.HEADING and below.level <= block.level)
    tells = bool(time) and len(words) >= SHORTEST  # else it is a title
    if words and not titles.days_named(words) and (tells or (is_alone and (time or block.level > 1))):
        yield from _parts(block.line, above[-1].time, words)


def _items(first: int, text: str, *, timed: bool) -> Iterator[tuple[int, str]]:
    """A list item or paragraph as one text with its line, or as those of the items in it if it is too long or its lines tell
    times."""
    rows = text.split("\n")
    starts = [at for at, row in enumerate(rows) if at and timed and TIMED_LINE.match(row)]
    if not starts and len(lines.collapsed(text)) > LONGEST:
        starts = [at for at, row in enumerate(rows) if at and ITEM.match(row.lstrip())]
    for start, end in zip([0, *starts], [*starts, len(rows)], strict=True):
        part = "\n".join(rows[start:end]).strip()
        mark = ITEM.match(part) if start else None
        yield first + start, lines.collapsed(part[mark.end() :] if mark else part)


def _timed(text: str, *, dated: bool) -> tuple[str, str]:
    if stamp := _STAMPED.fullmatch(text):
        return stamp[1], stamp[2]
    if not dated:
        return "", text
    time, words = titles.time_and_words(text, leading_only=True)
    return (time, words) if words != text else ("", text)


def _parts(line: int, time: str, text: str) -> Iterator[Note]:
    if len(text) <= LONGEST:
        yield Note(line, time, text, text)
        return
    part = ""
    for sentence in _SENTENCES.split(text):
        if part and len(part) + 1 + len(sentence) > LONGEST:
            yield Note(line, time, part, text)
            part = ""
        part = f"{part} {sentence}" if part else sentence
    yield Note(line, time, part, text)
