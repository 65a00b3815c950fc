"""What is done to many entries of a database at once: prune them, or take in what the files of the workspace say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memory import bots, curation, journal, library
from memory.changes import Put, digest
from memory.dialects.nanobot import backfill, layout, scopes
from memory.dialects.nanobot.choice import Choice
from memory.dialects.nanobot.entries import Entry, entries
from memory.editing import Refused
from memory.models import Bot, ChangeSet
from memory.vault import VaultError

NO_DATABASE = "This bot keeps no database of entries."
NOTHING = "No entry is meant by this. Nothing was changed."


@dataclass(frozen=True, slots=True)
class Added:
    """Entries that were taken in. `change_set` None: there was nothing new."""

    change_set: ChangeSet | None
    count: int


def chosen(bot: Bot, choice: Choice) -> dict[str, list[Entry]]:
    """The entries that are meant, by document. Raises ValueError for a choice that means everything, and Unreadable."""
    choice.check()
    now = bots.now(bot)
    found = {path: choice.of(some, now) for path, some in _entries(bot, choice.scopes)}
    return {path: some for path, some in found.items() if some}


def prune(bot: Bot, found: Mapping[str, Sequence[Entry]], by: journal.By) -> curation.Done | Refused:
    """Forget these entries, softly, as one change set that can be undone."""
    wanted = [(path, entry.fact.key, entry.fact.nth) for path, some in found.items() for entry in some]
    return curation.forget(bot, wanted, by) if wanted else Refused(NOTHING)


def take_in(bot: Bot, by: journal.By) -> Added | Refused:
    """What the workspace's files say and no entry does becomes entries of the whole workspace, a line each."""
    path = layout.entries_path(scopes.GLOBAL)
    try:
        known = [(entry.kind, entry.text) for _, some in _entries(bot, ()) for entry in some]
        fresh = list(backfill.fresh(_told(bot), known))
        before = library.look(bot, path).data
        if not fresh:
            return Added(None, 0)
        data = (before or b"") + b"".join(backfill.line(one) for one in fresh)
        change = Put(path, data, digest(before) if before is not None else None)
        outcome = journal.commit(
            bot, [change], by=by, kind=ChangeSet.Kind.EDIT, why=f"Took in {len(fresh)} lines of files"
        )
    except (VaultError, ValueError) as error:
        return Refused(str(error))
    if isinstance(outcome, journal.Conflict):
        return Refused(outcome.reason)
    library.look(bot, path)
    return Added(outcome.change_set, len(fresh))


def _entries(bot: Bot, names: Sequence[str]) -> Iterator[tuple[str, list[Entry]]]:
    """The entries of these scopes, or of all. Raises ValueError for a bot that has none, and Unreadable."""
    if layout.DATABASE not in bot.directories:
        raise ValueError(NO_DATABASE)
    memory = library.BotMemory(bot, [layout.entries_path(name) for name in names] if names else None)
    for path in memory.paths():
        if path.startswith(f"@{layout.DATABASE}/"):
            yield path, entries(path, memory.read(path) or b"")


def _told(bot: Bot) -> Iterator[backfill.Found]:
    memory = library.BotMemory(bot)
    for path in memory.paths():
        if backfill.kind_of(path):
            yield from backfill.found(path, memory.read(path) or b"", memory.modified(path) or bots.now(bot))
