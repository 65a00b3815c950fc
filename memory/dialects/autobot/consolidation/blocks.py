"""Blocks of messages on their way from a transcript into the history: stored, waiting, put back. Whatever dies on that way, each
message is in the transcript, in a block, or told of in the history."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from memory import index, journal
from memory.bots import open_bot
from memory.curation import writing
from memory.dialects.autobot import layout, sessions, window
from memory.domain.changes import Change, Delete, Put, base_of, digest
from memory.domain.errors import Refusal
from memory.domain.outcomes import Refused
from memory.domain.places import Kind
from memory.models import Bot, ChangeSet, Document
from memory.text.sentences import say, say_number

WHOLE = say("No line of this chat is damaged. Nothing was changed.")
NOTHING_DUE = say("This chat has too few messages to sum up. Nothing was changed.")
WAITS = say("Messages of this chat are waiting already. Consolidate them or put them back first. Nothing was changed.")
TOO_LONG = say("The name of this chat’s file is too long for a file of waiting messages. Nothing was changed.")
GONE = say("These messages aren’t waiting any more. Nothing was changed.")


@dataclass(frozen=True, slots=True)
class Moved:
    """Messages lie elsewhere now: `path` is their block."""

    path: str
    count: int
    change_set: ChangeSet | None


def waiting(bot: Bot, scope: str | None = None) -> list[str]:
    """The paths of the blocks that wait, of one chat or of all, the oldest first."""
    found = Document.objects.filter(bot=bot, kind=Kind.ARCHIVE, path__startswith=f"{layout.WAITING}/")
    found = found if scope is None else found.filter(scope=scope)
    return list(found.order_by("path").values_list("path", flat=True))


def archive(bot: Bot, scope: str, by: journal.By, *, due: bool = False) -> Moved | Refused:
    """Store the messages of a chat that a consolidation takes, and shorten its transcript, as one change. `due`: only where the bot
    itself would do so now."""
    return _do(bot, partial(_archiving, bot, scope, due), by)


def put_back(bot: Bot, path: str, by: journal.By) -> Moved | Refused:
    """The messages of a block stand in their transcript again, before all others, once also where the bot put them there itself."""
    return _do(bot, partial(_returning, bot, path), by)


def repair(bot: Bot, scope: str, by: journal.By) -> Moved | Refused:
    """Take the damaged lines out of a transcript, so that the bot loads the others. What they say stays in the change."""
    return _do(bot, partial(_repairing, bot, scope), by)


def _do(bot: Bot, make: Callable[[], journal.CommitPlan[Moved]], by: journal.By) -> Moved | Refused:
    done = writing.write(bot, make, by, moved="refuse")
    return done if isinstance(done, Refused) else replace(done.told, change_set=done.change_set)


def _archiving(bot: Bot, scope: str, due: bool) -> journal.CommitPlan[Moved]:
    memory, now, most = index.BotMemory(bot), open_bot(bot).now(), open_bot(bot).settings.memory_window
    path = layout.path_of(Kind.TRANSCRIPT, scope) or ""
    data = memory.read(path) or b""
    session = sessions.parse(data)
    if session.damaged:
        raise Refusal(session.damage)
    if any(layout.scope_of_block(one) == scope for one in memory.paths()):
        raise Refusal(WAITS)
    stored = len(session.messages)
    count = window.archived(stored, most) if due else stored - window.kept(most)
    if count <= 0:
        raise Refusal(NOTHING_DUE)
    block = _free(scope, now)
    changes: list[Change] = [
        Put(block, sessions.closed(b"".join(line.raw for line in session.messages[:count])), None),
        Put(path, sessions.without_first(session, count, now), digest(data)),
    ]
    why = say_number(
        "Set %(count)s message of %(chat)s aside for consolidation",
        "Set %(count)s messages of %(chat)s aside for consolidation",
        count=count,
        chat=scope,
    )
    return journal.CommitPlan(changes, Moved(block, count, None), [None, data], why=why)


def _free(scope: str, now: datetime) -> str:
    """Where a block of a chat is stored now. Raises Refusal."""
    block = layout.block_of(scope, now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ"))
    if len(block.rpartition("/")[2].encode("utf-8", "surrogateescape")) > layout.LONGEST_NAME:
        raise Refusal(TOO_LONG)
    return block


def _returning(bot: Bot, path: str) -> journal.CommitPlan[Moved]:
    memory, scope = index.BotMemory(bot), layout.scope_of_block(path)
    block = memory.read(path) if scope else None
    if block is None:
        raise Refusal(GONE)
    transcript = layout.path_of(Kind.TRANSCRIPT, scope) or ""
    data = memory.read(transcript)
    session = sessions.parse(data or b"")
    if session.damaged:
        raise Refusal(session.damage)
    count = len(sessions.parse(block).messages)
    changes: list[Change] = [Delete(path, digest(block))]
    if not _stands(block, session):
        now = open_bot(bot).now()
        whole = sessions.parse(data) if data else sessions.parse(sessions.metadata(now))
        changes.insert(0, Put(transcript, sessions.joined(block, whole, now), base_of(data)))
    why = say_number(
        "Put %(count)s message of %(chat)s back", "Put %(count)s messages of %(chat)s back", count=count, chat=scope
    )
    return journal.CommitPlan(changes, Moved(path, count, None), [data, block], why=why)


def _repairing(bot: Bot, scope: str) -> journal.CommitPlan[Moved]:
    path = layout.path_of(Kind.TRANSCRIPT, scope) or ""
    data = index.BotMemory(bot).read(path) or b""
    session = sessions.parse(data)
    if not session.damaged:
        raise Refusal(WHOLE)
    count = len(session.damaged)
    why = say_number(
        "Took %(count)s damaged line out of %(chat)s",
        "Took %(count)s damaged lines out of %(chat)s",
        count=count,
        chat=scope,
    )
    changes = [Put(path, sessions.repaired(session), digest(data))]
    return journal.CommitPlan(changes, Moved(path, count, None), [data], why=why)


def _stands(block: bytes, session: sessions.Session) -> bool:
    """Whether a transcript begins with these very messages: a bot that ran all the while saved what it had in memory."""
    first = [line.message for line in sessions.parse(block).messages]
    return [line.message for line in session.messages[: len(first)]] == first
