"""A session as JSON, the form of older bots: read as leniently as the bot reads it, changed value by value."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from memory.dialects.golemcore.sessions.record import (
    STATES,
    Session,
    SessionMessage,
    ToolCall,
    Unread,
    WrittenLine,
    instant,
    named,
)
from memory.dialects.shared.json_parts import exchanged, members, no_constant, parts
from memory.text.markdown.blocks import decode, encode
from memory.text.sentences import say
from memory.text.utf16 import well_formed
from memory.text.words.days import moment_of

NO_JSON = say("It isn’t valid JSON. The bot skips this file.")
NO_OBJECT = say("It isn’t a JSON object. A running bot makes an empty chat of it and deletes the file.")

_INSTANT = re.compile(
    r"[+-]?[0-9]{4,10}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{0,9})?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})"
)
_BY_ROLE = {"userMessage": "user", "assistantMessage": "assistant", "systemMessage": "system", "toolMessage": "tool"}
_CALLING = ("toolCalls", "toolCallId", "toolName")


def read(data: bytes, name: str) -> Session:
    """What a file says, whose name without the ending tells what it leaves out. Raises Unread."""
    found = _loaded(decode(data))
    whole, channel, chat = named(_text(found, "id") or name)
    messages, state = found.get("messages"), _text(found, "state")
    return Session(
        whole,
        _text(found, "channelType") or channel,
        _text(found, "chatId") or chat,
        tuple(_told(one) for one in messages) if isinstance(messages, list) else (),
        state if state in STATES else STATES[0],
        _instant(found, "createdAt"),
        _instant(found, "updatedAt"),
    )


def written(data: bytes, lines: Sequence[WrittenLine], at: datetime | None) -> bytes:
    """The file with these messages, saved `at` (None: its time stays); every other byte stays."""
    text = decode(data)
    there = members(text).get("messages")
    is_list = there is not None and isinstance(there.value, list)
    had = [text[one.start : one.end] for one in parts(text, there.start)] if there and is_list else []
    changes = {"updatedAt": dumps(instant(at))} if at else {}
    if [line.source for line in lines] != list(range(len(had))) or any(line.text is not None for line in lines):
        changes["messages"] = f"[{','.join(_written(line, had) for line in lines)}]"
    return encode(exchanged(text, changes)) if changes else data


def new(session: Session) -> bytes:
    """A session without messages, as the bot begins one."""
    found = {"id": session.id, "channelType": session.channel, "chatId": session.chat, "messages": [], "metadata": {}}
    times = {"createdAt": session.created, "updatedAt": session.updated}
    return encode(dumps({**found, "state": session.state, **times}))


def dumps(value: Any) -> str:
    """A value on one line, as Java writes it."""
    return well_formed(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _loaded(text: str) -> Mapping[str, Any]:
    """Raises Unread, also for what Java does not take: NaN, an infinity."""
    try:
        found = json.loads(text, parse_constant=no_constant)
    except (ValueError, RecursionError):
        raise Unread(NO_JSON) from None
    if found is None:
        raise Unread(NO_JSON)
    if not isinstance(found, dict):
        raise Unread(NO_OBJECT)
    return found


def _written(line: WrittenLine, had: Sequence[str]) -> str:
    if line.source is None:
        return _new(line.told)
    if line.text is None:
        return had[line.source]
    there = members(had[line.source])
    roles = {name: dumps(role == "assistant") for name, role in _BY_ROLE.items() if name in there}
    calls = {name: "null" for name in _CALLING if name in there}
    return exchanged(had[line.source], {"role": '"assistant"', "content": dumps(line.text), **calls, **roles})


def _new(told: SessionMessage) -> str:
    about = {"id": told.id or None, "role": told.role, "content": told.content or None}
    about |= {"channelType": told.channel or None, "chatId": told.chat or None, "senderId": told.sender or None}
    about |= dict.fromkeys((*_CALLING, "metadata")) | {"timestamp": told.at or None}
    about |= dict.fromkeys(("voiceData", "voiceTranscription", "audioFormat"))
    return dumps({**about, **{name: role == told.role for name, role in _BY_ROLE.items()}})


def _told(found: Any) -> SessionMessage:
    if not isinstance(found, dict):
        return SessionMessage()
    calls = found.get("toolCalls")
    return SessionMessage(
        _text(found, "role"),
        _text(found, "content"),
        _instant(found, "timestamp"),
        tuple(_call(one) for one in calls) if isinstance(calls, list) else (),
        _text(found, "toolCallId"),
        _text(found, "toolName"),
        _text(found, "id"),
        _text(found, "senderId"),
        _text(found, "channelType"),
        _text(found, "chatId"),
    )


def _call(found: Any) -> ToolCall:
    if not isinstance(found, dict):
        return ToolCall()
    arguments = found.get("arguments")
    return ToolCall(_text(found, "id"), _text(found, "name"), arguments if isinstance(arguments, dict) else {})


def _text(found: Mapping[str, Any], name: str) -> str:
    """A text; one that is blank says nothing, and a number or a truth value is read as text."""
    value = found.get(name)
    if isinstance(value, bool) or (value is not None and not isinstance(value, str | dict | list)):
        return dumps(value)
    return value if isinstance(value, str) and value.strip() else ""


def _instant(found: Mapping[str, Any], name: str) -> str:
    text = _text(found, name)
    return text if _INSTANT.fullmatch(text) and moment_of(text.upper()) else ""
