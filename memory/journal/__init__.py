"""The one door through which memory is written: commit, undo, restore, settle, recover."""

from memory.domain.changes import By
from memory.journal.attempt import CommitPlan, attempt, commit_plan
from memory.journal.commit import commit
from memory.journal.lineage import How, Link
from memory.journal.lock import Busy, locked
from memory.journal.no_writes import no_writes
from memory.journal.outside_changes import observe
from memory.journal.preview import UndoPreview, foresee
from memory.journal.recover import recover, settle_and_recover
from memory.journal.settle import settle, settle_recent
from memory.journal.shapes import Applied, Beside, Clash, Conflict, Withdrawn
from memory.journal.undo import restore, undo

__all__ = [
    "Applied",
    "Beside",
    "Busy",
    "By",
    "Clash",
    "CommitPlan",
    "Conflict",
    "How",
    "Link",
    "UndoPreview",
    "Withdrawn",
    "attempt",
    "commit",
    "commit_plan",
    "foresee",
    "locked",
    "no_writes",
    "observe",
    "recover",
    "restore",
    "settle",
    "settle_and_recover",
    "settle_recent",
    "undo",
]
