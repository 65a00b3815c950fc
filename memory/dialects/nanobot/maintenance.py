"""What is asked of and done to many entries of a database at once: count, choose and prune them, fill their search index anew."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import TypeVar

from django.core.cache import cache
from django.utils import timezone

from memory import bots, index, journal
from memory.dialects.nanobot import layout, mirror_sync
from memory.dialects.nanobot.choice import Choice
from memory.dialects.nanobot.database import whole
from memory.dialects.nanobot.database.vault import RowsVault
from memory.dialects.nanobot.entries import Entry, entries
from memory.domain.changes import Change
from memory.domain.errors import Refusal
from memory.domain.outcomes import Refused
from memory.models import Bot, ChangeSet
from memory.storage import VaultError
from memory.text.markdown.entries import FactAt
from memory.text.sentences import say

NO_DATABASE = say("This bot keeps no database of entries.")
NOT_FOUND = say(
    "No database of this bot is known: no config.json beside its workspace or in ~/.nanobot leads to "
    "one. Once the bot has started, take it off the desk and add it again."
)
NOTHING = say("No entry is meant by this. Nothing was changed.")
CHANGED = say("These entries were changed or removed since they were looked at. Nothing was changed.")
REMEMBERED = 86_400  # seconds
LOOKED_AT = 50  # documents whose rows are brought in step at once; more are left to the walk

T = TypeVar("T")
Going = tuple[str, bytes, Sequence[FactAt]]  # (path, the document's bytes, those of its entries that go)


@dataclass(frozen=True, slots=True)
class Pruned:
    """So many entries were forgotten; `left` changed after they were looked at, and stayed."""

    change_set: ChangeSet | None
    count: int
    left: int


def database(bot: Bot) -> RowsVault:
    """The bot's database. Raises ValueError for a bot that has none."""
    vault = bots.vaults(bot).get(layout.DATABASE)
    if not isinstance(vault, RowsVault):
        raise ValueError(NOT_FOUND if bot.dialect == layout.NAME else NO_DATABASE)
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
    for content in vault.everything():
        yield f"@{layout.DATABASE}/{content[0]}", content[1].data


def chosen(bot: Bot, choice: Choice, now: datetime | None = None) -> dict[str, list[Entry]]:
    """The entries that are meant, by document. Raises ValueError for a choice that means everything, RootGone and Unreadable."""
    choice.check()
    found = {path: choice.of(some, now or bots.now(bot)) for path, some in every(bot, choice.scopes)}
    return {path: some for path, some in found.items() if some}


def print_of(found: Mapping[str, Sequence[Entry]]) -> str:
    """A short text that is another one if other entries are meant, or if one of them says something else."""
    marks = sorted(repr(_mark(entry)) for some in found.values() for entry in some)
    return sha256("\n".join(marks).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def prune(bot: Bot, found: Mapping[str, Sequence[Entry]], by: journal.By) -> Pruned | Refused:
    """Forget these entries, softly, as one change set that can be undone. One that changed since it was looked at stays."""
    total = sum(map(len, found.values()))
    if not total:
        return Refused(NOTHING)
    try:
        wish, outcome = journal.attempt(bot, partial(_without, bot, found), by=by)
    except (Refusal, VaultError, ValueError, journal.Busy) as error:
        return Refused(str(error))
    if isinstance(outcome, journal.Conflict):
        return Refused(say("%(reason)s Nothing was changed.", reason=outcome.reason), outcome.passes)
    index.look_all(bot, [path for path, _, _ in wish.told[:LOOKED_AT]])
    count = sum(len(facts) for _, _, facts in wish.told)
    return Pruned(outcome.change_set, count, total - count)


def refill(bot: Bot, by: journal.By) -> whole.Refilled:
    """Fill the bot's own search index anew; the history says so if it was wrong. Raises ValueError for a bot that has no database,
    RootGone, Unreadable and WriteFailed."""
    done = whole.refill(database(bot))
    if done.mended or done.was_damaged:
        now = timezone.now()
        why = say("Mended %(mended)s entries in the bot's search index", mended=done.mended)
        if done.was_damaged:
            why = say("The bot's search index was damaged and was made anew.")
        elif done.mended == 1:
            why = say("Mended 1 entry in the bot's search index")
        ChangeSet.objects.create(
            **{"bot": bot, "token": secrets.token_hex(6), "kind": ChangeSet.Kind.EDIT, "by": by.name, "user": by.user},
            **{"why": why, "state": ChangeSet.State.APPLIED, "created": now, "finished": now},
        )
    return done


def counted(found: Iterable[Entry]) -> tuple[dict[str, int], dict[str, int]]:
    """How many entries of each kind, and of each sort of scope."""
    some = list(found)
    by = Counter(entry.kind for entry in some), Counter(entry.scope or "other" for entry in some)
    return dict(sorted(by[0].items())), dict(sorted(by[1].items()))


def _standing(bot: Bot, found: Mapping[str, Sequence[Entry]]) -> Iterator[Going]:
    """Those of the entries that say what they said."""
    vault = database(bot)
    for path, some in found.items():
        content = vault.read(path.partition("/")[2])
        marks = set(map(_mark, some))
        if content and (facts := [one.fact for one in entries(path, content.data) if _mark(one) in marks]):
            yield path, content.data, facts


def _without(bot: Bot, found: Mapping[str, Sequence[Entry]]) -> journal.Wish[list[Going]]:
    going = list(_standing(bot, found))
    if not going:
        raise Refusal(CHANGED)
    forget, beside = bots.dialect(bot).forget, mirror_sync.without(bot, going)
    changes: list[Change] = [*(forget(path, data, facts) for path, data, facts in going), *beside]
    keys = [fact.key for _, _, facts in going for fact in facts]
    why = say("Pruned %(count)s entries", count=len(keys)) if len(keys) > 1 else say("Pruned 1 entry")
    return journal.Wish(changes, going, [data for _, data, _ in going], why=why, details={"facts": keys})


def _mark(entry: Entry) -> tuple[object, ...]:
    weights = entry.importance, entry.confidence
    return entry.path, entry.id, entry.kind, entry.text, entry.created, entry.updated, entry.expires, weights
