"""What a turn makes of its chat's session: two messages more, or a command carried out."""

from __future__ import annotations

from dataclasses import replace

from memory.dialects.golemcore.sessions import compact, files
from memory.dialects.golemcore.sessions.commands import COMPACT, NEW, ChatCommand, parse
from memory.dialects.golemcore.sessions.record import (
    Session,
    SessionMessage,
    Unread,
    WrittenLine,
    as_it_is,
    instant,
    named,
)
from memory.dialects.golemcore.settings import OBSERVE, Settings
from memory.dialects.shared.ids import id_of
from memory.domain.changes import Change, Put, base_of
from memory.domain.errors import Unreadable
from memory.domain.memory import Memory
from memory.domain.turns import Captured, Turn
from memory.text.sentences import join_sentences, say, say_number

ANEW = say("A new conversation begins.")
ON, OFF = say("Memory is on."), say("Memory is off.")


def command(turn: Turn, settings: Settings) -> ChatCommand | None:
    """The command that a turn is to carry out; None for any other, and where the bot does it itself."""
    return None if settings.capture == OBSERVE and not turn.answered else parse(turn.message)


def carried_out(
    told: ChatCommand, turn: Turn, memory: Memory, path: str, settings: Settings, *, summed: bool
) -> Captured:
    """The answer to a command, and what it changes. `summed`: a compaction is left to the job that has a model sum the messages
    up. Raises Unreadable."""
    data = memory.read(path)
    try:
        session = files.read(path, data) if data is not None else _begun(turn, path)
    except Unread as error:
        raise Unreadable(str(error)) from None
    if told.name == NEW:
        return _written(told, ANEW, path, data, _cleared(path, data, session, turn))
    if told.name != COMPACT:
        return _written(told, _status(session, settings), path, data, data)
    cut = compact.cut(session, told.keep)
    if cut is None or data is None:
        return _written(told, _nothing(len(session.messages)), path, data, data)
    if summed:
        return _written(told, _summing(len(cut.going), told.keep), path, data, data, keep=told.keep)
    after = files.written(path, data, cut.lines(), turn.at)
    return _written(told, _cut(len(cut.going), told.keep), path, data, after)


def beside(captured: Captured, turn: Turn, memory: Memory, path: str) -> Captured:
    """What a turn makes, and what it adds to the session, unless the bot writes down what it says, or did."""
    stored = captured.stored
    if stored.get("observed") or stored.get("already"):
        return captured
    made = spoken(turn, memory, path)
    documents = [*stored.get("documents", ()), *(one.path for one in made)]
    return replace(captured, changes=(*captured.changes, *made), stored={**stored, "documents": documents})


def spoken(turn: Turn, memory: Memory, path: str) -> tuple[Change, ...]:
    """The message and the reply at the end of the session, which may be new; nothing where the bot wrote them down itself, or
    where nobody can read it. Raises Unreadable."""
    data = memory.read(path)
    try:
        session = files.read(path, data) if data is not None else _begun(turn, path)
    except Unread:
        return ()
    if [(one.role, one.content) for one in session.messages[-2:]] == [
        ("user", turn.message),
        ("assistant", turn.response),
    ]:
        return ()
    lines = [*as_it_is(session), *(WrittenLine(told=one) for one in _messages(turn, session))]
    before = files.new(path, session) if data is None else data
    return (Put(path, files.written(path, before, lines, turn.at), base_of(data)),)


def _written(
    told: ChatCommand, answer: str, path: str, data: bytes | None, after: bytes | None, **more: object
) -> Captured:
    changes = (Put(path, after, base_of(data)),) if after is not None and after != data else ()
    stored = {"memories": 0, "documents": [one.path for one in changes], "command": told.name, **more}
    return Captured(answer, changes, stored)


def _cleared(path: str, data: bytes | None, session: Session, turn: Turn) -> bytes | None:
    return files.written(path, data, [], turn.at) if data is not None and session.messages else data


def _status(session: Session, settings: Settings) -> str:
    size = say_number(
        "%(count)s message, about %(tokens)s tokens.",
        "%(count)s messages, about %(tokens)s tokens.",
        count=len(session.messages),
        tokens=f"{compact.tokens(session):,}",
    )
    most = f"{compact.threshold(settings.maxContextTokens):,}"
    due = say("Compacted beyond %(most)s tokens.", most=most) if settings.compactionEnabled else ""
    return join_sentences(size, due, ON if settings.enabled else OFF)


def _nothing(count: int) -> str:
    return say_number("%(count)s message, nothing to compact.", "%(count)s messages, nothing to compact.", count=count)


def _summing(count: int, kept: int) -> str:
    return say_number(
        "%(count)s message is being summed up. The newest %(kept)s stay.",
        "%(count)s messages are being summed up. The newest %(kept)s stay.",
        count=count,
        kept=kept,
    )


def _cut(count: int, kept: int) -> str:
    return say_number(
        "%(count)s message cut. The newest %(kept)s stay.",
        "%(count)s messages cut. The newest %(kept)s stay.",
        count=count,
        kept=kept,
    )


def _begun(turn: Turn, path: str) -> Session:
    whole, channel, chat = named(files.name_of(path))
    return Session(whole, channel, chat, created=instant(turn.at), updated=instant(turn.at))


def _messages(turn: Turn, session: Session) -> tuple[SessionMessage, SessionMessage]:
    at, place = instant(turn.at), (session.channel, session.chat)
    said = SessionMessage(
        "user", turn.message, at, (), "", "", turn.message_id or _name(turn, "user"), turn.sender, *place
    )
    return said, SessionMessage("assistant", turn.response, at, id=_name(turn, "assistant"))


def _name(turn: Turn, role: str) -> str:
    """What a message is called, the same whenever the turn is taken in."""
    return id_of("\n".join((turn.session_id, role, turn.at.isoformat(), turn.message, turn.response)))
