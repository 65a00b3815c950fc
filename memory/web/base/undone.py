"""What an undo is about in the end: an undo can be undone, which is a redo."""

from __future__ import annotations

from memory.models import ChangeSet


def root_of(one: ChangeSet) -> tuple[ChangeSet, bool]:
    """The change set that an undo, or the undo of one, is about in the end; and whether what it did is there again."""
    links = 0
    while one.kind == ChangeSet.Kind.UNDO and one.undoes is not None:
        one, links = one.undoes, links + 1
    return one, links > 0 and links % 2 == 0


def redoes(one: ChangeSet) -> bool:
    """Whether taking this change set back does again what it undid."""
    return one.kind == ChangeSet.Kind.UNDO and not root_of(one)[1]
