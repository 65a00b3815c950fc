"""A session as protobuf, the form that a running bot writes: read by the numbers of its fields, changed field by field."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from google.protobuf.message import DecodeError

from memory.dialects.golemcore.sessions import wire
from memory.dialects.golemcore.sessions.record import (
    STATES,
    Session,
    SessionMessage,
    ToolCall,
    Unread,
    WrittenLine,
    named,
)
from memory.dialects.golemcore.sessions.schema import (
    CALL_ID,
    CALLS,
    CONTENT,
    KIND,
    MESSAGE,
    MESSAGES,
    ROLE,
    SESSION,
    TIMESTAMP,
    TOOL,
    UPDATED,
)
from memory.text.sentences import say
from memory.text.utf16 import well_formed

BROKEN = say("It isn’t a GolemCore session, or only part of one. The bot takes it for a new chat and overwrites it.")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def read(data: bytes, name: str) -> Session:
    """What a file says, whose name without the ending tells what it leaves out. Raises Unread."""
    try:
        found = SESSION.FromString(data)
    except DecodeError:
        raise Unread(BROKEN) from None
    whole, channel, chat = named(found.id or name)
    return Session(
        whole,
        found.channel_type.strip() or channel,
        found.chat_id.strip() or chat,
        tuple(_told(one) for one in found.messages),
        STATES[found.state - 1] if 0 < found.state <= len(STATES) else STATES[0],
        _instant(found, "created_at"),
        _instant(found, "updated_at"),
    )


def written(data: bytes, lines: Sequence[WrittenLine], at: datetime | None) -> bytes:
    """The file with these messages, saved `at` (None: its time stays); every other byte stays."""
    had = wire.values(data, MESSAGES)
    if [line.source for line in lines] != list(range(len(had))) or any(line.text is not None for line in lines):
        data = wire.exchanged(data, MESSAGES, [_written(line, had) for line in lines])
    return wire.exchanged(data, UPDATED, [_stamp(at)]) if at else data


def new(session: Session) -> bytes:
    """A session without messages, as the bot begins one."""
    made = SESSION(id=session.id, channel_type=session.channel, chat_id=session.chat, state=1)
    data: bytes = made.SerializeToString()
    for number, at in ((7, session.created), (UPDATED, session.updated)):
        data = wire.exchanged(data, number, [_stamp(datetime.fromisoformat(at))]) if at else data
    return data


def _written(line: WrittenLine, had: Sequence[bytes]) -> bytes:
    if line.source is None:
        return _new(line.told)
    data = had[line.source]
    if line.text is None:
        return data
    data = wire.exchanged(data, ROLE, [b"assistant"])
    for number in (CALLS, CALL_ID, TOOL):
        data = wire.exchanged(data, number, [])
    return wire.exchanged(data, CONTENT, [well_formed(line.text).encode()] if line.text.strip() else [])


def _new(told: SessionMessage) -> bytes:
    text = well_formed(told.content) if told.content.strip() else ""
    about = {"channel_type": told.channel, "chat_id": told.chat, "sender_id": told.sender}
    made = MESSAGE(id=told.id, role=told.role, content=text, **{name: well_formed(one) for name, one in about.items()})
    data: bytes = made.SerializeToString()
    return wire.exchanged(data, 11, [_stamp(datetime.fromisoformat(told.at))]) if told.at else data


def _told(found: Any) -> SessionMessage:
    return SessionMessage(
        found.role.strip(),
        _said(found.content),
        _instant(found, "timestamp"),
        tuple(ToolCall(one.id, one.name, _object(one.arguments)) for one in found.tool_calls),
        _said(found.tool_call_id),
        _said(found.tool_name),
        _said(found.id),
        _said(found.sender_id),
        _said(found.channel_type),
        _said(found.chat_id),
    )


def _said(text: str) -> str:
    return text if text.strip() else ""


def _object(entries: Iterable[Any]) -> dict[str, Any]:
    return {entry.key: _value(entry.value) for entry in entries}


def _value(found: Any) -> Any:
    kind = found.WhichOneof(KIND)
    if kind == "object":
        return _object(found.object.fields)
    if kind == "array":
        return [_value(one) for one in found.array.items]
    return None if kind in (None, "null") else getattr(found, kind)


def _stamp(at: datetime) -> bytes:
    since = at - _EPOCH
    seconds, rest = divmod(since, timedelta(seconds=1))
    stamp: bytes = TIMESTAMP(seconds=seconds, nanos=rest.microseconds * 1000).SerializeToString()
    return stamp


def _instant(found: Any, name: str) -> str:
    """A moment as Java writes it, with 0, 3, 6 or 9 digits of a second; "" where there is none that Java could hold."""
    if not found.HasField(name):
        return ""
    stamp = getattr(found, name)
    try:
        day = _EPOCH + timedelta(seconds=stamp.seconds)
    except OverflowError:
        return ""
    if not 0 <= stamp.nanos < 1_000_000_000:
        return ""
    digits = f"{stamp.nanos:09}"
    while digits.endswith("000"):
        digits = digits[:-3]
    return f"{day.replace(tzinfo=None).isoformat()}{'.' if digits else ''}{digits}Z"
