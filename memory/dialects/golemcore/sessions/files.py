"""A session's file by its name: which of the two forms it has, and what a change makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from memory.dialects.golemcore.sessions import json_file, proto_file
from memory.dialects.golemcore.sessions.record import Session, Unread, WrittenLine

JSON, PROTO = ".json", ".pb"


class _Form(Protocol):
    """What a module of one form has."""

    def read(self, data: bytes, name: str) -> Session: ...

    def written(self, data: bytes, lines: Sequence[WrittenLine], at: datetime | None) -> bytes: ...

    def new(self, session: Session) -> bytes: ...


def read(path: str, data: bytes) -> Session:
    """What a session's file says. Raises Unread."""
    return _form(path).read(data, name_of(path))


def read_any(data: bytes) -> Session:
    """The same of a file whose name is not known: what is no JSON is the other form. Raises Unread."""
    try:
        return json_file.read(data, "")
    except Unread:
        return proto_file.read(data, "")


def written(path: str, data: bytes, lines: Sequence[WrittenLine], at: datetime | None = None) -> bytes:
    """The file with these messages, saved `at` (None: its time stays). Raises Unread."""
    read(path, data)
    return _form(path).written(data, lines, at)


def new(path: str, session: Session) -> bytes:
    """A session without messages, as the bot begins one."""
    return _form(path).new(session)


def name_of(path: str) -> str:
    """The session that a file is named after: its directories below `sessions` belong to the name."""
    below = path.partition("sessions/")[2] or path
    return below.removesuffix(JSON).removesuffix(PROTO).replace("/", ":")


def is_proto(path: str) -> bool:
    """Whether it has the form that a running bot writes."""
    return path.endswith(PROTO)


def _form(path: str) -> _Form:
    return proto_file if is_proto(path) else json_file
