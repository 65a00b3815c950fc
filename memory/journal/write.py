"""Bytes into files: intents into the database first, then the files, then the record that it happened.

The order is the promise. Whatever is removed or replaced is in the history, on disk, before the first file is touched; a
process that dies in between leaves intents that `recover` can finish. Everything here runs under the bot's lock.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from memory import history
from memory.changes import Append, Delete, Put, digest
from memory.journal.fit import Fitted, Vaults, fit, fit_one, results, vault_of
from memory.journal.inverse import inverses
from memory.journal.observe import Seen, observe, set_heads
from memory.journal.shapes import Applied, Clash, Conflict, Gate, OnMove
from memory.models import Bot, ChangeSet, Delivery, Revision
from memory.vault import Appended, Done, Moved, Vault, VaultError

TRIES = 5


def carry_out(
    change_set: ChangeSet,
    fitted: list[Fitted],
    vaults: Vaults,
    moved: OnMove,
    gate: Gate | None,
    delivery: Delivery | None = None,
) -> Applied | Conflict:
    """Write changes that fit what is there. Raises WriteFailed and its kin with nothing changed."""
    revisions = intend(change_set, fitted, delivery)
    try:
        stage(revisions, fitted, vaults)
    except VaultError as error:
        give_up(change_set, revisions, vaults, str(error))
        raise
    clash = _write(change_set, revisions, fitted, vaults, moved, gate)
    joined = tuple(one.change.path for one in fitted if one.joined)
    if clash is None:
        close(change_set, revisions, joined)
        return Applied(change_set, joined)
    return _take_back(change_set, revisions, vaults, clash)


def intend(change_set: ChangeSet, fitted: Sequence[Fitted], delivery: Delivery | None = None) -> list[Revision]:
    """Write down, durably, what is about to be done. Returns the revisions in the order of `fitted`."""
    bot = change_set.bot
    durable = any(not isinstance(one.change, Append) for one in fitted)
    with _synchronous_full(durable), transaction.atomic():
        change_set.state = ChangeSet.State.WRITING
        change_set.created = timezone.now()
        change_set.save()
        revisions = [_intent(change_set, number, one) for number, one in enumerate(fitted)]
        history.remember_all(bot, [one.change.data for one in fitted if isinstance(one.change, Put)])
        Revision.objects.bulk_create(revisions, batch_size=history.ROWS_AT_ONCE)
        if delivery is not None:
            delivery.change_set = change_set
            delivery.save()
    return revisions


def _intent(change_set: ChangeSet, number: int, one: Fitted) -> Revision:
    change, before = one.change, one.before
    revision = Revision(
        bot=change_set.bot,
        change_set=change_set,
        path=change.path,
        slot=f"{change_set.token}-{number}",
        size_before=before.size if before else None,
        inode_before=before.inode if before else None,
        mode_before=before.mode if before else None,
        mtime_before=before.mtime_ns if before else None,
    )
    if isinstance(change, Append):
        revision.action = Revision.Action.APPEND
        revision.added = change.data
        revision.slot = ""
    elif isinstance(change, Put):
        revision.action = Revision.Action.PUT
        revision.before, revision.after = change.base or "", digest(change.data)
        revision.size_after = len(change.data)
        if change.stamp:
            revision.mode_after, revision.mtime_after = change.stamp.mode, change.stamp.mtime_ns
    else:
        revision.action = Revision.Action.DELETE
        revision.before = change.base
    return revision


def stage(revisions: Sequence[Revision], fitted: Sequence[Fitted], vaults: Vaults) -> None:
    for revision, one in zip(revisions, fitted, strict=True):
        if isinstance(one.change, Put):
            vault, below = vault_of(vaults, one.change.path)
            vault.stage(below, revision.slot, one.change.data, one.change.stamp)


def _write(
    change_set: ChangeSet,
    revisions: Sequence[Revision],
    fitted: list[Fitted],
    vaults: Vaults,
    moved: OnMove,
    gate: Gate | None,
) -> Clash | None:
    """Appends first (they fail clean), then replacements, then removals. Returns what stood in the way, if anything did."""
    order = sorted(range(len(fitted)), key=lambda n: (Append, Put, Delete).index(type(fitted[n].change)))
    try:
        for number in order:
            revision, one = revisions[number], fitted[number]
            vault, below = vault_of(vaults, one.change.path)
            if isinstance(one.change, Append):
                note_append(revision, vault.append(below, one.change.data, fsync=settings.FSYNC_APPENDS))
                continue
            outcome = exchange(change_set, revision, fitted, number, vaults, moved, gate)
            if isinstance(outcome, Clash):
                return outcome
        flush([revision.path for revision in revisions if revision.action != Revision.Action.APPEND], vaults)
    except VaultError as error:
        return Clash(one.change.path, None, None, None, str(error))
    return None


def exchange(
    change_set: ChangeSet,
    revision: Revision,
    fitted: list[Fitted],
    number: int,
    vaults: Vaults,
    moved: OnMove,
    gate: Gate | None,
) -> Clash | None:
    """Replace or remove one document; if somebody was quicker, fit again to what is there and try again."""
    bot = change_set.bot
    for _ in range(TRIES):
        change = fitted[number].change
        vault, below = vault_of(vaults, change.path)
        if isinstance(change, Put):
            outcome = vault.replace(below, revision.slot, change.data, change.base)
        elif isinstance(change, Delete):
            outcome = vault.remove(below, revision.slot, change.base)
        else:
            raise TypeError("an append is not exchanged")
        if isinstance(outcome, Done):
            note_done(revision, outcome)
            return None
        again = _fit_again(bot, change, outcome, moved)
        if isinstance(again, Clash):
            return again
        if again is None:  # they wrote the very same
            vault.discard(below, revision.slot)
            revision.slot = ""
            revision.done = True
            return None
        fitted[number] = again
        if gate is not None and (reason := gate(results(fitted, vaults))):
            return Clash(change.path, None, None, None, reason)
        restage(change_set, revision, again, vaults)
    return Clash(fitted[number].change.path, None, None, None, "This document keeps changing; try again in a moment.")


def _fit_again(bot: Bot, change: Put | Delete, outcome: Moved, moved: OnMove) -> Fitted | Clash | None:
    content = outcome.content
    observe(bot, [Seen(change.path, content.data if content else None, content.stat if content else None)])
    return fit_one(bot, change, content, moved)


def restage(change_set: ChangeSet, revision: Revision, one: Fitted, vaults: Vaults) -> None:
    """The intent changes with the merge, and is on disk before the file is."""
    vault, below = vault_of(vaults, one.change.path)
    vault.discard(below, revision.slot)
    slot = revision.slot
    fresh = _intent(change_set, 0, one)
    for name in (
        "action",
        "before",
        "after",
        "size_before",
        "size_after",
        "inode_before",
        "mode_before",
        "mtime_before",
    ):
        setattr(revision, name, getattr(fresh, name))
    revision.slot = slot
    with _synchronous_full(True), transaction.atomic():
        if isinstance(one.change, Put):
            history.remember(change_set.bot, one.change.data)
        revision.save()
    if isinstance(one.change, Put):
        vault.stage(below, slot, one.change.data, one.change.stamp)


def note_append(revision: Revision, appended: Appended) -> None:
    """An append happened: now its true offset is known."""
    revision.offset = appended.offset
    revision.size_before = None if appended.created else appended.offset
    revision.size_after = appended.offset + len(bytes(revision.added or b""))
    revision.done = True


def note_done(revision: Revision, done: Done) -> None:
    revision.done = True
    if done.stat is not None:
        revision.mode_after, revision.mtime_after = done.stat.mode, done.stat.mtime_ns
    if not done.stashed:
        revision.slot = ""


def flush(paths: Sequence[str], vaults: Vaults) -> None:
    by_vault: dict[int, tuple[Vault, list[str]]] = {}
    for path in paths:
        vault, below = vault_of(vaults, path)
        by_vault.setdefault(id(vault), (vault, []))[1].append(below)
    for vault, below_paths in by_vault.values():
        vault.flush(below_paths)


def close(change_set: ChangeSet, revisions: Sequence[Revision], joined: Sequence[str] = ()) -> None:
    """Record that the files have it."""
    unsettled = any(revision.slot for revision in revisions)
    with transaction.atomic():
        save_outcome(revisions)
        change_set.state = ChangeSet.State.SETTLING if unsettled else ChangeSet.State.APPLIED
        change_set.finished = timezone.now()
        if joined:
            change_set.note = "Others had written meanwhile; their lines were kept."
        change_set.save(update_fields=["state", "finished", "note"])


def save_outcome(revisions: Sequence[Revision]) -> None:
    """Save what became of revisions, and the heads of the documents that are now known whole."""
    fields = ["done", "slot", "offset", "size_before", "size_after", "mode_after", "mtime_after", "after"]
    if len(revisions) == 1:
        revisions[0].save(update_fields=fields)
    else:
        Revision.objects.bulk_update(revisions, fields, batch_size=100)
    whole = {
        revision.path: (revision.after, revision.pk)
        for revision in revisions
        if revision.done and revision.action != Revision.Action.APPEND
    }
    if whole:
        set_heads(revisions[0].bot, whole)


def give_up(change_set: ChangeSet, revisions: Sequence[Revision], vaults: Vaults, reason: str) -> None:
    """Nothing was exchanged: clear away what was staged and say why."""
    for revision in revisions:
        if revision.slot:
            vault, below = vault_of(vaults, revision.path)
            vault.discard(below, revision.slot)
    with transaction.atomic():
        Revision.objects.filter(change_set=change_set).update(slot="")
        change_set.state = ChangeSet.State.FAILED
        change_set.note = reason
        change_set.finished = timezone.now()
        change_set.save(update_fields=["state", "note", "finished"])


def _take_back(change_set: ChangeSet, revisions: Sequence[Revision], vaults: Vaults, clash: Clash) -> Conflict:
    """Something stood in the way half-way through. What is already in the files is taken out again."""
    begun = [revision for revision in revisions if revision.done]
    if not begun:
        give_up(change_set, revisions, vaults, clash.reason)
        return Conflict((clash,), clash.reason)
    for revision in revisions:
        if not revision.done and revision.slot:
            vault, below = vault_of(vaults, revision.path)
            vault.discard(below, revision.slot)
            revision.slot = ""
    close(change_set, revisions)
    bot = change_set.bot
    back, clashes = fit(bot, vaults, inverses(bot, begun, vaults), "merge")
    note = f"Stopped half-way: {clash.reason}"
    if back and not clashes:
        undoing = ChangeSet(
            bot=bot,
            token=secrets.token_hex(6),
            kind=ChangeSet.Kind.UNDO,
            by=change_set.by,
            user=change_set.user,
            why=clash.reason,
            undoes=change_set,
        )
        again = intend(undoing, back)
        stage(again, back, vaults)
        stopped = _write(undoing, again, back, vaults, "merge", None)
        close(undoing, again)
        note += " What had been written was taken back." if stopped is None else " Not all of it could be taken back."
    change_set.note = note
    change_set.save(update_fields=["note"])
    return Conflict((clash,), clash.reason)


class _synchronous_full:
    """For one transaction, make SQLite wait for the disk. PostgreSQL does so anyway."""

    def __init__(self, wanted: bool) -> None:
        self.active = wanted and connection.vendor == "sqlite" and not connection.in_atomic_block

    def __enter__(self) -> None:
        if self.active:
            self._set("FULL")

    def __exit__(self, *_: object) -> None:
        if self.active:
            self._set("NORMAL")

    def _set(self, level: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA synchronous={level}")
