"""HISTORY.md: what each consolidation told of a chat, one entry after the other, with a stamp, without brackets or with none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from memory.dialects.autobot.crystal import BLANKS
from memory.text.attributes import Attributes
from memory.text.markdown.blocks import decode, encode
from memory.text.markdown.entries import FactAt
from memory.text.markdown.normal import key
from memory.text.words.days import date_of

DATED, UNDATED = "dated", "undated"

_STAMP = re.compile(
    r"(\[)?([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[ T]([0-9]{2}:[0-9]{2})(?::[0-9]{2}Z?)?)?(?(1)\]|:)", re.ASCII
)
_FIRST = re.compile(r"\n[\[{0-9]")  # of a line that may begin an entry
_MARK = "\ufeff"  # what some editors put before a text
_BLANK = re.compile(r"\n(?:[ \t\r]*\n)+")
_BEFORE = re.compile(r"(?:[ \t\r]*\n)*")  # blank lines at the beginning


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: [start, end) with the blank lines below it, its text, and what its stamp says ("" for nothing)."""

    start: int
    end: int
    text: str
    day: str = ""
    time: str = ""


def entries(text: str) -> list[Entry]:
    """The entries in file order. One begins with a stamp, or with `{` behind a blank line: the bot stores an answer that is no text
    as JSON. A blank line alone ends none, since entries have such lines; before the first stamp it is all that tells."""
    starts = list(_starts(text))
    found = []
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        words = text[start:end].strip(BLANKS)
        if words:
            found.append(Entry(start, end, words, *_stamped(words)))
    return found


def facts(data: bytes) -> list[FactAt]:
    """The entries as facts, the stamp included; their times are UTC, as the messages are that they tell of."""
    text, seen, line, at = decode(data), Counter[str](), 1, 0
    found = []
    for one in entries(text):
        line += text.count("\n", at, one.start)
        at, name = one.start, key(one.text)
        last = line + text[one.start : one.end].rstrip().count("\n")
        found.append(
            FactAt(line, last, one.start, one.end, one.time, one.text, name, seen[name], attributes=_about(one))
        )
        seen[name] += 1
    return found


def appended(data: bytes | None, entry: str) -> bytes:
    """What one more entry adds to the file: the entry and a blank line. A last line that somebody left open is closed first; the
    bot would glue its entry to it."""
    end = decode((data or b"")[-4:]).replace("\r\n", "\n")
    gap = "" if not end or end.endswith("\n\n") else "\n" if end.endswith("\n") else "\n\n"
    return encode(f"{gap if entry.strip(BLANKS) else ''}{entry.rstrip(BLANKS)}\n\n")


def is_stamped(text: str) -> bool:
    """Whether an entry says itself of when it is."""
    return bool(_stamped(text)[0])


def stamp(at: datetime) -> str:
    """A moment as the bot asks its model for it."""
    return f"[{at.astimezone(UTC):%Y-%m-%d %H:%M}]"


def _starts(text: str) -> Iterator[int]:
    begin = _begin(text)
    lines = list(_beginnings(text, begin))
    first = next((at for at, has_stamp in lines if has_stamp), len(text))
    blanks = (found.end() for found in _BLANK.finditer(text, begin, first))
    yield from sorted({begin, *blanks, *(at for at, has_stamp in lines if at >= first)})


def _begin(text: str) -> int:
    """Where the first line stands that is not blank."""
    found = _BEFORE.match(text, len(_MARK) if text.startswith(_MARK) else 0)
    return found.end() if found else 0


def _beginnings(text: str, begin: int) -> Iterator[tuple[int, bool]]:
    """Where lines begin that begin an entry, and whether a stamp says so. One without brackets does behind a blank line only: any
    sentence may."""
    text = f"\n{text[begin:]}"
    for found in _FIRST.finditer(text):
        at, sign = found.start(), found[0][1]
        was_blank = not text[text.rfind("\n", 0, at) + 1 : at].strip(BLANKS)
        has_stamp = bool(_stamped(text, at + 1)[0]) and (was_blank or sign == "[")
        if has_stamp or (was_blank and sign == "{"):
            yield begin + at, has_stamp


def _stamped(text: str, at: int = 0) -> tuple[str, str]:
    """(day, clock) of a stamp at the beginning of a text, or of what begins there."""
    found = _STAMP.match(text, at)
    if found is None or not date_of(found[2]):
        return "", ""
    return found[2], found[3] or ""


def _about(one: Entry) -> Attributes:
    at = f"{one.day}T{one.time or '00:00'}:00+00:00" if one.day else ""
    return Attributes(kind=DATED if one.day else UNDATED, whose="history", created=at, updated=at)
