"""What a search of HISTORY.md finds: entries that hold all words, of a range of days, with the lines around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory.dialects.autobot.history import entries
from memory.text.byte_cache import byte_cached
from memory.text.markdown.blocks import decode
from memory.text.storable import keepable

ROOM, TIMES = 32 << 20, 5  # bytes: of what was read last; what a history takes, read


@dataclass(frozen=True, slots=True)
class EntryMatch:
    """One entry, from its first line on, and the lines before and behind it."""

    line: int
    day: str
    time: str
    text: str
    before: str = ""
    behind: str = ""


def found(data: bytes, words: str = "", since: str = "", until: str = "") -> Sequence[EntryMatch]:
    """The entries that hold each of the words, in whatever case, told of days from `since` to `until` (YYYY-MM-DD, both included;
    "" for no bound, and with one an entry without a stamp is none)."""
    read, whole = _read(data)
    if any(word not in whole for word in words.casefold().split()):
        return []
    if since or until:
        first, last = since or "0", until or "~"
        read = [one for one in read if first <= one[0].day <= last]
    for word in words.casefold().split():
        read = [one for one in read if word in one[1]]
    return [hit for hit, _said in read]


def with_lines(data: bytes, hits: Sequence[EntryMatch], around: int) -> Sequence[EntryMatch]:
    """The same hits with so many lines before and behind each."""
    return [_between(_lines(data), hit, around) for hit in hits] if around else hits


@byte_cached(ROOM, TIMES)
def _read(data: bytes) -> tuple[Sequence[tuple[EntryMatch, str]], str]:
    """Every entry, with its text as it is compared; and all of that in one, where most words that are nowhere are not found."""
    text, line, at = _text(data), 1, 0
    read = []
    for one in entries(text):
        line += text.count("\n", at, one.start)
        at = one.start
        read.append((EntryMatch(line, one.day, one.time, one.text), one.text.casefold()))
    return read, "\n".join(said for _hit, said in read)


@byte_cached(ROOM, TIMES)
def _lines(data: bytes) -> Sequence[str]:
    return _text(data).split("\n")


def _text(data: bytes) -> str:
    return keepable(decode(data))


def _between(lines: Sequence[str], hit: EntryMatch, around: int) -> EntryMatch:
    last = hit.line + hit.text.count("\n")
    before, behind = lines[max(hit.line - 1 - around, 0) : hit.line - 1], lines[last : last + around]
    return replace(hit, before="\n".join(before).strip("\n"), behind="\n".join(behind).strip("\n"))
