"""The entries of a scope: the lines of its document as what the bot remembers, and as facts."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memory.dialects.nanobot import lines
from memory.text.attributes import Attributes
from memory.text.byte_cache import ByteCache, byte_cached
from memory.text.markdown.blocks import decode
from memory.text.markdown.entries import FactAt
from memory.text.markdown.normal import key
from memory.text.merge.common_ends import same_start
from memory.text.storable import keepable

LONG = 64 * 1024  # bytes of a document of which more than one version may be read
ROOM, TIMES = 96 << 20, 4  # bytes of documents as entries that are kept, and how much they are of one


@dataclass(frozen=True, slots=True)
class Entry:
    """One row: its fact, and what it says about it."""

    path: str
    fact: FactAt
    about: Attributes

    @property
    def text(self) -> str:
        return self.fact.text

    @property
    def id(self) -> str:
        return self.about.id

    @property
    def kind(self) -> str:
        return self.about.kind

    @property
    def importance(self) -> float:
        return self.about.importance

    @property
    def updated(self) -> str:
        return self.about.updated

    @property
    def expires(self) -> str:
        return self.about.expires


def entries(path: str, data: bytes) -> Sequence[Entry]:
    """The entries of a scope's document, oldest first; a line that is no row of the bot's is passed over."""
    return _read(path, data)


def facts(path: str, data: bytes) -> list[FactAt]:
    """The same as facts."""
    found = _read(path, data) if len(data) > LONG else _behind(path, data, 1, 0, Counter())
    return [entry.fact for entry in found]


@byte_cached(ROOM, TIMES)
def _read(path: str, data: bytes) -> tuple[Entry, ...]:
    """What stands behind the lines that this version begins with as the last one of this name did is read alone: an entry follows
    from its line and those before it."""
    before, known = _last.get(path) or (b"", ())
    start = same_start(before, data) if before else 0
    number = data.count(b"\n", 0, start)
    kept = known[: bisect_right(known, number, key=lambda entry: entry.fact.line)]
    seen = Counter(entry.fact.key for entry in kept)
    found = (*kept, *_behind(path, data[start:], number + 1, len(decode(data[:start])), seen))
    if len(data) > LONG:
        _last.put(path, (data, found), TIMES * len(data))
    return found


_last: ByteCache[str, tuple[bytes, tuple[Entry, ...]]] = ByteCache(ROOM)


def _behind(path: str, data: bytes, first: int, at: int, seen: Counter[str]) -> Iterator[Entry]:
    """The entries of some lines, the first of which has this number and stands at this place of the text; `seen` are the keys of
    those before."""
    for number, raw in enumerate(data.split(b"\n"), first):
        length = len(decode(raw))
        row = lines.loose(raw)
        content = keepable(_text(row.get("content")).strip())
        if content:
            name = key(content)
            about = _attributes(row)
            fact = FactAt(number, number, at, at + length, "", content, name, seen[name], keepable(about.kind), about)
            yield Entry(path, fact, about)
            seen[name] += 1
        at += length + 1


def _attributes(row: Mapping[str, object]) -> Attributes:
    return Attributes(
        id=_text(row.get("id")),
        kind=_text(row.get("kind")),
        whose=_text(row.get("scope_type")),
        importance=_number(row.get("importance", row.get("salience"))),
        confidence=_number(row.get("confidence")),
        source=_text(row.get("source")),
        created=_text(row.get("created_at")),
        updated=_text(row.get("updated_at")),
        expires=_text(row.get("expires_at", row.get("valid_to"))),
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
