"""A session's transcript in the forms that bots of workspaces write: one JSON object a line."""

from __future__ import annotations

import json
from typing import Any

from memory.dialects.shared.json_parts import object_in
from memory.dialects.shared.transcripts import SPEAKERS, added, newest
from memory.dialects.workspace.layout import SESSIONS
from memory.dialects.workspace.look import CLAUDE_CODE, OPENCLAW
from memory.domain.changes import Append
from memory.domain.memory import Memory
from memory.domain.turns import Turn
from memory.text.markdown.blocks import decode
from memory.text.message import Message
from memory.text.sentences import say
from memory.text.storable import keepable

UNWRITABLE = {
    OPENCLAW: say("OpenClaw keeps transcripts as a tree with an index. Kenoweb can read them but not add to them."),
    CLAUDE_CODE: say("Claude Code keeps its transcripts elsewhere, in its own format. Kenoweb doesn’t write them."),
}


def history(data: bytes, limit: int) -> tuple[Message, ...]:
    """The newest `limit` messages in a transcript or the end of one, oldest first; what is no message is passed over."""
    return newest(data, limit, _message)


def _message(line: bytes) -> Message | None:
    """`{"role", "content", "timestamp"}` as HKUDS writes it, or OpenClaw's `{"type": "message", "message": {…}}` around it."""
    found = object_in(decode(line))
    said = found["message"] if isinstance(found.get("message"), dict) else found
    content = _text(said.get("content"))
    if said.get("role") not in SPEAKERS or not content:
        return None
    at = said.get("timestamp", found.get("timestamp"))
    return Message(said["role"], keepable(content), "" if at is None else str(at))


def _text(content: Any) -> str:
    """What a message says: its text, or the texts among its parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = (part.get("text") for part in parts if isinstance(part, dict) and part.get("type") == "text")
    return "\n".join(text for text in texts if isinstance(text, str))


def spoken(turn: Turn, said: str, memory: Memory, flavour: str) -> Append:
    """A turn as HKUDS nanobot writes it, and as it is written for a bot that nothing is known of. Raises ValueError for a family
    whose sessions nobody else can go on with."""
    if flavour in UNWRITABLE:
        raise ValueError(UNWRITABLE[flavour])
    path = f"{SESSIONS}/{turn.session_id}.jsonl"
    at = turn.at.replace(tzinfo=None).isoformat(timespec="seconds")
    lines = _line("user", turn.message, at) + _line("assistant", said, at)
    return added(path, lines, memory)


def _line(role: str, content: str, at: str) -> bytes:
    said = {"role": role, "content": keepable(content), "timestamp": at}
    return (json.dumps(said, ensure_ascii=False) + "\n").encode()
