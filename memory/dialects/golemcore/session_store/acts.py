"""What people do to sessions: compact one, clear it, delete it, each as one change that can be undone. What is told of it is how
many messages left, or files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from memory import index, journal
from memory.bots import open_bot
from memory.curation.writing import Written, write
from memory.dialects.golemcore.sessions import compact as compaction, files
from memory.dialects.golemcore.sessions.record import Session, SessionMessage, Unread
from memory.domain.changes import Delete, Put, digest
from memory.domain.errors import Refusal
from memory.domain.outcomes import Refused
from memory.domain.places import Kind
from memory.models import Bot, Document
from memory.text.sentences import say, say_number

GONE = say("This chat has no session. Nothing was changed.")
NOTHING_DUE = say("This session has nothing to cut. Nothing was changed.")
EMPTY = say("This session has no messages. Nothing was changed.")


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A session's file as it is."""

    path: str
    data: bytes
    session: Session


def paths_of(bot: Bot, chat: str) -> list[str]:
    """The files of a chat's session that the index knows, first the one that the bot reads."""
    paths = Document.objects.filter(bot=bot, kind=Kind.TRANSCRIPT, scope=chat).values_list("path", flat=True)
    return sorted(paths, key=lambda path: (not files.is_proto(path), path))


def path_of(bot: Bot, chat: str) -> str:
    """The one that the bot reads; "" for a chat without any."""
    return next(iter(paths_of(bot, chat)), "")


def opened(bot: Bot, chat: str) -> OpenSession:
    """The session of a chat, fresh from its file. Raises Refusal, and Unreadable."""
    path = path_of(bot, chat)
    data = index.BotMemory(bot).read(path) if path else None
    if data is None:
        raise Refusal(GONE)
    try:
        return OpenSession(path, data, files.read(path, data))
    except Unread as error:
        raise Refusal(say("%(why)s Nothing was changed.", why=str(error))) from None


def compact(bot: Bot, chat: str, keep: int, by: journal.By) -> Written[int] | Refused:
    """Keep the newest messages of a chat, without a summary of what goes; an older one stays."""
    return write(bot, partial(_compacting, bot, chat, keep), by, moved="refuse")


def compacted(bot: Bot, there: OpenSession, cut: compaction.Cut, summary: SessionMessage | None) -> Put:
    """The change that cuts a session."""
    data = files.written(there.path, there.data, cut.lines(summary), open_bot(bot).now())
    return Put(there.path, data, digest(there.data))


def why_compacted(chat: str, count: int) -> str:
    """What a change set says of it."""
    return say_number(
        "Compacted %(chat)s: %(count)s message cut",
        "Compacted %(chat)s: %(count)s messages cut",
        count=count,
        chat=chat,
    )


def clear(bot: Bot, chat: str, by: journal.By) -> Written[int] | Refused:
    """A session without messages; all else that it says stays."""
    return write(bot, partial(_clearing, bot, chat), by, moved="refuse")


def delete(bot: Bot, chat: str, by: journal.By) -> Written[int] | Refused:
    """The chat without its session, in whichever forms it is there."""
    return write(bot, partial(_deleting, bot, chat), by, moved="refuse")


def _compacting(bot: Bot, chat: str, keep: int) -> journal.CommitPlan[int]:
    there = opened(bot, chat)
    cut = compaction.cut(there.session, keep)
    if cut is None:
        raise Refusal(NOTHING_DUE)
    count = len(cut.going)
    return journal.CommitPlan([compacted(bot, there, cut, None)], count, [there.data], why=why_compacted(chat, count))


def _clearing(bot: Bot, chat: str) -> journal.CommitPlan[int]:
    there = opened(bot, chat)
    count = len(there.session.messages)
    if not count:
        raise Refusal(EMPTY)
    change = Put(there.path, files.written(there.path, there.data, [], open_bot(bot).now()), digest(there.data))
    return journal.CommitPlan([change], count, [there.data], why=say("Cleared the session of %(chat)s", chat=chat))


def _deleting(bot: Bot, chat: str) -> journal.CommitPlan[int]:
    memory = index.BotMemory(bot)
    found = {path: data for path in paths_of(bot, chat) if (data := memory.read(path)) is not None}
    if not found:
        raise Refusal(GONE)
    changes = [Delete(path, digest(data)) for path, data in found.items()]
    return journal.CommitPlan(
        changes, len(found), list(found.values()), why=say("Deleted the session of %(chat)s", chat=chat)
    )
