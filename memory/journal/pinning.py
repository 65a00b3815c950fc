"""Pins in the history: no file knows of them, but they are set and taken off as a change that an undo takes back."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from memory.domain.changes import By
from memory.journal.versions import batches
from memory.models import Bot, ChangeSet, Lineage, Pinned
from memory.text.sentences import say_number

PINNED, UNPINNED = "pinned", "unpinned"  # of a change set's details: the keys of its facts
MARKS = Q(details__has_key=PINNED) | Q(details__has_key=UNPINNED)


def mark(
    bot: Bot, keys: Iterable[str], by: By, *, pinned: bool, count: int = 0, undoes: ChangeSet | None = None
) -> ChangeSet | None:
    """Pin what has these keys, or unpin it, as one change; None where all of it is so already. `count`: of how many facts a person
    was told."""
    named = dict.fromkeys(keys)
    with transaction.atomic():
        had = set(Pinned.objects.filter(bot=bot).values_list("key", flat=True))
        others = [key for key in (_since(undoes, named) if undoes else named) if (key in had) != pinned]
        if not others:
            return None
        _set(bot, others, pinned=pinned)
        count = count or sum(key in named for key in others) or len(others)
        return _recorded(bot, others, by, count, pinned=pinned, undoes=undoes)


def marked(change_set: ChangeSet) -> tuple[list[str], bool]:
    """The keys that a change set pinned, or unpinned (False); none if it is about files."""
    pinned = PINNED in change_set.details
    return list(change_set.details.get(PINNED if pinned else UNPINNED, ())), pinned


def is_mark(change_set: ChangeSet) -> bool:
    """Whether a change set is about pins; its keys, which may be many, are not read."""
    return ChangeSet.objects.filter(MARKS, pk=change_set.pk).exists()


def take_back(change_set: ChangeSet, by: By) -> ChangeSet | None:
    """Unpin what a change set pinned and what that became, or the other way round; None where it is so already."""
    keys, pinned = marked(change_set)
    return mark(change_set.bot, keys, by, pinned=not pinned, undoes=change_set)


def _since(change_set: ChangeSet, keys: Iterable[str]) -> Iterable[str]:
    """These keys and those of what their facts became since a change: the pins went along (`journal/lineage.py`)."""
    later = Lineage.objects.filter(bot=change_set.bot, change_set__gt=change_set.pk).exclude(to_key="").order_by()
    known = dict.fromkeys(keys)
    fresh = list(known)
    while fresh:
        became = [
            key for some in batches(fresh) for key in later.filter(from_key__in=some).values_list("to_key", flat=True)
        ]
        fresh = [key for key in dict.fromkeys(became) if key not in known]
        known |= dict.fromkeys(fresh)
    return known


def _set(bot: Bot, keys: Sequence[str], *, pinned: bool) -> None:
    if pinned:
        Pinned.objects.bulk_create([Pinned(bot=bot, key=key) for key in keys], ignore_conflicts=True)
    else:
        for some in batches(keys):
            Pinned.objects.filter(bot=bot, key__in=some).delete()


def _recorded(
    bot: Bot, keys: Collection[str], by: By, count: int, *, pinned: bool, undoes: ChangeSet | None
) -> ChangeSet:
    now = timezone.now()
    return ChangeSet.objects.create(
        bot=bot,
        kind=ChangeSet.Kind.UNDO if undoes else ChangeSet.Kind.EDIT,
        by=by.name,
        user=by.user,
        why=_why(count, pinned=pinned),
        state=ChangeSet.State.APPLIED,
        undoes=undoes,
        details={PINNED if pinned else UNPINNED: list(keys)},
        created=now,
        finished=now,
    )


def _why(count: int, *, pinned: bool) -> str:
    if pinned:
        return say_number("Pinned %(count)s fact", "Pinned %(count)s facts", count=count)
    return say_number("Unpinned %(count)s fact", "Unpinned %(count)s facts", count=count)
