"""What is said in a chat, as its transcript has it: read for a model, and written down for a bot that does not do so itself."""

from __future__ import annotations

from memory.dialects.autobot import layout, sessions, window
from memory.dialects.autobot.sessions import Session, SessionMessage
from memory.dialects.autobot.settings import OBSERVE, Settings
from memory.dialects.shared.transcripts import newest
from memory.domain.abilities import observe
from memory.domain.changes import Append, Change, Put, digest
from memory.domain.errors import Unreadable
from memory.domain.memory import Memory
from memory.domain.places import Kind
from memory.domain.turns import Captured, Turn
from memory.text.message import Message
from memory.text.sentences import say
from memory.text.storable import keepable

RESET = "/reset"
WITH_COMMANDS = "telegram_"  # the names of chats in which the bot takes commands
DONE = say("This conversation starts anew. Long-term memory is unchanged.")


def history(data: bytes, limit: int) -> tuple[Message, ...]:
    """The newest `limit` messages in a transcript or the end of one, oldest first; what is no message is passed over."""
    return newest(data, limit, _message)


def command(turn: Turn) -> str | None:
    """What the bot itself answers to a command; None for any other message."""
    return DONE if turn.message.strip() == RESET and turn.session_id.startswith(WITH_COMMANDS) else None


def capture(turn: Turn, memory: Memory, settings: Settings) -> Captured:
    """The turn at the end of its transcript, or that emptied by a command; nothing where the bot writes down what it says. Raises
    Unreadable, also for a transcript that the bot cannot read."""
    if settings.capture == OBSERVE and not turn.answered:
        return observe(turn)
    path = layout.path_of(Kind.TRANSCRIPT, turn.session_id) or ""
    data = memory.read(path)
    session = sessions.parse(data or b"")
    if command(turn):
        changes: tuple[Change, ...] = _reset(path, data, session, turn)
        return Captured(
            turn.response, changes, {"memories": 0, "documents": [one.path for one in changes], "reset": True}
        )
    if _stands(session, turn):
        return Captured(turn.response, (), {"memories": 0, "documents": [], "already": 1})
    return Captured(turn.response, (_spoken(path, session, turn, settings),), {"memories": 0, "documents": [path]})


def unwritable(turn: Turn, memory: Memory) -> None:
    """Raises ValueError with a sentence where the bot could not read what would be added, and Unreadable."""
    session = sessions.read(memory, layout.path_of(Kind.TRANSCRIPT, turn.session_id) or "")
    if session.damaged:
        raise ValueError(session.damage)


def _message(line: bytes) -> Message | None:
    told = sessions.message(line)
    if told is None or not told.content.strip():
        return None
    return Message(told.role, keepable(told.content), keepable(told.timestamp))


def _reset(path: str, data: bytes | None, session: Session, turn: Turn) -> tuple[Change, ...]:
    if data is None:
        return ()
    return (Put(path, sessions.emptied(session, turn.at), digest(data)),)


def _stands(session: Session, turn: Turn) -> bool:
    """Whether the bot wrote down this very turn before it was reported."""
    last = [line.message for line in session.messages[-2:] if line.message]
    return [(one.role, one.content) for one in last] == [("user", turn.message), ("assistant", turn.response)]


def _spoken(path: str, session: Session, turn: Turn, settings: Settings) -> Change:
    """The user's line and the bot's, behind the metadata of a chat that is new. A bot that sums nothing up drops old messages
    first."""
    if session.damaged:
        raise Unreadable(session.damage)
    at = sessions.stamp(turn.at)
    lines = [
        sessions.said(SessionMessage("user", turn.message, at)),
        sessions.said(SessionMessage("assistant", turn.response, at)),
    ]
    if gone := window.dropped(len(session.messages), settings.memory_window):
        left = sessions.closed(sessions.without_first(session, gone, turn.at))
        return Put(path, left + b"".join(lines), digest(session.data))
    head = b"" if session.lines else sessions.metadata(turn.at)
    is_open = bool(session.lines) and not session.lines[-1].raw.endswith(b"\n")
    return Append(path, (b"\n" if is_open else b"") + head + b"".join(lines))
