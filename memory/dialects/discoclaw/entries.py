"""What the bot's files of JSON hold as facts: the items of a user, the summary of a conversation, what happened lately."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from memory.dialects.discoclaw import durable, layout, rolling, shortterm
from memory.dialects.discoclaw.durable import Malformed
from memory.dialects.shared.json_parts import members, parts
from memory.text.attributes import Attributes, instant
from memory.text.markdown.blocks import decode
from memory.text.markdown.entries import FactAt
from memory.text.markdown.normal import key
from memory.text.storable import keepable

USER = "user"  # whose the facts with attributes are


@dataclass(frozen=True, slots=True)
class _Found:
    """A text in a file, where it stands, and what is said of it."""

    start: int
    end: int
    text: str
    about: Attributes | None = None
    time: str = ""
    heading: str = ""


def facts(path: str, data: bytes) -> list[FactAt]:
    """The facts of a file of JSON, in its order; none of one that is malformed."""
    return [fact for fact in numbered(path, data) if fact is not None]


def numbered(path: str, data: bytes) -> list[FactAt | None]:
    """The same by the numbers of items and entries; None for one whose text is none."""
    try:
        return list(_facts(decode(data), list(_found(path, data))))
    except Malformed:
        return []


def _found(path: str, data: bytes) -> Iterator[_Found]:
    if path.startswith(f"{layout.DURABLE}/"):
        return _items(data)
    return _summary(data) if path.startswith(f"{layout.ROLLING}/") else _lately(data)


def _items(data: bytes) -> Iterator[_Found]:
    store, text = durable.read(data), decode(data)
    for item, part in zip(store["items"], parts(text, members(text)["items"].start), strict=True):
        told = item if isinstance(item, dict) else {}
        yield _Found(part.start, part.end, _text(told.get("text")), _attributes(told), heading=_origin(told))


def _summary(data: bytes) -> Iterator[_Found]:
    found = rolling.read(data)
    part = members(decode(data))["summary"]
    yield _Found(part.start, part.end, found["summary"])


def _lately(data: bytes) -> Iterator[_Found]:
    store, text = shortterm.read(data), decode(data)
    for entry, part in zip(store["entries"], parts(text, members(text)["entries"].start), strict=True):
        told = entry if isinstance(entry, dict) else {}
        at = _at(told.get("timestamp"))
        heading = f"#{keepable(_text(told.get('channelName')))}, {at[:10]}"
        yield _Found(part.start, part.end, _text(told.get("summary")), time=at[11:16], heading=heading)


def _facts(text: str, found: list[_Found]) -> Iterator[FactAt | None]:
    line, at, seen = 1, 0, Counter[str]()
    for one in found:
        line += text.count("\n", at, one.start)
        at = one.start
        words = keepable(one.text).strip()
        if not words:
            yield None
            continue
        name = key(words)
        end_line = line + text.count("\n", one.start, one.end)
        places = (line, end_line, one.start, one.end, one.time, words, name, seen[name])
        yield FactAt(*places, heading=one.heading, attributes=one.about)
        seen[name] += 1


def _attributes(item: dict[str, Any]) -> Attributes:
    source = item.get("source")
    return Attributes(
        id=_text(item.get("id")),
        kind=_text(item.get("kind")),
        whose=USER,
        source=_text(source.get("type")) if isinstance(source, dict) else "",
        status=_text(item.get("status")),
        created=_at(item.get("createdAt")),
        updated=_at(item.get("updatedAt")),
    )


def _origin(item: dict[str, Any]) -> str:
    """Of which kind an item is, and the channel that it comes from: by both it is found."""
    source = item.get("source")
    channel = _text(source.get("channelName")) if isinstance(source, dict) else ""
    return keepable(" ".join([_text(item.get("kind")), *([f"#{channel}"] if channel else [])]))


def _at(value: object) -> str:
    """A time of the bot's as attributes have it; "" for what is none."""
    try:
        return instant(durable.moment(value))
    except ValueError:
        return ""


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
