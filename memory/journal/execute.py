"""One set from intents to record: the order is the promise.

Whatever is removed or replaced is in the history, on disk, before the first file is touched; a process that dies in between
leaves intents that `recover` can finish. What is stopped half-way is taken back.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from django.db import DatabaseError, transaction

from memory.domain.errors import VaultError
from memory.journal.intents import intend
from memory.journal.inverse import inverses
from memory.journal.lineage import Link
from memory.journal.reconcile import Fitted, Vaults, fit
from memory.journal.shapes import (
    Applied,
    Beside,
    Clash,
    Conflict,
    Gate,
    OnMove,
    Staged,
    Withdrawn,
    stays,
    unfinished,
    untold,
)
from memory.journal.versions import HALFWAY
from memory.journal.write import clear_away, close, give_up, stage, write
from memory.models import ChangeSet, Revision
from memory.storage.database import unless_in_trouble
from memory.text.sentences import join_sentences, say


def carry_out(
    change_set: ChangeSet,
    fitted: list[Fitted],
    vaults: Vaults,
    moved: OnMove,
    gate: Gate | None,
    beside: Beside | None = None,
    links: Sequence[Link] = (),
    staged: Staged = untold,
    looking: Staged = untold,
) -> Applied | Conflict:
    """Write changes that fit what is there. Raises WriteFailed and its kin, and Withdrawn, with nothing changed."""
    revisions = intend(change_set, fitted, beside, links, looking)
    try:
        stage(revisions, fitted, vaults, staged)
    except VaultError as error:
        give_up(change_set, revisions, vaults, str(error))
        raise
    except Withdrawn as withdrawn:
        give_up(change_set, revisions, vaults, withdrawn.note, ChangeSet.State.ABANDONED)
        raise
    except DatabaseError:  # whoever looks whether to go on was not answered
        give_up(change_set, revisions, vaults, say("The database was busy or unreachable."))
        raise
    stopped = write(change_set, revisions, fitted, vaults, moved, gate)
    if stopped is None:
        joined = tuple(one.change.path for one in fitted if one.joined)
        with unless_in_trouble():  # the files have it: whoever recovers next ends the record
            close(change_set, revisions, kept=bool(joined))
        return Applied(change_set, joined)
    try:
        is_whole = _take_back(
            change_set, revisions, vaults, stopped.reason if isinstance(stopped, Clash) else str(stopped)
        )
    except VaultError as error:
        if not any(revision.done for revision in revisions):
            raise
        raise (stays() if change_set.details.get(HALFWAY) else unfinished(error)) from error
    if not is_whole:
        raise stays()
    if isinstance(stopped, VaultError):
        raise stopped
    return Conflict((stopped,), stopped.reason, passes=True)


def _take_back(change_set: ChangeSet, revisions: Sequence[Revision], vaults: Vaults, reason: str) -> bool:
    """What is already in the files is taken out again, and the set says why. Whether all of it is out."""
    begun = [revision for revision in revisions if revision.done]
    if not begun:
        give_up(change_set, revisions, vaults, reason)
        return True
    left = [revision for revision in revisions if not revision.done]
    clear_away(left, vaults)
    for revision in left:
        revision.slot = ""
    note = say("Stopped halfway: %(reason)s", reason=reason)
    is_whole = False
    change_set.note, change_set.details = note, {**change_set.details, HALFWAY: True}
    with transaction.atomic():
        change_set.save(update_fields=["details"])
        close(change_set, revisions)
    bot = change_set.bot
    back, clashes = fit(bot, vaults, inverses(bot, begun, vaults), "merge")
    if back and not clashes:
        undoing = ChangeSet(
            bot=bot,
            token=secrets.token_hex(6),
            kind=ChangeSet.Kind.UNDO,
            by=change_set.by,
            user=change_set.user,
            why=reason,
            undoes=change_set,
        )
        again = intend(undoing, back)
        stage(again, back, vaults)
        stopped = write(undoing, again, back, vaults, "merge", None)
        close(undoing, again)
        is_whole = stopped is None
        taken_back = say("What had been written was undone.") if is_whole else say("Some of it couldn’t be undone.")
        change_set.note = join_sentences(note, taken_back)
        change_set.save(update_fields=["note"])
    return is_whole or not (back or clashes)
