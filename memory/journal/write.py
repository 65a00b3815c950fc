"""Bytes into files, and the record that they are there. Everything here runs under the bot's lock."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from memory.bots import open_bot
from memory.domain.changes import Append, Delete, Put
from memory.domain.errors import VaultError
from memory.domain.places import Kind
from memory.journal.intents import rewrite
from memory.journal.lineage import forget_undone
from memory.journal.outside_changes import SeenDocument, observe, set_heads
from memory.journal.reconcile import Fitted, Vaults, as_stored, fit_one, gate_refusal, is_record, vault_of
from memory.journal.shapes import Clash, Gate, OnMove, Staged, untold
from memory.models import Bot, ChangeSet, Revision, quick
from memory.storage import Appended, Moved, Vault, WriteDone
from memory.text.sentences import join_sentences, say

TRIES = 5
KEPT = say("Others wrote in the meantime; their lines were kept.")
KEPT_LATER = say("Later edits were kept.")
OUTCOME = ("done", "slot", "offset", "size_before", "size_after", "mode_after", "mtime_after", "after")


def stage(revisions: Sequence[Revision], fitted: Sequence[Fitted], vaults: Vaults, staged: Staged = untold) -> None:
    """Write and fsync every replacement beside its target, once all that goes is known to be free to go. Raises WriteFailed and
    Withdrawn; some may be staged then."""
    pairs = list(zip(revisions, fitted, strict=True))
    for revision, one in pairs:
        if isinstance(one.change, Delete):
            vault, below = vault_of(vaults, one.change.path)
            vault.stage(below, revision.slot, None, None)
    puts = [(revision, one.change) for revision, one in pairs if isinstance(one.change, Put)]
    for number, (revision, put) in enumerate(puts, 1):
        vault, below = vault_of(vaults, put.path)
        vault.stage(below, revision.slot, put.data, put.stamp)
        staged(number, len(puts))
    if not puts:
        staged(0, 0)


def write(
    change_set: ChangeSet,
    revisions: Sequence[Revision],
    fitted: list[Fitted],
    vaults: Vaults,
    moved: OnMove,
    gate: Gate | None,
) -> Clash | VaultError | None:
    """Appends first (they fail clean), then replacements, then removals; what was said comes last, since nothing takes it back.
    Returns what stopped it, if anything did."""
    said = [number for number, one in enumerate(fitted) if is_record(change_set.bot, one.change.path)]
    rest = [number for number in range(len(fitted)) if number not in said]
    try:
        for number in sorted(rest, key=lambda n: (Append, Put, Delete).index(type(fitted[n].change))):
            if isinstance(fitted[number].change, Append):
                _append(revisions[number], vaults)
                continue
            outcome = exchange(change_set, revisions[number], fitted, number, vaults, moved, gate)
            if isinstance(outcome, Clash):
                return outcome
        flush([revision.path for revision in revisions if revision.action != Revision.Action.APPEND], vaults)
        for number in said:
            _append(revisions[number], vaults)
    except VaultError as error:
        return error
    return None


def _append(revision: Revision, vaults: Vaults) -> None:
    vault, below = vault_of(vaults, revision.path)
    note_append(revision, vault.append(below, bytes(revision.added or b""), fsync=settings.FSYNC_APPENDS))


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
            outcome = vault.replace(below, revision.slot, change.data, change.base, revision.size_before)
        elif isinstance(change, Delete):
            outcome = vault.remove(below, revision.slot, change.base, revision.size_before)
        else:
            raise TypeError("an append is not exchanged")
        if isinstance(outcome, WriteDone):
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
        fitted[number] = again = as_stored(again, vaults)
        if reason := gate_refusal(gate, fitted, vaults):
            return Clash(change.path, None, None, None, reason)
        restage(change_set, revision, again, vaults)
    return Clash(fitted[number].change.path, None, None, None, say("This file keeps changing; try again in a moment."))


def _fit_again(bot: Bot, change: Put | Delete, outcome: Moved, moved: OnMove) -> Fitted | Clash | None:
    content = outcome.content
    observe(bot, [SeenDocument(change.path, content.data if content else None, content.stat if content else None)])
    return fit_one(bot, change, content, moved)


def restage(change_set: ChangeSet, revision: Revision, one: Fitted, vaults: Vaults) -> None:
    """What is to be written has changed: rewrite the intent, then stage anew."""
    vault, below = vault_of(vaults, one.change.path)
    vault.discard(below, revision.slot)
    rewrite(change_set, revision, one)
    if isinstance(one.change, Put):
        vault.stage(below, revision.slot, one.change.data, one.change.stamp)


def note_append(revision: Revision, appended: Appended) -> None:
    """An append happened: now its true offset is known."""
    revision.offset = appended.offset
    revision.size_before = None if appended.created else appended.offset
    revision.size_after = appended.offset + len(bytes(revision.added or b""))
    revision.done = True


def note_done(revision: Revision, done: WriteDone) -> None:
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


def close(change_set: ChangeSet, revisions: Sequence[Revision], *, kept: bool = False) -> None:
    """Record that the files have it. `kept`: with what others wrote."""
    unsettled = any(revision.slot for revision in revisions)
    with transaction.atomic():
        save_outcome(revisions)
        forget_undone(change_set, revisions)
        change_set.state = ChangeSet.State.SETTLING if unsettled else ChangeSet.State.APPLIED
        change_set.finished = timezone.now()
        if kept:
            change_set.note = join_sentences(
                change_set.note, KEPT_LATER if change_set.kind == ChangeSet.Kind.UNDO else KEPT
            )
        quick.save(change_set, "state", "finished", "note")


def save_outcome(revisions: Sequence[Revision]) -> None:
    """Save what became of revisions, and the heads of the documents that are now known whole."""
    quick.save_all(revisions, *OUTCOME)
    whole = {
        revision.path: (revision.after, revision.pk)
        for revision in revisions
        if revision.done and revision.action != Revision.Action.APPEND
    }
    if whole:
        set_heads(revisions[0].bot, whole)


def give_up(
    change_set: ChangeSet,
    revisions: Sequence[Revision],
    vaults: Vaults,
    reason: str,
    state: ChangeSet.State = ChangeSet.State.FAILED,
) -> None:
    """Nothing was exchanged: clear away what was staged and say why."""
    clear_away(revisions, vaults)
    with transaction.atomic():
        Revision.objects.filter(change_set=change_set).update(slot="")
        forget_undone(change_set, revisions)
        change_set.state = state
        change_set.note = reason
        change_set.finished = timezone.now()
        change_set.save(update_fields=["state", "note", "finished"])


def clear_away(revisions: Sequence[Revision], vaults: Vaults) -> None:
    """Remove what was staged, and directories of archived logs that were made for it."""
    for revision in revisions:
        if revision.slot:
            vault, below = vault_of(vaults, revision.path)
            vault.discard(below, revision.slot)
    leave_archives(revisions, vaults)


def leave_archives(revisions: Sequence[Revision], vaults: Vaults) -> None:
    """Directories of archived logs go with the last that was in them: nobody but Kenoweb makes them."""
    archived = (one.path for one in revisions if _is_archive(one))
    for path in {path.rpartition("/")[0]: path for path in archived}.values():
        vault, below = vault_of(vaults, path)
        with suppress(VaultError):
            vault.leave(below)


def _is_archive(revision: Revision) -> bool:
    place = open_bot(revision.bot).dialect.describe(revision.path)
    return place is not None and place.kind is Kind.ARCHIVE and bool(place.day)
