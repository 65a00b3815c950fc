"""What an undo is about in the end: an undo can be undone, which is a redo."""

from __future__ import annotations

from collections.abc import Sequence

from memory.models import ChangeSet


def root_of(one: ChangeSet) -> tuple[ChangeSet, bool]:
    """The change set that an undo, or the undo of one, is about in the end; and whether what it did is there again."""
    links = 0
    while one.kind == ChangeSet.Kind.UNDO and (undone := _undone(one)):
        one, links = undone, links + 1
    return one, links > 0 and links % 2 == 0


def _undone(one: ChangeSet) -> ChangeSet | None:
    """What a change set took back, without its details: there may be many, and links in any number."""
    if one.undoes_id and not ChangeSet.undoes.is_cached(one):
        one.undoes = ChangeSet.objects.defer("details").get(pk=one.undoes_id)
    return one.undoes


def chain(sets: Sequence[ChangeSet]) -> None:
    """Lead those that undo one another to one another, so that what they are about is looked for once, and not once for each."""
    known = {one.pk: one for one in sets}
    for one in sets:
        if one.undoes_id in known:
            one.undoes = known[one.undoes_id]


def redoes(one: ChangeSet) -> bool:
    """Whether taking this change set back does again what it undid."""
    return one.kind == ChangeSet.Kind.UNDO and not root_of(one)[1]
