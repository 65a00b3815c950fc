"""A line of the bot's items: read as leniently as the bot reads it, written as it writes it.

Lines end with a line feed and nothing else. What the bot cannot read, or would lose, is read as far as it goes and says why."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from memory.dialects.golemcore import java
from memory.dialects.shared.json_parts import exchanged, no_constant
from memory.text.sentences import say

KEYS = (
    *("id", "layer", "type", "title", "content", "tags", "source", "confidence", "salience", "ttlDays"),
    *("createdAt", "updatedAt", "lastAccessedAt", "references", "fingerprint"),
)
LAYERS = ("WORKING", "EPISODIC", "SEMANTIC", "PROCEDURAL")
TYPES = (*("DECISION", "CONSTRAINT", "FAILURE", "FIX", "PREFERENCE", "PROJECT_FACT", "TASK_STATE", "COMMAND_RESULT"),)
SOURCES = ("turn", "derived", "tool:memory")  # of what the bot writes by itself
NO_OBJECT = say("It isn’t a JSON object.")
NO_JSON = say("It isn’t valid JSON.")
BREAK = say("It contains a line break that the bot takes for the end of the line.")
MARKED = say("It begins with a byte order mark.")
BEHIND = say("The bot reads only the first object of a line and drops what follows.")

_ISO = re.compile(
    r"([+-]?[0-9]{4,10}-[0-9]{2}-[0-9]{2})T([0-9]{2}:[0-9]{2}:[0-9]{2})(?:[.,]([0-9]{0,9}))?(Z|[+-][0-9]{2}(?::?[0-9]{2})?)",
    re.IGNORECASE,
)
_DIGITS = 10  # of a number, about as many as Java takes for one
_EPOCH = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_ESCAPED = re.compile("[\x85\u2028\u2029\ud800-\udfff]")
_START = datetime(1970, 1, 1, tzinfo=UTC)

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Item:
    """One item as the bot understands it; None for what it does not say."""

    id: str | None = None
    layer: str | None = None
    type: str | None = None
    title: str | None = None
    content: str | None = None
    tags: tuple[str, ...] = ()
    source: str | None = None
    confidence: float | None = None
    salience: float | None = None
    ttl_days: int | None = None
    created: datetime | None = None
    updated: datetime | None = None
    accessed: datetime | None = None
    references: tuple[str, ...] = ()
    fingerprint: str | None = None

    @property
    def at(self) -> datetime | None:
        """When it was said last."""
        return self.updated or self.created

    @property
    def ends(self) -> datetime | None:
        """When its own time is over; None if it never is."""
        if self.ttl_days is None or self.created is None:
            return None
        try:
            return self.created + timedelta(days=self.ttl_days)
        except OverflowError:
            return None


@dataclass(frozen=True, slots=True)
class ItemLine:
    """A line of a file of items. `raw` is without its line feed; `number` counts from 1. `why` says what keeps the bot from reading
    it, `item` is what it says all the same; `unknown` are keys that the bot drops at its next rewrite."""

    number: int
    raw: bytes
    item: Item | None = None
    row: Row = field(default_factory=dict)
    why: str = ""
    unknown: tuple[str, ...] = ()

    @property
    def is_read(self) -> bool:
        """Whether the bot reads it."""
        return self.item is not None and not self.why


def lines(data: bytes) -> Iterator[ItemLine]:
    """The lines of a file, those that are blank to the bot aside."""
    for number, raw in enumerate(data.split(b"\n"), 1):
        if raw.strip(b" \t\r\x0b\x0c"):
            yield line(raw, number)


def read(data: bytes) -> list[Item]:
    """The items that the bot reads in a file."""
    return [one.item for one in lines(data) if one.item and one.is_read]


def are_own(before: bytes, after: bytes) -> bool:
    """Whether the lines that came are as the bot writes them, each said after all that stood there before."""
    last = max((item.updated for item in read(before) if item.updated), default=datetime.min.replace(tzinfo=UTC))
    known = set(before.split(b"\n"))
    new = [one for one in lines(after) if one.raw not in known]
    return bool(new) and all(_is_own(one) and one.item and one.item.updated and one.item.updated > last for one in new)


def _is_own(one: ItemLine) -> bool:
    return one.is_read and tuple(one.row) == KEYS and one.row["source"] in SOURCES


def line(raw: bytes, number: int = 1) -> ItemLine:
    """One line as far as it can be read."""
    text = raw.decode("utf-8", "replace")
    marked = number == 1 and text.startswith("\ufeff")
    try:
        row, rest = loads(text.removeprefix("\ufeff") if marked else text)
    except ValueError as error:
        return ItemLine(number, raw, why=str(error))
    try:
        item = _item(row)
    except ValueError as error:
        return ItemLine(number, raw, row=row, why=str(error))
    why = MARKED if marked else BREAK if java.breaks(text.removesuffix("\r")) else ""
    unknown = tuple(name for name in row if name not in KEYS)
    return ItemLine(number, raw, item, row, why or (BEHIND if rest.strip() else ""), unknown)


def loads(text: str) -> tuple[Row, str]:
    """The first object of a line, and what follows it. Raises ValueError with a sentence."""
    begun = text.lstrip(" \t\r\n")
    try:
        row, end = _DECODER.raw_decode(begun)
    except (ValueError, RecursionError):
        raise ValueError(NO_JSON) from None
    if not isinstance(row, dict):
        raise ValueError(NO_OBJECT)
    return row, begun[end:]


def dumps(row: Mapping[str, Any]) -> bytes:
    """An object as one line without its line feed."""
    return _value(row).encode()


def _value(value: object) -> str:
    """A value as JSON; what would break the line for the bot is escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _ESCAPED.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


