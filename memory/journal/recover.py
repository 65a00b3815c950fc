"""Finish what a dead process began. A set that is unfinished while we hold the bot's lock belongs to nobody alive."""

from __future__ import annotations

from django.db import connection

from memory.bots import open_bot
from memory.domain.changes import Delete, Put, digest, split_path
from memory.journal import versions
from memory.journal.lock import locked
from memory.journal.outside_changes import SeenDocument, observe
from memory.journal.reconcile import Fitted, Vaults, as_stored, fit_one, vault_of
from memory.journal.settle import settle_all, settle_sets
from memory.journal.shapes import STOPPED, Clash
from memory.journal.write import close, exchange, give_up, note_append, restage
from memory.models import Bot, ChangeSet, Revision
from memory.storage import Slot, Stat
from memory.storage.in_place import late_bytes
from memory.text.sentences import join_sentences, say

SETS_AT_ONCE = 20
# By hand, because every turn asks it and the answer is nearly always: none. With parameters in place of the states SQLite
# would not use the partial index.
OPEN_SETS = """
    SELECT id FROM memory_changeset WHERE bot_id = %s AND state IN ('writing', 'settling') ORDER BY state DESC, id LIMIT %s
"""


def recover(bot: Bot) -> None:
    """Finish or abandon what was cut off. Raises Busy, and what the vault raises."""
    with locked(bot):
        finish_unfinished(bot, open_bot(bot).vaults)


def settle_and_recover(bot: Bot, patience: float) -> None:
    """Finish what was cut off and settle what can be settled. Raises Busy, and what the vault raises."""
    with locked(bot, patience):
        vaults = open_bot(bot).vaults
        finish_unfinished(bot, vaults)
        settle_all(bot, vaults)


def look_after(bot: Bot, vaults: Vaults) -> None:
    """What every commit does first, in one statement when there is nothing to do: recover, and settle what is old enough."""
    with connection.cursor() as cursor:
        cursor.execute(OPEN_SETS, [bot.pk, SETS_AT_ONCE])
        keys = [row[0] for row in cursor.fetchall()]
    sets = list(ChangeSet.objects.filter(pk__in=keys).order_by("id")) if keys else []
    if any(one.state == ChangeSet.State.WRITING for one in sets):
        finish_unfinished(bot, vaults)
    settle_sets([one for one in sets if one.state == ChangeSet.State.SETTLING], vaults)


def finish_unfinished(bot: Bot, vaults: Vaults) -> None:
    """Under the lock: every set that is still being written is finished, or abandoned if it had not begun."""
    for change_set in bot.change_sets.filter(state=ChangeSet.State.WRITING).order_by("id"):
        revisions = list(change_set.revisions.order_by("id"))
        for revision in revisions:
            revision.bot = bot
        if any(split_path(revision.path)[0] not in vaults for revision in revisions):
            continue  # it waits for the directory to be the bot's again, and holds nobody up
        if _has_begun(change_set, revisions, vaults):
            _finish(change_set, revisions, vaults)
        else:
            give_up(change_set, revisions, vaults, STOPPED, ChangeSet.State.ABANDONED)


def _has_begun(change_set: ChangeSet, revisions: list[Revision], vaults: Vaults) -> bool:
    """A turn is always finished: its sender may have gone away believing it was taken. So is an append: it may be in the file."""
    if change_set.kind in ChangeSet.TURNS:
        return True
    return any(
        revision.action == Revision.Action.APPEND or _inspect(revision, vaults) is not Slot.UNTOUCHED
        for revision in revisions
    )


def _inspect(revision: Revision, vaults: Vaults) -> Slot:
    vault, below = vault_of(vaults, revision.path)
    before = None
    if revision.inode_before is not None:
        before = Stat(
            size=revision.size_before or 0,
            mtime_ns=revision.mtime_before or 0,
            ctime_ns=0,
            inode=revision.inode_before,
            mode=revision.mode_before or 0,
        )
    return vault.inspect(below, revision.slot, before, revision.after or None)


def _finish(change_set: ChangeSet, revisions: list[Revision], vaults: Vaults) -> None:
    blocked = []
    for revision in revisions:
        if revision.action == Revision.Action.APPEND:
            _redo_append(revision, vaults)
        elif not _redo_exchange(change_set, revision, vaults):
            blocked.append(revision.path)
    note = say("Kenoweb was stopped while writing this and finished it later.")
    if blocked:
        left = say("Left alone because someone had changed them: %(paths)s.", paths=", ".join(blocked))
        note = join_sentences(note, left)
    change_set.note = join_sentences(change_set.note, note)
    close(change_set, revisions)


def _redo_append(revision: Revision, vaults: Vaults) -> None:
    """It is done if its text stands at or after the size before; else it is made."""
    vault, below = vault_of(vaults, revision.path)
    text = bytes(revision.added or b"")
    content = vault.read(below)
    data = content.data if content else b""
    at = data.find(text, min(revision.size_before or 0, len(data)))
    if at >= 0:
        revision.offset, revision.size_after, revision.done = at, at + len(text), True
    else:
        note_append(revision, vault.append(below, text))
    if revision.slot:  # the text was taken from a stash, which may go now
        vault.discard(below, revision.slot)
        revision.slot = ""


def _redo_exchange(change_set: ChangeSet, revision: Revision, vaults: Vaults) -> bool:
    """Finish one replacement or removal with its own before as base. False if somebody's other version stands in the way."""
    found = _inspect(revision, vaults)
    if found is Slot.DONE:
        revision.done = True
        return True
    bot, path = change_set.bot, revision.path
    vault, below = vault_of(vaults, path)
    content = vault.read(below)
    data = content.data if content else None
    if found is Slot.TORN and data is not None:
        old = versions.bytes_of(bot, revision.before)
        new = versions.bytes_of(bot, revision.after)
        whole = new + late_bytes(data, old, new)
        fitted: Fitted | Clash | None = Fitted(Put(path, whole, digest(data)), content.stat if content else None)
    else:
        observe(bot, [SeenDocument(path, data, content.stat if content else None)])
        fitted = fit_one(bot, _planned(bot, revision), content, "merge")
    if isinstance(fitted, Fitted):
        fitted = as_stored(fitted, vaults)
        restage(change_set, revision, fitted, vaults)
        fitted_list = [fitted]
        return exchange(change_set, revision, fitted_list, 0, vaults, "merge", None) is None
    vault.discard(below, revision.slot)
    revision.slot = ""
    revision.done = fitted is None
    return fitted is None


def _planned(bot: Bot, revision: Revision) -> Put | Delete:
    """The change that this intent stood for."""
    if revision.action == Revision.Action.DELETE:
        return Delete(revision.path, revision.before)
    return Put(revision.path, versions.bytes_of(bot, revision.after), revision.before or None)
