"""The entries of a scope: the lines of its document as what the bot remembers, and as facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from memory.dialects.nanobot import lines
from memory.text.blocks import decode
from memory.text.entries import FactAt
from memory.text.keep import keepable
from memory.text.normal import key

REMEMBERED = 16  # documents: those that one message after the other is recalled from


@dataclass(frozen=True, slots=True)
class Entry:
    """One row, as far as recall and people ask. Times are as the bot writes them, "" if there is none."""

    path: str
    fact: FactAt
    id: str
    kind: str
    scope: str  # chat, user or global
    importance: float
    confidence: float
    source: str
    created: str
    updated: str
    expires: str
    sender: str

    @property
    def text(self) -> str:
        return self.fact.text

    def is_expired(self, now: str) -> bool:
        """Whether it is past its time at `now`, as the bot writes times."""
        return bool(self.expires) and self.expires < now


def entries(path: str, data: bytes) -> list[Entry]:
    """The entries of a scope's document, oldest first; a line that is no row of the bot's is passed over."""
    return list(_entries(path, data))


def of_facts(path: str, data: bytes, found: Iterable[FactAt]) -> list[Entry]:
    """The entries whose facts were read from these bytes already, which costs most of it."""
    rows = data.split(b"\n")
    return [_entry(path, fact, lines.loose(rows[fact.line - 1])) for fact in found]


@lru_cache(REMEMBERED)
def _entries(path: str, data: bytes) -> tuple[Entry, ...]:
    return tuple(_entry(path, fact, row) for fact, row in _read(data))


def _entry(path: str, fact: FactAt, row: Mapping[str, object]) -> Entry:
    return Entry(
        path=path,
        fact=fact,
        id=_text(row.get("id")),
        kind=_text(row.get("kind")),
        scope=_text(row.get("scope_type")),
        importance=_number(row.get("importance", row.get("salience"))),
        confidence=_number(row.get("confidence")),
        source=_text(row.get("source")),
        created=_text(row.get("created_at")),
        updated=_text(row.get("updated_at")),
        expires=_text(row.get("expires_at", row.get("valid_to"))),
        sender=_text(row.get("sender_id")),
    )


def facts(data: bytes) -> list[FactAt]:
    """The same as facts."""
    return [fact for fact, _ in _read(data)]


def _read(data: bytes) -> Iterator[tuple[FactAt, dict[str, object]]]:
    seen: Counter[str] = Counter()
    at = 0
    for number, raw in enumerate(data.split(b"\n"), 1):
        length = len(decode(raw))
        row = lines.loose(raw)
        content = keepable(_text(row.get("content")).strip())
        if content:
            name = key(content)
            heading = keepable(_text(row.get("kind")))
            yield FactAt(number, number, at, at + length, "", content, name, seen[name], heading), row
            seen[name] += 1
        at += length + 1


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
