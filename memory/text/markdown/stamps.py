"""A log's fact as it reads away from its log: with the day of the log, and its clock as it was written there."""

from __future__ import annotations

import re

from memory.text.markdown import titles
from memory.text.markdown.blocks import HEADING, ITEM
from memory.text.markdown.entries import FactAt
from memory.text.markdown.normal import unstamped_text

_STAMP = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}(?: [0-9]{1,2}[:：][0-9]{2})?")

# The day before what has a clock, which is left where it stands once the clock was read.
_OWN_DAY = re.compile(r"\[?([0-9]{4}-[0-9]{2}-[0-9]{2})(?: ([0-9]{2}:[0-9]{2})\]?:?)?\s+(?=\S)")

# A day that parts itself from what follows: `[2026-03-01]`, `**2026-03-01 10:17**`, `2026-03-01: …`.
_DATED = re.compile(
    r"[*_`\[(]{0,4}(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})(?:[ T][0-9]{1,2}[:：][0-9]{2}|[\])*_`:：,|]|\s*[—–]|\s+-\s)"
)


def stamped_text(text: str, fact: FactAt, day: str) -> str:
    """What a fact of the log `text` of `day` says, with its own day, else that of the log, and its clock; `normal.key` is the same
    for both."""
    clock = _clock(text, fact) if fact.time else ""
    own = titles.day_before_clock(_title(text, fact)) if clock else _dated(fact.text)
    lead = own or day
    if fact.text.startswith(lead):
        return f"[{lead} {clock}]{fact.text[len(lead) :]}" if clock else fact.text
    if clock:
        return f"{lead} {clock} — {fact.text}"
    return fact.text if own else f"{lead} — {fact.text}"


def stamp(text: str) -> str:
    """The day before a fact that was moved out of its log, with its clock if it has one; "" before any other."""
    found = _STAMP.match(text.removeprefix("["))
    return found[0] if found and unstamped_text(text) != text else ""


def leading_day(text: str) -> str:
    """The day before a fact, also as people and bots write it: `[2026-03-01] …`, `2026-03-01: …`; "" before any other."""
    return stamp(text)[:10] or _dated(text)


def text_below_day(text: str, day: str, time: str) -> str:
    """A fact as it reads below its day and beside its time: without those at its beginning."""
    found = _OWN_DAY.match(text) if day and time else None
    return text[found.end() :] if found and found[1] == day and found[2] in (None, time) else text


def _dated(text: str) -> str:
    """The day that a text begins with and sets apart, "" if it has none."""
    found = _DATED.match(text)
    return found["day"] if found and titles.days_named(found["day"]) else ""


def _title(text: str, fact: FactAt) -> str:
    """The first line of a fact without its mark."""
    line = text[fact.start : fact.end].partition("\n")[0]
    mark = HEADING.match(line) or ITEM.match(line)
    return (line[mark.end() :] if mark else line).strip()


def _clock(text: str, fact: FactAt) -> str:
    """The clock of a fact as it is written, "" where it stands in its text."""
    return titles.written_clock(_title(text, fact), leading_only=not HEADING.match(text, fact.start))