def row_of(item: Item) -> Row:
    """An item as the bot writes it: every key, in its order."""
    values = (
        *(
            item.id,
            item.layer,
            item.type,
            item.title,
            item.content,
            list(item.tags),
            item.source,
            _number(item.confidence),
        ),
        *(_number(item.salience), item.ttl_days, stamp(item.created), stamp(item.updated), stamp(item.accessed)),
        *(list(item.references), item.fingerprint),
    )
    return dict(zip(KEYS, values, strict=True))


def with_item(old: ItemLine, item: Item) -> bytes:
    """A line that says this item: what says the same as before keeps its bytes, unknown keys and what stands behind the object
    too."""
    if old.item is None:
        return dumps(row_of(item))
    text = old.raw.decode("utf-8", "surrogateescape")
    said, before = row_of(item), row_of(old.item)
    new = {name: _value(value) for name, value in said.items() if value != before[name]}
    return exchanged(text, new, text.index("{")).encode("utf-8", "surrogateescape")


def stamp(at: datetime | None) -> str | None:
    """A moment as Java writes it: in UTC, with no, three or six digits of a second."""
    if at is None:
        return None
    text = at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0")
    if not at.microsecond:
        return f"{text}Z"
    return f"{text}.{at.microsecond // 1000:03}Z" if at.microsecond % 1000 == 0 else f"{text}.{at.microsecond:06}Z"


def fingerprint(kind: str | None, content: str) -> str:
    """What the bot tells items by."""
    return hashed(f"{kind or 'null'}|{java.normal(content)}")


def hashed(text: str) -> str:
    """The first twelve bytes of a text's SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:24]


_DECODER = json.JSONDecoder(parse_constant=no_constant)


def _item(row: Row) -> Item:
    """Raises ValueError with what the bot cannot read."""
    return Item(
        id=_text(row, "id"),
        layer=_one_of(row, "layer", LAYERS),
        type=_one_of(row, "type", TYPES),
        title=_text(row, "title"),
        content=_text(row, "content"),
        tags=_texts(row, "tags"),
        source=_text(row, "source"),
        confidence=_decimal(row, "confidence"),
        salience=_decimal(row, "salience"),
        ttl_days=_whole(row, "ttlDays"),
        created=_instant(row, "createdAt"),
        updated=_instant(row, "updatedAt"),
        accessed=_instant(row, "lastAccessedAt"),
        references=_texts(row, "references"),
        fingerprint=_text(row, "fingerprint"),
    )


def _wrong(name: str) -> ValueError:
    return ValueError(say("The bot can’t read its “%(name)s”.", name=name))


def _text(row: Row, name: str) -> str | None:
    return _as_text(row.get(name), name)


def _as_text(value: object, name: str) -> str | None:
    match value:
        case None | str():
            return value
        case bool():
            return "true" if value else "false"
        case int() | float():
            return json.dumps(value)
    raise _wrong(name)


def _texts(row: Row, name: str) -> tuple[str, ...]:
    value = row.get(name)
    if value is None:
        return ()
    if not isinstance(value, list):
        raise _wrong(name)
    return tuple(text for one in value if (text := _as_text(one, name)) is not None)


def _one_of(row: Row, name: str, known: tuple[str, ...]) -> str | None:
    value = row.get(name)
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(known):
        return known[value]
    word = java.trim(value) if isinstance(value, str) else ""
    if word in known:
        return word
    if word.isascii() and word.isdigit() and len(word) < _DIGITS and int(word) < len(known):
        return known[int(word)]
    raise ValueError(say("The bot doesn’t know the %(name)s “%(value)s”.", name=name, value=str(value)[:60]))


def _trimmed(row: Row, name: str) -> Any:
    """A value; a blank text is none."""
    value = row.get(name)
    return java.trim(value) or None if isinstance(value, str) else value


def _decimal(row: Row, name: str) -> float | None:
    value = _trimmed(row, name)
    try:
        return None if value is None else _as_float(value)
    except (ValueError, OverflowError, TypeError):
        raise _wrong(name) from None


def _as_float(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise TypeError(value)
    return float(value)


def _whole(row: Row, name: str) -> int | None:
    value = _trimmed(row, name)
    if value is None:
        return None
    try:
        found = int(_as_float(value)) if isinstance(value, float) else int(value)
    except (ValueError, OverflowError, TypeError):
        raise _wrong(name) from None
    if isinstance(value, bool) or not -(2**31) <= found < 2**31:
        raise _wrong(name)
    return found


def _instant(row: Row, name: str) -> datetime | None:
    value = row.get(name)
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    try:
        return moment(value)
    except (ValueError, OverflowError, TypeError):
        raise _wrong(name) from None


def moment(value: object) -> datetime:
    """A time of the bot's: ISO with seconds and an offset, or seconds since 1970. Raises ValueError, TypeError or OverflowError."""
    if isinstance(value, str):
        text = java.trim(value)
        if found := _ISO.fullmatch(text):
            fraction = (found[3] or "")[:6].ljust(6, "0")
            zone = found[4].upper().replace("Z", "+00:00")
            return datetime.fromisoformat(f"{found[1]}T{found[2]}.{fraction}{zone}").astimezone(UTC)
        if _EPOCH.fullmatch(text):
            value = float(text)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(value)
    return _START + timedelta(seconds=value)


def _number(value: float | None) -> float | str | None:
    """A score as JSON can say it; the bot writes what is no number as a text."""
    return (
        str(value).replace("nan", "NaN").replace("inf", "Infinity")
        if value is not None and not math.isfinite(value)
        else value
    )
