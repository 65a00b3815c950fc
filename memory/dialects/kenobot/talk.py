"""A chat's transcript: one JSON object a line, `{"role", "content", "timestamp"}` with the time in ms."""

from __future__ import annotations

import json
import re

from memory.dialects.kenobot import layout
from memory.dialects.shared.json_parts import object_in
from memory.dialects.shared.transcripts import SPEAKERS, added, newest
from memory.domain.changes import Append
from memory.domain.memory import Memory
from memory.domain.places import Kind
from memory.domain.turns import Turn
from memory.text.markdown.blocks import decode
from memory.text.message import Message

_HALVES = re.compile("[\ud800-\udfff]")


def history(data: bytes, limit: int) -> tuple[Message, ...]:
    """The newest `limit` messages in a transcript or the end of one, oldest first. A line that was cut off, is no message or says
    nothing is passed over."""
    return newest(data, limit, _message)


def _message(line: bytes) -> Message | None:
    said = object_in(decode(line))
    if said.get("role") not in SPEAKERS:
        return None
    content, at = said.get("content"), said.get("timestamp")
    if not isinstance(content, str) or not content:
        return None
    return Message(said["role"], _HALVES.sub("\ufffd", content), "" if at is None else str(at))


def spoken(turn: Turn, said: str, memory: Memory) -> Append:
    """The user's line and the bot's, as the bot writes them."""
    path = layout.path_of(Kind.TRANSCRIPT, turn.session_id, "") or ""
    at = round(turn.at.timestamp() * 1000)
    lines = _line("user", turn.message, at - 1) + _line("assistant", said, at)
    return added(path, lines, memory)


def _line(role: str, content: str, at: int) -> bytes:
    """One message as JSON.stringify writes it."""
    text = json.dumps({"role": role, "content": content, "timestamp": at}, ensure_ascii=False, separators=(",", ":"))
    return (_HALVES.sub(lambda half: f"\\u{ord(half[0]):04x}", text) + "\n").encode()
