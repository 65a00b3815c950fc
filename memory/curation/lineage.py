"""What became of one fact: how it was reworded, and which change took it away. Read from the rows that the journal writes."""

from __future__ import annotations

from django.db.models import Q

from memory.models import Bot, ChangeSet, Lineage, Revision

OURS = (ChangeSet.Kind.EDIT, ChangeSet.Kind.UNDO, ChangeSet.Kind.RESTORE)
STEPS = 1000  # of one life that are followed


def reworded(bot: Bot, path: str, key: str) -> str | None:
    """The key of the last wording of a fact that was reworded in its place by changes of ours; None if it was not."""
    steps = Lineage.objects.filter(bot=bot, from_path=path, to_path=path, change_set__kind__in=OURS)
    found, upto = None, 0
    for _ in range(STEPS):
        step = steps.filter(from_key=key, id__gt=upto).exclude(to_key=key).first()
        if step is None:
            break
        found = key = step.to_key
        upto = step.pk
    return found


def taken_by(bot: Bot, path: str, key: str) -> ChangeSet | None:
    """The newest change set that left a document without a fact it had before; None if none is known."""
    was, has = Q(from_path=path, from_key=key), Q(to_path=path, to_key=key)
    step = Lineage.objects.filter(was | has, bot=bot).select_related("change_set").last()
    if step is not None and (step.to_path, step.to_key) != (path, key):
        return step.change_set
    done = Revision.objects.filter(bot=bot, path=path, done=True, action=Revision.Action.DELETE)
    removed = done.select_related("change_set").last()
    return removed.change_set if removed else None
