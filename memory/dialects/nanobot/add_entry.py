"""An entry that somebody adds to a database by hand: a new one with its line in the mirrors, or one that is said again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from memory import bots, index, journal
from memory.dialects.nanobot import curate, layout, lines, maintenance
from memory.dialects.nanobot.capture import expiry, mirrored, said_again
from memory.dialects.nanobot.database.table import SaidTwice
from memory.dialects.nanobot.entries import Entry, entries
from memory.dialects.nanobot.picking import Candidate
from memory.dialects.nanobot.settings import RENEWED, Settings
from memory.domain.changes import Append, Put, digest
from memory.domain.outcomes import Refused
from memory.models import Bot, ChangeSet
from memory.storage import VaultError
from memory.text.markdown.rewrite import tidy
from memory.text.sentences import say

QUOTED = 60  # characters of an entry that its change set is called by


@dataclass(frozen=True, slots=True)
class Remembered:
    """The database has it. `is_new`: no entry of the scope said it before; `mirror` is where its line went, "" for nowhere."""

    change_set: ChangeSet | None
    path: str
    id: str
    is_new: bool
    mirror: str = ""


Wish = journal.Wish[Remembered]


def remember(
    bot: Bot, scope: str, one: Candidate, whose: Mapping[str, str | None], by: journal.By
) -> Remembered | Refused:
    """Add an entry to a scope, by its name. `whose`: the channel, chat_id and sender_id that the bot notes beside it."""

    def make() -> Wish:
        maintenance.database(bot)
        return _wish(bot, scope, replace(one, content=lines.collapsed(tidy(one.content))), whose)

    try:  # where something is there twice, the bot was faster, and it is said again
        wish, outcome = journal.attempt(bot, make, by=by, passing=(SaidTwice,))
    except (VaultError, ValueError, journal.Busy) as error:
        return Refused(str(error))
    if isinstance(outcome, journal.Conflict):
        return Refused(say("%(reason)s Nothing was changed.", reason=outcome.reason), outcome.passes)
    index.look_all(bot, [change.path for change in wish.changes])
    return replace(wish.told, change_set=outcome.change_set)


def _wish(bot: Bot, scope: str, one: Candidate, whose: Mapping[str, str | None]) -> Wish:
    path, memory, settings, now = layout.entries_path(scope), index.BotMemory(bot), bots.settings(bot), bots.now(bot)
    data = memory.read(path)
    said = lines.normal(one.content)
    for entry in entries(path, data or b""):
        if entry.kind == one.kind and lines.normal(entry.text) == said:
            return _again(bot, path, data or b"", entry, one)
    about = {
        **{"kind": one.kind, "importance": one.importance, "confidence": one.confidence},
        **{"expires_at": expiry(one.kind, now, settings), "source": "manual", "source_role": one.role, **whose},
    }
    line = curate.entry(scope, one.content, now, about)
    beside = mirrored([one], now, memory) if settings.mirrors else []
    mirror = beside[0].path if beside else ""
    told = Remembered(None, path, str(lines.row(line)["id"]), is_new=True, mirror=mirror)
    return journal.Wish(
        (Append(path, line), *beside), told, [data], why=say("Added %(text)s", text=_quoted(one.content))
    )


def _again(bot: Bot, path: str, data: bytes, entry: Entry, one: Candidate) -> Wish:
    settings: Settings = bots.settings(bot)
    now, rows, number = bots.now(bot), data.split(b"\n"), entry.fact.line - 1
    expires = expiry(one.kind, now, settings) if settings.said_again == RENEWED else entry.expires or None
    rows[number] = said_again(rows[number], one, now, expires)
    told = Remembered(None, path, entry.id, is_new=False)
    change = Put(path, b"\n".join(rows), digest(data))
    return journal.Wish((change,), told, [data], why=say("Said %(text)s again", text=_quoted(entry.text)))


def _quoted(text: str) -> str:
    return f"“{text}”" if len(text) <= QUOTED else f"“{text[:QUOTED].rstrip()}…”"
