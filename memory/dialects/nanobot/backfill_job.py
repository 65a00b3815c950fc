"""What the files of a nanobot's workspace say and its database does not, taken in: a line an entry."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from memory import index, journal
from memory.bots import open_bot
from memory.curation.writing import write
from memory.dialects.nanobot import backfill, layout, lines, maintenance, scopes
from memory.dialects.nanobot.backfill import BackfillItem, Left
from memory.dialects.nanobot.capture import expiry
from memory.dialects.nanobot.database import whole
from memory.dialects.nanobot.recall import ABOUT_THE_USER
from memory.domain.changes import Put, base_of
from memory.domain.errors import VaultError
from memory.domain.outcomes import Refused
from memory.models import Bot, ChangeSet
from memory.text.sentences import say

_MIRRORS = (f"memory/{layout.SEMANTIC}/", f"memory/{layout.EPISODIC}/")


@dataclass(frozen=True, slots=True)
class BackfillPlan:
    """What would be taken in, and what would not: lines that an entry says already, or one that was forgotten, or that stand in
    the mirrors of all chats, or `left`, which can be no entry. `unrecalled`: how many of the new entries the bot would never
    recall."""

    fresh: tuple[BackfillItem, ...]
    known: int
    forgotten: int
    mirrored: int
    unrecalled: int
    left: tuple[Left, ...] = ()


@dataclass(frozen=True, slots=True)
class TakenIn:
    """The lines of a plan are entries. `change_set` None: there were none. `marked`: from now on the bot will not take the files in
    of itself; `trouble` says why it could not be told so."""

    change_set: ChangeSet | None
    marked: bool = False
    trouble: str = ""


def plan(bot: Bot, scope: str = scopes.GLOBAL, *, mirrors: bool = False, again: bool = False) -> BackfillPlan:
    """What the files say that is no entry yet. `again`: also what was forgotten. `mirrors`: the lines of all chats also into the
    scope of one. Raises ValueError for a bot that has no database, RootGone and Unreadable."""
    vault = maintenance.database(bot)
    gone = set() if again else whole.forgotten(vault)
    live = {(entry.kind, lines.normal(entry.text)) for _, some in maintenance.every(bot) for entry in some}
    told = list(_told(bot))
    open_to = [one for one in told if mirrors or scope == scopes.GLOBAL or not one.path.startswith(_MIRRORS)]
    fit = [one for one in open_to if isinstance(one, BackfillItem)]
    new = list(backfill.fresh(fit, live))
    fresh = [one for one in new if not one.says & gone]
    hidden = sum(not _is_recalled(scope, one.kind) for one in fresh)
    return BackfillPlan(
        fresh=tuple(fresh),
        known=len(fit) - len(new),
        forgotten=len(new) - len(fresh),
        mirrored=len(told) - len(open_to),
        unrecalled=hidden,
        left=tuple(one for one in open_to if isinstance(one, Left) and one.says not in live),
    )


def take_in(bot: Bot, scope: str, meant: BackfillPlan, by: journal.By, *, mark: bool = True) -> TakenIn | Refused:
    """The lines of a plan as entries of a scope, each with its own date, and kept as long as one that is new. `mark`: the bot is
    told that its files were taken in, or it would add each as a whole when it next starts."""
    done = write(bot, partial(_wish, bot, scope, meant), by) if meant.fresh else None
    if isinstance(done, Refused):
        return done
    made = done.change_set if done else None
    if not mark:
        return TakenIn(made)
    try:
        return TakenIn(made, whole.mark_taken_in(maintenance.database(bot)))
    except VaultError as error:
        return TakenIn(made, trouble=say("The bot couldn’t be notified of the import. %(error)s", error=str(error)))


def _wish(bot: Bot, scope: str, meant: BackfillPlan) -> journal.CommitPlan[None]:
    path, settings, now = layout.entries_path(scope), open_bot(bot).settings, open_bot(bot).now()
    before = index.look(bot, path).data
    added = b"".join(backfill.line(one, scope, expiry(one.kind, now, settings)) for one in meant.fresh)
    change = Put(path, (before or b"") + added, base_of(before))
    why = (
        say("Imported %(count)s lines from files", count=len(meant.fresh))
        if len(meant.fresh) > 1
        else say("Imported 1 line from files")
    )
    return journal.CommitPlan([change], None, [before], why=why)


def _told(bot: Bot) -> Iterator[BackfillItem | Left]:
    memory = index.BotMemory(bot)
    for path in memory.paths():
        if backfill.kind_of(path):
            yield from backfill.found(path, memory.read(path) or b"", memory.modified(path) or open_bot(bot).now())


def _is_recalled(scope: str, kind: str) -> bool:
    return scope != scopes.GLOBAL and (scopes.chat_of(scope) is not None or kind in ABOUT_THE_USER)
