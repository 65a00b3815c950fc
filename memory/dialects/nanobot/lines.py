"""A row of the bot's table as one line of JSON, and back. One row has exactly one such line.

What only says that a row was read (`last_accessed_at`) and what follows from the rest (`content_norm`, `content_hash`) is not
in the line; neither is what the whole document shares (`workspace_id`, `scope_key`).
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from json.encoder import encode_basestring

from memory.dialects.shared.json_parts import object_in
from memory.text.sentences import say

# The columns of a line, in its order, and those that stand in it only if they say something else than this.
COLUMNS = (
    *("id", "kind", "content", "importance", "confidence", "created_at", "updated_at", "expires_at"),
    *("source", "source_role", "source_message_id", "channel", "chat_id", "sender_id", "scope_type", "meta_json"),
)
LEFT_OUT = {
    **dict.fromkeys(("expires_at", "source_role", "source_message_id", "channel", "chat_id", "sender_id"), None),
    "meta_json": "{}",
}
NEEDED = ("id", "kind", "content", "created_at", "updated_at", "source", "scope_type")
NUMBERS = ("importance", "confidence")
KINDS = ("preference", "decision", "fact", "episodic")

_KNOWN = frozenset(COLUMNS)
_NEVER = object()
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{6})?\+00:00")
_TIMES = ("created_at", "updated_at", "expires_at")
_BREAKS = str.maketrans({"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029", "\x7f": "\\u007f"})


def line(row: Mapping[str, object]) -> bytes:
    """A row as its line, with the line end. Columns that a newer bot added stand behind the known ones."""
    names = in_order(tuple(row))
    return writer(names)([row[name] for name in names])


@lru_cache(64)
def in_order(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names of columns as they stand in a line."""
    return (*(name for name in COLUMNS if name in names), *(name for name in names if name not in _KNOWN))


@lru_cache(64)
def writer(names: tuple[str, ...]) -> Callable[[Sequence[object]], bytes]:
    """What makes lines of rows that have these columns, in this order."""
    fields = [(f"{_encode(name)}: ", LEFT_OUT.get(name, _NEVER)) for name in names]

    def line_of(values: Sequence[object]) -> bytes:
        told = [
            before
            # an encoder takes several times as long
            + (encode_basestring(value) if type(value) is str else _said(value))
            for (before, unsaid), value in zip(fields, values, strict=True)
            if value != unsaid
        ]
        text = "{" + ", ".join(told) + "}"
        if not text.isascii() or "\x7f" in text:
            text = text.translate(_BREAKS)
        return text.encode("utf-8", "surrogateescape") + b"\n"

    return line_of


def loose(data: bytes) -> dict[str, object]:
    """What a line says, whichever bot's row it is; nothing if it is no row."""
    return object_in(data.decode("utf-8", "surrogateescape"))


def row(data: bytes) -> dict[str, object]:
    """The row that a line says. Raises ValueError, with what is wrong, if it is none."""
    found = loose(data)
    if not found:
        raise ValueError(say("it isn’t a JSON object"))
    for name in NEEDED:
        if not isinstance(found.get(name), str) or not found[name]:
            raise ValueError(say("“%(name)s” is missing or isn’t text", name=name))
    for name in NUMBERS:
        if not isinstance(found.get(name), int | float) or isinstance(found[name], bool):
            raise ValueError(say("“%(name)s” is missing or isn’t a number", name=name))
    return {**LEFT_OUT, **found}


def check(data: bytes) -> dict[str, object]:
    """The row of a line that is to be written. Raises ValueError, with what is wrong with it."""
    found = row(data)
    if unknown := sorted(set(found) - set(COLUMNS)):
        raise ValueError(say("the bot has no column “%(name)s”", name=unknown[0]))
    if found["kind"] not in KINDS:
        raise ValueError(say("“kind” must be one of %(listed)s", listed=", ".join(KINDS)))
    for name in _TIMES:
        value = found[name]
        if value is not None and not (isinstance(value, str) and _TIME.fullmatch(value)):
            raise ValueError(
                say("“%(name)s” must be a time in the bot’s format, such as 2026-01-31T09:30:00+00:00", name=name)
            )
    if any(isinstance(value, str) and not _is_text(value) for value in found.values()):
        raise ValueError(say("it contains bytes that aren’t text"))
    for name in ("source_role", "source_message_id", "channel", "chat_id", "sender_id", "meta_json"):
        if not isinstance(found[name], str | None):
            raise ValueError(say("“%(name)s” isn’t text", name=name))
    if line(found) != data:
        raise ValueError(say("it isn’t written the way Kenoweb writes rows"))
    return found


def split(data: bytes) -> Iterator[bytes]:
    """The lines of a document, each with its line end."""
    return (one + b"\n" for one in data.split(b"\n") if one)


def normal(content: str) -> str:
    """A content as the bot compares and indexes it."""
    return content.lower()


def content_hash(content: str) -> str:
    """What the bot tells equal contents by."""
    return hashlib.sha256(normal(content).encode("utf-8", "surrogateescape")).hexdigest()


def collapsed(text: str) -> str:
    """A text as the bot keeps it: each run of white space one space."""
    return " ".join(text.split())


def _is_text(value: str) -> bool:
    return not any("\ud800" <= sign <= "\udfff" for sign in value)


def _bytes(value: object) -> object:
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    raise TypeError(type(value).__name__)


def _said(value: object) -> str:
    return repr(value) if type(value) is float and math.isfinite(value) else _encode(value)


def quoted(text: str) -> str:
    """A text as JSON."""
    return json.dumps(text, ensure_ascii=False)


_encode = json.JSONEncoder(ensure_ascii=False, default=_bytes).encode
