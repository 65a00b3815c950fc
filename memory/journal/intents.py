"""Intents: what is about to be done, durably in the database before any file is touched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.db import connection, transaction
from django.utils import timezone

from memory.domain.changes import Append, Put, digest
from memory.journal import lineage, versions
from memory.journal.lineage import DocumentSides, Link
from memory.journal.reconcile import Fitted
from memory.journal.shapes import Beside, Staged, untold
from memory.models import Bot, ChangeSet, Revision, quick


def intend(
    change_set: ChangeSet,
    fitted: Sequence[Fitted],
    beside: Beside | None = None,
    links: Sequence[Link] = (),
    looking: Staged = untold,
) -> list[Revision]:
    """Write down, durably, what is about to be done. Returns the revisions in the order of `fitted`."""
    bot = change_set.bot
    facts = lineage.read(bot, map(_part, fitted), looking)  # before the transaction, in which nobody else can write
    durable = any(not isinstance(one.change, Append) for one in fitted)
    with _until_on_disk(durable), transaction.atomic():
        change_set.state = ChangeSet.State.WRITING
        change_set.created = timezone.now()
        change_set.save()
        revisions = [_intent(change_set, number, one) for number, one in enumerate(fitted)]
        _remember(bot, fitted)
        quick.save_all(revisions)
        lineage.record(change_set, facts, links)
        if beside is not None:
            beside(change_set)
    return revisions


def _part(one: Fitted) -> DocumentSides:
    change = one.change
    if isinstance(change, Append):
        return DocumentSides(change.path, added=change.data)
    return DocumentSides(change.path, one.data, change.data if isinstance(change, Put) else None)


def _remember(bot: Bot, fitted: Sequence[Fitted]) -> None:
    """Keep what is about to stand there, as the difference from what it is made from, and see that what is there is kept."""
    versions.remember_all(bot, [one.data for one in fitted if one.data is not None])
    puts = [one.change for one in fitted if isinstance(one.change, Put)]
    like = {digest(put.data): put.base or "" for put in puts}
    versions.remember_all(bot, [put.data for put in puts], like)


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


def rewrite(change_set: ChangeSet, revision: Revision, one: Fitted) -> None:
    """The intent changes with a merge, and is on disk before the file is. The slot stays."""
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
    with _until_on_disk(True), transaction.atomic():
        _remember(change_set.bot, [one])
        revision.save()


@contextmanager
def _until_on_disk(wanted: bool) -> Iterator[None]:
    """For one transaction, make SQLite wait for the disk. PostgreSQL does so anyway."""
    if not wanted or connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous=FULL")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous=NORMAL")
