"""One item, note or fact added, reworded or forgotten: one line changes, every other keeps its bytes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from memory.dialects.golemcore import items, java
from memory.dialects.golemcore.items import Item, ItemLine
from memory.dialects.golemcore.layout import Layer
from memory.dialects.shared.ids import id_of
from memory.domain.changes import Append, Delete, Put, digest
from memory.text.markdown.entries import FactAt
from memory.text.markdown.rewrite import tidy
from memory.text.sentences import say

BY_HAND = "tool:memory"  # the source that the bot notes of what its memory tool adds
TITLE = 96  # units
NOT_READABLE = say("The bot can’t read this line. Edit its file or forget the line. Nothing was changed.")


def add(layer: Layer, path: str, data: bytes | None, texts: Iterable[str], now: datetime) -> Append:
    """More items behind the last line. Raises ValueError with a sentence."""
    return appended(path, data, [items.dumps(items.row_of(new(layer, tidy(text), now))) for text in texts])


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
    return id_of(f"{layer}\n{kind}\n{content}\n{now.isoformat()}")


def weighed(item: Item, confidence: float, salience: float) -> Item:
    """The item with these scores."""
    return replace(item, confidence=confidence, salience=salience)


def edit(path: str, data: bytes, fact: FactAt, **values: Any) -> Put:
    """The file with this item saying other values; all else stays byte for byte. Raises ValueError."""
    item = changed(item_of(data, fact), **values)
    old = line_of(data, fact)
    return Put(path, replaced(data, {old.number: items.with_item(old, item)}), digest(data))


def changed(item: Item, **values: Any) -> Item:
    """The item with other values. Title and fingerprint follow where they were made of what it said."""
    before, after = item.content or "", replace(item, **values)
    if "title" not in values and item.title == java.cut(before, TITLE):
        after = replace(after, title=java.cut(after.content or "", TITLE))
    if item.fingerprint == items.fingerprint(item.type, before):
        after = replace(after, fingerprint=items.fingerprint(after.type, after.content or ""))
    return after


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


def item_of(data: bytes, fact: FactAt) -> Item:
    """The item that a fact is. Raises ValueError where nobody can read it."""
    item = line_of(data, fact).item
    if item is None:
        raise ValueError(NOT_READABLE)
    return item


def items_of(data: bytes, facts: Iterable[FactAt]) -> list[Item]:
    """The items that some facts of one file are. Raises ValueError where nobody can read one."""
    rows = data.split(b"\n")
    found = [items.line(rows[fact.line - 1], fact.line).item for fact in facts]
    if None in found:
        raise ValueError(NOT_READABLE)
    return [item for item in found if item is not None]


def line_of(data: bytes, fact: FactAt) -> ItemLine:
    """The line that a fact is."""
    return items.line(data.split(b"\n")[fact.line - 1], fact.line)
