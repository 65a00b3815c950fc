"""What is asked of and done to a whole database at once: how much it holds, all its entries, its search index filled anew."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import TypeVar

from django.core.cache import cache
from django.utils import timezone

from memory import journal
from memory.bots import open_bot
from memory.curation import pruning
from memory.dialects.nanobot import layout
from memory.dialects.nanobot.database import whole
from memory.dialects.nanobot.database.vault import RowsVault
from memory.dialects.nanobot.entries import Entry, entries
from memory.models import Bot, ChangeSet
from memory.text.sentences import say

REMEMBERED = 86_400  # seconds
NO_DATABASE = say("This bot doesn’t keep entries in a database.")

T = TypeVar("T")


def database(bot: Bot) -> RowsVault:
    """The bot's database. Raises ValueError for a bot that has none."""
    vault = open_bot(bot).vaults[pruning.ability(bot).root]
    if not isinstance(vault, RowsVault):
        raise ValueError(NO_DATABASE)
    return vault


def holding(bot: Bot) -> whole.Holding:
    """How much the database holds. Raises ValueError for a bot that has none, RootGone and Unreadable."""
    return whole.holding(database(bot))


def asked_once(bot: Bot, name: str, work: Callable[[RowsVault], T]) -> T:
    """What `work` finds in the bot's database, by a name; it is done again only after somebody wrote there. Raises ValueError for a
    bot that has none, and what `work` raises."""
    vault = database(bot)
    state = vault.settled()
    told = sha256(repr((vault.file, vault.workspace, state)).encode("utf-8", "surrogatepass")).hexdigest()
    kept: tuple[T] | None = cache.get(f"{name}-{told}") if state else None
    if kept is None:
        kept = (work(vault),)
        if state and vault.settled() == state:
            cache.set(f"{name}-{told}", kept, REMEMBERED)
    return kept[0]


def every(bot: Bot, names: Sequence[str] = ()) -> Iterator[tuple[str, Sequence[Entry]]]:
    """The entries of these scopes, or of all, by document. Raises ValueError for a bot that has none, RootGone and Unreadable."""
    vault = database(bot)
    if not names:
        yield from ((path, entries(path, data)) for path, data in _documents(vault))
        return
    for path in map(layout.entries_path, names):
        content = vault.read(path.partition("/")[2])
        yield path, entries(path, content.data if content else b"")


def _documents(vault: RowsVault) -> Iterator[tuple[str, bytes]]:
    """All documents with what is in them, a portion in one look: a connection for each takes longer than most of them."""
    for path, content in vault.everything(lambda path: True):
        yield f"@{layout.DATABASE}/{path}", content.data


def refill(bot: Bot, by: journal.By) -> whole.Refilled:
    """Fill the bot's own search index anew; the history says so if it was wrong. Raises ValueError for a bot that has no database,
    RootGone, Unreadable and WriteFailed."""
    done = whole.refill(database(bot))
    if done.mended or done.was_damaged:
        now = timezone.now()
        why = say("Repaired %(mended)s entries in the bot’s search index", mended=done.mended)
        if done.was_damaged:
            why = say("The bot’s search index was damaged and has been rebuilt.")
        elif done.mended == 1:
            why = say("Repaired 1 entry in the bot’s search index")
        ChangeSet.objects.create(
            **{"bot": bot, "token": secrets.token_hex(6), "kind": ChangeSet.Kind.EDIT, "by": by.name, "user": by.user},
            **{"why": why, "state": ChangeSet.State.APPLIED, "created": now, "finished": now},
        )
    return done
