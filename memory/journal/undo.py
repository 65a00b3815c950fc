"""Take a change set back, whole or in part, or bring documents back to how they once were."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

from django.db.models import QuerySet

from memory.bots import open_bot
from memory.domain.changes import By, Change, Delete, Put, digest
from memory.domain.errors import Refusal
from memory.journal import pinning, versions
from memory.journal.attempt import CommitPlan, attempt
from memory.journal.inverse import inverses, possible
from memory.journal.reconcile import is_record, vault_of
from memory.journal.recover import recover
from memory.journal.shapes import Applied, Beside, Conflict, Staged, untold
from memory.journal.undone import NEVER_WRITTEN, taken_back
from memory.models import Bot, ChangeSet, Job, Revision
from memory.text.sentences import say

NOT_UNDONE = {
    ChangeSet.Kind.FOUND: say("This is the first import. Nothing to undo."),
}
ONLY_SAID = say("This only added to the transcript. Nothing to undo.")


def undo(
    bot: Bot,
    change_set: ChangeSet,
    by: By,
    paths: Collection[str] | None = None,
    *,
    job: Job | None = None,
    beside: Beside | None = None,
    looking: Staged = untold,
    staged: Staged = untold,
) -> Applied | Conflict:
    """Take a change set back, or only its part in `paths`. What others wrote since is kept. `looking` hears how many of how many
    documents were looked at. `job`, `beside` and `staged`, and what it raises: as in commit."""
    if pinning.marked(change_set)[0]:
        return Applied(pinning.take_back(change_set, by))
    try:
        make = partial(_undoing, bot, change_set, paths, looking)
        plan, outcome = attempt(bot, make, by=by, undoes=change_set, job=job, beside=beside, staged=staged)
    except (Refusal, versions.Forgotten) as error:
        return Conflict((), str(error))
    return replace(outcome, left=plan.told) if isinstance(outcome, Applied) else outcome


def _undoing(bot: Bot, change_set: ChangeSet, paths: Collection[str] | None, looking: Staged) -> CommitPlan[str]:
    """The inverse of a set over the documents as they are; what it leaves out is told. Raises Refusal and Forgotten."""
    recover(bot)
    change_set.refresh_from_db()
    reason = NOT_UNDONE.get(ChangeSet.Kind(change_set.kind)) or NEVER_WRITTEN.get(ChangeSet.State(change_set.state))
    if reason:
        raise Refusal(reason)
    done = standing(change_set).order_by("id")
    revisions = [revision for revision in done if paths is None or revision.path in paths]
    if revisions and all(is_record(bot, revision.path) for revision in revisions):
        raise Refusal(ONLY_SAID)
    vaults, seen = open_bot(bot).vaults, list[bytes]()
    changes, left = possible(bot, inverses(bot, revisions, vaults, seen, looking), vaults)
    why = say("Undid change %(pk)s", pk=change_set.pk)
    return CommitPlan(changes, left, seen, ChangeSet.Kind.UNDO, why=why, note=left)


def standing(change_set: ChangeSet) -> QuerySet[Revision]:
    """What of a set is written and not undone."""
    return change_set.revisions.filter(done=True).exclude(path__in=taken_back(change_set))


def restore(
    bot: Bot,
    revisions: Sequence[Revision],
    by: By,
    why: str = "",
    *,
    job: Job | None = None,
    beside: Beside | None = None,
    looking: Staged = untold,
    staged: Staged = untold,
) -> Applied | Conflict:
    """Bring each document back to how it was after the last of these revisions of it. Raises Forgotten, and otherwise as `undo`."""
    make = partial(_restoring, bot, revisions, why, looking)
    return attempt(bot, make, by=by, job=job, beside=beside, staged=staged)[1]


def _restoring(bot: Bot, revisions: Sequence[Revision], why: str, looking: Staged) -> CommitPlan[None]:
    """These versions in the place of what stands there now. Raises Forgotten."""
    vaults, seen = open_bot(bot).vaults, list[bytes]()
    changes: list[Change] = []
    kept = [revision for revision in revisions if not is_record(bot, revision.path)]
    last = {revision.path: revision for revision in sorted(kept, key=lambda revision: revision.pk)}
    for number, revision in enumerate(last.values()):
        looking(number, len(last))
        wanted = versions.sides(revision)[1]
        vault, below = vault_of(vaults, revision.path)
        content = vault.read(below)
        seen += [content.data] if content else []
        versions.must_not_return(revision, wanted, content.data if content else b"")
        if wanted is not None:
            changes.append(Put(revision.path, wanted, digest(content.data) if content else None))
        elif content is not None:
            changes.append(Delete(revision.path, digest(content.data)))
    return CommitPlan(changes, None, seen, ChangeSet.Kind.RESTORE, why)
