"""A chat's transcript as Autobot's session manager reads and writes it: a line of metadata, then a JSON object a message.

One line that it can't read makes it load the whole file as empty, and its next save overwrites it. So every line stays as it is
here, whatever it says, and what is damaged is said by its number."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from memory.dialects.autobot.crystal import BLANKS, dumps, loads
from memory.domain.memory import Memory
from memory.text.byte_cache import byte_cached
from memory.text.markdown.blocks import decode, encode
from memory.text.sentences import say
from memory.text.words.days import moment_of

ROOM, TIMES = 32 << 20, 8  # bytes: of what was read last; what a transcript takes, read
NO_JSON = say("it isn’t valid JSON")
NO_OBJECT = say("it isn’t a JSON object")
NO_DATE = say("“created_at” isn’t a date with a time zone")
NO_METADATA = say("“metadata” isn’t an object")
NO_TOOLS = say("“tools_used” isn’t a list of texts")

_DATE = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})"
)
_TEXTS = ("role", "content", "timestamp")


@dataclass(frozen=True, slots=True)
class SessionMessage:
    """One message. `tools` None: the line has none; an empty list is written back as one."""

    role: str
    content: str
    timestamp: str
    tools: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class SessionLine:
    """One line with its end, from 1. `message` None: it is metadata, blank, or (`why`) damaged."""

    number: int
    raw: bytes
    message: SessionMessage | None = None
    is_metadata: bool = False
    why: str = ""


@dataclass(frozen=True)
class Session:
    """A transcript, line by line; its lines joined are the file."""

    lines: Sequence[SessionLine]

    @cached_property
    def messages(self) -> Sequence[SessionLine]:
        return [line for line in self.lines if line.message]

    @cached_property
    def damaged(self) -> Sequence[SessionLine]:
        """The lines for which the bot loads the whole file as empty."""
        return [line for line in self.lines if line.why]

    @property
    def damage(self) -> str:
        """What the first damaged line means, for people; "" if there is none."""
        if not self.damaged:
            return ""
        return say(
            "Line %(number)s is damaged: %(why)s. The bot loads this chat as empty, and its next save overwrites the file.",
            number=self.damaged[0].number,
            why=self.damaged[0].why,
        )

    @property
    def data(self) -> bytes:
        return b"".join(line.raw for line in self.lines)


@byte_cached(ROOM, TIMES)
def parse(data: bytes) -> Session:
    """A file's lines; only a line feed ends one."""
    parts = data.split(b"\n")
    raws = [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
    return Session([_line(number, raw) for number, raw in enumerate(raws, 1)])


def message(line: bytes) -> SessionMessage | None:
    """What one line says; None for one that is no message."""
    return _line(1, line).message


def without_first(session: Session, count: int, at: datetime) -> bytes:
    """The file without its first messages, saved `at`; all other lines stay, also those that nobody can read."""
    going = {line.number for line in session.messages[:count]}
    return b"".join(_saved(line, at) for line in session.lines if line.number not in going)


def joined(first: bytes, session: Session, at: datetime) -> bytes:
    """The file with these messages, which stood before all of its others, back in their place."""
    above = [line for line in session.lines if not line.message]
    cut = next((line.number for line in session.messages), len(session.lines) + 1)
    head = [_saved(line, at) for line in above if line.number < cut]
    tail = [_saved(line, at) for line in session.lines if line.number >= cut]
    return closed(b"".join(head)) + closed(first) + b"".join(tail)


def repaired(session: Session) -> bytes:
    """The file without its damaged lines, so that the bot can load the others. Of one that is sound but for a byte order mark the
    mark alone goes."""
    return b"".join(_sound(line) for line in session.lines)


def emptied(session: Session, at: datetime) -> bytes:
    """The file after `/reset`: its metadata."""
    kept = b"".join(_saved(line, at) for line in session.lines if line.is_metadata)
    return kept or metadata(at)


def metadata(at: datetime) -> bytes:
    """The first line of a new file."""
    now = stamp(at)
    return _as_line({"_type": "metadata", "created_at": now, "updated_at": now, "metadata": {}})


def said(told: SessionMessage) -> bytes:
    """A message as the bot writes it."""
    tools = {} if told.tools is None else {"tools_used": list(told.tools)}
    return _as_line({"role": told.role, "content": told.content, "timestamp": told.timestamp, **tools})


def stamp(at: datetime) -> str:
    """A moment as the bot writes it: UTC, in seconds."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def read(memory: Memory, path: str) -> Session:
    """The transcript at a path; an empty one where there is none. Raises Unreadable."""
    return parse(memory.read(path) or b"")


def _line(number: int, raw: bytes) -> SessionLine:
    text = decode(raw).strip(BLANKS)
    if not text:
        return SessionLine(number, raw)
    try:
        found = loads(text)
    except ValueError:
        return SessionLine(number, raw, why=NO_JSON)
    if not isinstance(found, dict):
        return SessionLine(number, raw, why=NO_OBJECT)
    if found.get("_type") == "metadata":
        return SessionLine(number, raw, is_metadata=True, why=_metadata_problem(found))
    why = _message_problem(found)
    return SessionLine(number, raw, why=why) if why else SessionLine(number, raw, _told(found))


def _metadata_problem(found: Mapping[str, Any]) -> str:
    at = found.get("created_at", "1970-01-01T00:00:00Z")
    if not isinstance(at, str) or not _is_date(at):
        return NO_DATE
    return "" if isinstance(found.get("metadata", {}), dict) else NO_METADATA


def _message_problem(found: Mapping[str, Any]) -> str:
    for name in _TEXTS:
        if not isinstance(found.get(name), str):
            return say("it has no text “%(name)s”", name=name)
    tools = found.get("tools_used")
    is_list = isinstance(tools, list) and all(isinstance(one, str) for one in tools)
    return "" if tools is None or is_list else NO_TOOLS


def _told(found: Mapping[str, Any]) -> SessionMessage:
    tools = found.get("tools_used")
    return SessionMessage(found["role"], found["content"], found["timestamp"], None if tools is None else tuple(tools))


def _is_date(text: str) -> bool:
    return _DATE.fullmatch(text) is not None and moment_of(text.upper()) is not None


def _sound(line: SessionLine) -> bytes:
    bare = line.raw.removeprefix(BOM_UTF8)
    return b"" if line.why and (bare == line.raw or _line(1, bare).why) else bare if line.why else line.raw


def _saved(line: SessionLine, at: datetime) -> bytes:
    """A line as a save leaves it: of the metadata the time of the save changes."""
    if not line.is_metadata or line.why:
        return line.raw
    found = loads(decode(line.raw).strip(BLANKS))
    return _as_line({**found, "updated_at": stamp(at)})


def closed(data: bytes) -> bytes:
    """Lines with an end behind the last."""
    return data + b"\n" if data and not data.endswith(b"\n") else data


def _as_line(found: Mapping[str, Any]) -> bytes:
    return encode(dumps(found) + "\n")
