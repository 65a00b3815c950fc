"""The items of a file as facts. A line that the bot cannot read is one too, so that nobody overlooks it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from datetime import datetime, tzinfo
from math import isfinite

from memory.dialects.golemcore import items, java
from memory.dialects.golemcore.items import Item, ItemLine
from memory.dialects.golemcore.layout import EPISODIC, Layer
from memory.text.attributes import Attributes, instant
from memory.text.markdown.blocks import decode
from memory.text.markdown.entries import FactAt
from memory.text.markdown.normal import key
from memory.text.storable import keepable

READ, LOST, BLANK = "read", "lost", "blank"  # how an item stands: read by the bot, not readable for it, without content


def facts(layer: Layer, data: bytes, zone: tzinfo | None = None) -> list[FactAt]:
    """The facts of a file of items, in its order; `zone` is the one that clock times are said in."""
    return list(facts_in(layer, data, items.lines(data), zone))


def facts_in(
    layer: Layer, data: bytes, lines: Iterable[ItemLine], zone: tzinfo | None = None, only: Container[int] | None = None
) -> Iterator[FactAt]:
    """The same of lines that were read already; `only` those of these numbers."""
    at, seen = _starts(data), Counter[str]()
    for line in lines:
        words = keepable(text_of(line)).strip()
        if not words:
            continue
        name, (start, end) = key(words), at[line.number - 1]
        if only is None or line.number in only:
            time = _clock(line.item, zone) if layer == EPISODIC else ""
            place = (line.number, line.number, start, end, time, words, name, seen[name])
            yield FactAt(*place, heading=_heading(line), attributes=_attributes(layer, line))
        seen[name] += 1


def text_of(line: ItemLine) -> str:
    """What a line says to people: its content, else its title, else itself."""
    told = (line.row.get("content"), line.row.get("title"))
    return next((text for text in told if isinstance(text, str) and not java.is_blank(text)), None) or decode(line.raw)


def status_of(line: ItemLine) -> str:
    """How the bot takes a line."""
    if line.item is None or not line.is_read:
        return LOST
    return BLANK if java.is_blank(line.item.content) else READ


def _starts(data: bytes) -> list[tuple[int, int]]:
    """Where each line of the text begins and ends."""
    found, at = [], 0
    for whole in decode(data).split("\n"):
        found.append((at, at + len(whole)))
        at += len(whole) + 1
    return found


def _attributes(layer: Layer, line: ItemLine) -> Attributes:
    item = line.item or Item()
    return Attributes(
        id=keepable(item.id or ""),
        kind=item.type or "",
        whose=layer,
        importance=_weight(item.salience),
        confidence=_weight(item.confidence),
        source=keepable(item.source or ""),
        status=status_of(line),
        tags=tuple(map(keepable, item.tags)),
        created=_instant(item.created),
        updated=_instant(item.at),
        expires=_instant(item.ends),
    )


def _heading(line: ItemLine) -> str:
    """By what an item is found besides its content."""
    return keepable(" ".join(_said(line.item))).strip() if line.item else ""


def _said(item: Item) -> Iterator[str]:
    title = item.title or ""
    if title and title != item.content and not (item.content or "").startswith(title.removesuffix("...")):
        yield title
    yield from (f"#{tag}" for tag in item.tags)


def _clock(item: Item | None, zone: tzinfo | None) -> str:
    at = item.created if item else None
    return f"{at.astimezone(zone):%H:%M}" if at else ""


def _instant(at: datetime | None) -> str:
    return instant(at) if at else ""


def _weight(value: float | None) -> float:
    return value if value is not None and isfinite(value) else 0.0
