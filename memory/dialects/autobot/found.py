"""What a search of HISTORY.md finds: entries that hold all words, of a range of days, with the lines around them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memory.dialects.autobot.history import entries
from memory.text.markdown.blocks import decode
from memory.text.storable import keepable


@dataclass(frozen=True, slots=True)
class Hit:
    """One entry, from its first line on, and the lines before and behind it."""

    line: int
    day: str
    time: str
    text: str
    before: str = ""
    behind: str = ""


def found(data: bytes, words: str = "", since: str = "", until: str = "", around: int = 0) -> Iterator[Hit]:
    """The entries that hold each of the words, in whatever case, told of days from `since` to `until` (YYYY-MM-DD, both included;
    "" for no bound, and with one an entry without a stamp is none)."""
    text = keepable(decode(data))
    wanted, line, at = words.casefold().split(), 1, 0
    lines = text.split("\n") if around else []
    for one in entries(text):
        line += text.count("\n", at, one.start)
        at = one.start
        said = one.text.casefold()
        is_of = (not since or since <= one.day) and (not until or "" < one.day <= until)
        if is_of and all(word in said for word in wanted):
            last = line + one.text.count("\n")
            before, behind = _stretch(lines, line - 1 - around, line - 1), _stretch(lines, last, last + around)
            yield Hit(line, one.day, one.time, one.text, before, behind)


def _stretch(lines: list[str], start: int, end: int) -> str:
    return "\n".join(lines[max(start, 0) : end]).strip("\n")
