"""One item, note or fact added, reworded or forgotten: one line changes, every other keeps its bytes."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from hashlib import sha256

from memory.dialects.golemcore import items, java
from memory.dialects.golemcore.items import Item, Line
from memory.dialects.golemcore.layout import Layer
from memory.domain.changes import Append, Delete, Put, digest
from memory.text.markdown.entries import FactAt
from memory.text.markdown.rewrite import tidy
from memory.text.sentences import say

BY_HAND = "tool:memory"  # the source that the bot notes of what its memory tool adds
TITLE = 96  # units
NOT_READABLE = say("The bot can’t read this line, so it can’t be reworded. Edit the whole file or forget the line.")


def add(layer: Layer, path: str, data: bytes | None, text: str, now: datetime) -> Append:
    """One more item behind the last line. Raises ValueError with a sentence."""
    return appended(path, data, [items.dumps(items.row_of(new(layer, tidy(text), now)))])


def appended(path: str, data: bytes | None, lines: Iterable[bytes]) -> Append:
    """These lines behind the last one, which is closed first: the bot reads only the first object of a line."""
    whole = b"".join(line + b"\n" for line in lines)
    return Append(path, whole if not data or data.endswith(b"\n") else b"\n" + whole)


def new(layer: Layer, content: str, now: datetime, kind: str = "PROJECT_FACT") -> Item:
    """An item as the bot's memory tool makes it of a text; the same text at the same moment is the same item."""
    return Item(
        id=own_id(layer, kind, content, now),
        layer=layer.upper(),
        type=kind,
        title=java.cut(content, TITLE),
        content=content,
        source=BY_HAND,
        confidence=0.85,
        salience=0.72,
        created=now,
        updated=now,
        fingerprint=items.fingerprint(kind, content),
    )


def own_id(layer: str, kind: str | None, content: str, now: datetime) -> str:
    """An id of the form that the bot makes at random."""
    told = f"{layer}\n{kind}\n{content}\n{now.isoformat()}".encode("utf-8", "surrogatepass")
    return str(uuid.UUID(bytes=sha256(told).digest()[:16], version=4))


def weighed(item: Item, confidence: float, salience: float) -> Item:
    """The item with these scores."""
    return replace(item, confidence=confidence, salience=salience)


def edit(path: str, data: bytes, fact: FactAt, text: str, now: datetime | None = None) -> Put:
    """The file with this item saying `text`: title and fingerprint follow where they were made of the content, scores, times and
    unknown keys stay. `now`: it counts as said then. Raises ValueError."""
    old = _line(data, fact)
    if old.item is None:
        raise ValueError(NOT_READABLE)
    return with_line(path, data, old, reworded(old.item, tidy(text), now))


def reworded(item: Item, content: str, now: datetime | None = None) -> Item:
    """The item with another content."""
    before = item.content or ""
    made_of_it = item.title is not None and item.title == java.cut(before, TITLE)
    known = item.fingerprint == items.fingerprint(item.type, before)
    return replace(
        item,
        content=content,
        title=java.cut(content, TITLE) if made_of_it else item.title,
        fingerprint=items.fingerprint(item.type, content) if known else item.fingerprint,
        updated=now or item.updated,
    )


def with_line(path: str, data: bytes, old: Line, item: Item) -> Put:
    """The file in which one line says this item."""
    return Put(path, replaced(data, {old.number: items.with_item(old, item)}), digest(data))


def replaced(data: bytes, lines: dict[int, bytes | None]) -> bytes:
    """A file with other lines in the place of some, by their numbers; None: without it."""
    rows = enumerate(data.split(b"\n"), 1)
    kept = (lines.get(number, raw) for number, raw in rows)
    return b"\n".join(raw for raw in kept if raw is not None)


def forget(path: str, data: bytes, facts: Iterable[FactAt]) -> Put | Delete:
    """The file without these lines; one of which nothing is left goes."""
    after = replaced(data, {fact.line: None for fact in facts})
    return Put(path, after, digest(data)) if after.strip() else Delete(path, digest(data))


def refused(before: bytes, after: bytes) -> str:
    """Why nobody may make this of a file of items: the bot could not read a line of it that is new. "" if they may."""
    known = {one.raw.strip() for one in items.lines(before)}
    for one in items.lines(after):
        if one.why and one.raw.strip() not in known:
            return say(
                "Line %(number)s: %(why)s The bot would ignore it. Nothing was saved.", number=one.number, why=one.why
            )
    return ""


def _line(data: bytes, fact: FactAt) -> Line:
    raw = data.split(b"\n")[fact.line - 1]
    return items.line(raw, fact.line)
