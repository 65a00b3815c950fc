"""Late appends: a bot may hold the old file open while we replace it. What it still writes there is brought home.

The old file is kept aside until nobody can write to it any more. Nobody waits for that: the next commit looks, and every few
seconds a worker does.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from memory.bots import open_bot
from memory.domain.changes import Put, digest
from memory.domain.errors import VaultError
from memory.journal import versions
from memory.journal.execute import carry_out
from memory.journal.lock import Busy, locked
from memory.journal.outside_changes import OUTSIDE, SeenDocument, observe, writer
from memory.journal.reconcile import Fitted, Vaults, merge_versions, vault_of
from memory.journal.shapes import Applied
from memory.journal.write import close, leave_archives, note_append
from memory.models import Bot, ChangeSet, Growth, Revision
from memory.storage import Stashed
from memory.text.merge.three_way import Clashed
from memory.text.sentences import say

# A commit leaves younger sets alone: looking at them costs more than waiting for the next one.
OLD_ENOUGH = timedelta(seconds=1)
LATELY = 200  # change sets


def settle(bot: Bot, patience: float = 20.0) -> int:
    """Settle all that can be settled. Returns how many documents are still under watch. Raises Busy."""
    with locked(bot, patience):
        return settle_all(bot, open_bot(bot).vaults)


def settle_recent(patience: float = 0.5) -> None:
    """Settle what was written lately for any bot, also where nobody looks. What is older or in use is left for the next time."""
    lately = ChangeSet.objects.order_by("-id").values_list("bot", "state")[:LATELY]
    waiting = {bot for bot, state in lately if state == ChangeSet.State.SETTLING}
    for bot in Bot.objects.filter(pk__in=waiting):
        with suppress(Busy):
            settle(bot, patience)


def settle_all(bot: Bot, vaults: Vaults) -> int:
    """Under the lock: look at every stash of this bot."""
    sets = list(ChangeSet.objects.filter(bot=bot, state=ChangeSet.State.SETTLING).order_by("id"))
    settle_sets(sets, vaults, old_enough=timedelta(0))
    return Revision.objects.filter(bot=bot, done=True).exclude(slot="").count()


def settle_sets(sets: Sequence[ChangeSet], vaults: Vaults, old_enough: timedelta = OLD_ENOUGH) -> None:
    """Under the lock: look at the stashes of these sets, if they are old enough."""
    now = timezone.now()
    due = {one.pk for one in sets if one.finished is None or now - one.finished >= old_enough}
    if not due:
        return
    waiting = list(Revision.objects.filter(change_set__in=due).exclude(slot="").select_related("bot"))
    settled = {revision.pk for revision in waiting if _settle_one(revision, vaults)}
    busy = {revision.change_set_id for revision in waiting if revision.pk not in settled}
    leave_archives([one for one in waiting if one.pk in settled and one.action == Revision.Action.DELETE], vaults)
    with transaction.atomic():
        Revision.objects.filter(pk__in=settled).update(slot="")
        ChangeSet.objects.filter(pk__in=due - busy).update(state=ChangeSet.State.APPLIED)


def _settle_one(revision: Revision, vaults: Vaults) -> bool:
    """Whether this revision's stash is settled now."""
    try:
        vault, below = vault_of(vaults, revision.path)
        found = vault.settle(below, revision.slot)
    except VaultError:  # not to be had now, its directory gone perhaps: no reason to write nothing else
        return False
    if found.outcome is Stashed.BUSY:
        return False
    if found.outcome is Stashed.QUIET and digest(found.data) != revision.before:
        before = versions.bytes_of(revision.bot, revision.before)
        if found.data.startswith(before):
            _bring_home(revision, found.data[len(before) :], vaults)
            return True
        _join(revision, before, found.data, vaults)
    vault.discard(below, revision.slot)
    return True


def _bring_home(revision: Revision, tail: bytes, vaults: Vaults) -> None:
    """Append what was written to the old file. The stash is named in the intent, so that a crash cannot append it twice."""
    vault, below = vault_of(vaults, revision.path)
    stat = vault.stat(below)
    change_set = _outside_set(revision, writer(revision.bot, revision.path, b"", tail))
    late = Revision(
        bot=revision.bot,
        change_set=change_set,
        path=revision.path,
        action=Revision.Action.APPEND,
        added=tail,
        size_before=stat.size if stat else None,
        slot=revision.slot,
    )
    with transaction.atomic():
        change_set.save()
        late.save()
        Revision.objects.filter(pk=revision.pk).update(slot="")
    note_append(late, vault.append(below, tail))
    vault.discard(below, late.slot)
    late.slot = ""
    Growth.objects.create(revision=late, at=timezone.now(), size=late.size_after or 0)
    close(change_set, [late])


def _join(revision: Revision, before: bytes, theirs: bytes, vaults: Vaults) -> None:
    """Somebody rewrote the old file: merge their version into what is there now, or keep it in the history and say so."""
    bot = revision.bot
    vault, below = vault_of(vaults, revision.path)
    content = vault.read(below)
    ours = content.data if content else b""
    outcome = merge_versions(bot, revision.path, before, ours, theirs)
    change_set = _outside_set(revision, OUTSIDE)
    if not isinstance(outcome, Clashed):
        if outcome.data == ours:
            return
        observe(
            bot, [SeenDocument(revision.path, content.data if content else None, content.stat if content else None)]
        )
        base = digest(ours) if content else None
        fitted = Fitted(Put(revision.path, outcome.data, base), content.stat if content else None, joined=True)
        if isinstance(carry_out(change_set, [fitted], vaults, "merge", None), Applied):
            return
        change_set = _outside_set(revision, OUTSIDE)
    change_set.state = ChangeSet.State.APPLIED
    change_set.note = say("Their version couldn’t be merged. It is kept here, and you can go back to it.")
    with transaction.atomic():
        change_set.save()
        Revision.objects.create(
            bot=bot,
            change_set=change_set,
            path=revision.path,
            action=Revision.Action.PUT,
            before=revision.before,
            after=versions.remember(bot, theirs, like=revision.before),
            size_after=len(theirs),
        )


def _outside_set(revision: Revision, by: str) -> ChangeSet:
    return ChangeSet(
        bot=revision.bot,
        token=secrets.token_hex(6),
        kind=ChangeSet.Kind.OUTSIDE,
        by=by,
        why=say("Written to the old file while it was being replaced"),
        state=ChangeSet.State.WRITING,
        created=timezone.now(),
    )
