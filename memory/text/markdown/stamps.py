"""A log's fact as it reads away from its log: with the day of the log, and its clock as it was written there."""

from __future__ import annotations

import re

from memory.text.markdown import titles
from memory.text.markdown.blocks import HEADING, ITEM
from memory.text.markdown.entries import FactAt
from memory.text.markdown.normal import unstamped

_STAMP = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}(?: [0-9]{1,2}[:：][0-9]{2})?")

_IN_BRACKETS = re.compile(r"\[([0-9]{4}-[0-9]{2}-[0-9]{2})\] ")


def stamped(text: str, fact: FactAt, day: str) -> str:
    """What a fact of the log `text` of `day` says, with that day and its clock; `normal.key` is the same for both."""
    clock = _clock(text, fact) if fact.time else ""
    if not fact.text.startswith(day):
        return f"{day} {clock} — {fact.text}" if clock else f"{day} — {fact.text}"
    return f"[{day} {clock}]{fact.text[len(day) :]}" if clock else fact.text


def stamp(text: str) -> str:
    """The day before a fact that was moved out of its log, with its clock if it has one; "" before any other."""
    found = _STAMP.match(text.removeprefix("["))
    return found[0] if found and unstamped(text) != text else ""


def written_on(text: str) -> str:
    """The day before a fact, also in brackets as people and bots write it; "" before any other."""
    found = _IN_BRACKETS.match(text)
    return found[1] if found else stamp(text)[:10]


def _clock(text: str, fact: FactAt) -> str:
    """The clock of a fact as it is written, "" where it stands in its text."""
    line = text[fact.start : fact.end].partition("\n")[0]
    heading = HEADING.match(line)
    mark = heading or ITEM.match(line)
    title = (line[mark.end() :] if mark else line).strip()
    return titles.written_clock(title, leading_only=heading is None)
