"""A log's fact as it reads away from its log: with the day of the log, and its clock as it was written there."""

from __future__ import annotations

from memory.text.markdown import titles
from memory.text.markdown.blocks import HEADING, ITEM
from memory.text.markdown.entries import FactAt


def stamped(text: str, fact: FactAt, day: str) -> str:
    """What a fact of the log `text` of `day` says, with that day and its clock; `normal.key` is the same for both."""
    clock = _clock(text, fact) if fact.time else ""
    if not fact.text.startswith(day):
        return f"{day} {clock} — {fact.text}" if clock else f"{day} — {fact.text}"
    return f"[{day} {clock}]{fact.text[len(day) :]}" if clock else fact.text


def _clock(text: str, fact: FactAt) -> str:
    """The clock of a fact as it is written, "" where it stands in its text."""
    line = text[fact.start : fact.end].partition("\n")[0]
    heading = HEADING.match(line)
    mark = heading or ITEM.match(line)
    title = (line[mark.end() :] if mark else line).strip()
    return titles.written_clock(title, leading_only=heading is None)
