"""What is said in a session: for people with the tools that were called, for a model as plain text."""

from __future__ import annotations

from collections.abc import Sequence

from memory.dialects.golemcore.sessions import files
from memory.dialects.golemcore.sessions.commands import parse
from memory.dialects.golemcore.sessions.flatten import arguments, flattened, text_of
from memory.dialects.golemcore.sessions.record import SessionMessage, Unread, WrittenLine
from memory.domain.abilities import Talking
from memory.domain.turns import Turn
from memory.text.message import Message
from memory.text.sentences import say
from memory.text.storable import keepable


class Talk(Talking):
    """The part of the dialect that reads sessions: each file is one record."""

    in_lines = False

    def command(self, turn: Turn) -> str | None:
        return turn.message if parse(turn.message) else None  # what is captured has the answer

    def history(self, data: bytes, limit: int) -> tuple[Message, ...]:
        try:
            session = files.read_any(data)
        except Unread:
            return ()
        told = [(session.messages, line) for line in flattened(session.messages)]
        found = [Message(_role(*one), keepable(text_of(*one))) for one in told]
        return tuple([one for one in found if one.content.strip()][-limit:]) if limit else ()

    def messages(self, path: str, data: bytes) -> Sequence[Message]:
        return [
            Message(one.role, keepable(one.content), one.at, _tools(one)) for one in files.read(path, data).messages
        ]


def refused(path: str, before: bytes, after: bytes) -> str:
    """Why nobody may make this of a session: the bot could not read it any more. "" if they may; no bytes are no file."""
    try:
        if after:
            files.read(path, after)
        return ""
    except Unread as error:
        why = say("%(why)s Nothing was changed.", why=str(error))
    try:
        files.read(path, before)
    except Unread:
        return ""
    return why


def _role(messages: Sequence[SessionMessage], line: WrittenLine) -> str:
    return "assistant" if line.text is not None else messages[line.source or 0].role


def _tools(told: SessionMessage) -> tuple[str, ...]:
    if told.role == "tool":
        return (keepable(told.tool),) if told.tool else ()
    return tuple(keepable(f"{call.name} {arguments(call)}") for call in told.calls)
