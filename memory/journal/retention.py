"""The history is let go of as a bot's settings say: by age, by number, by size, and never what undo needs for so many days."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet, Sum
from django.db.models.functions import Length
from django.utils import timezone

from memory.bots.automation import automation_of
from memory.journal import versions
from memory.journal.lock import locked
from memory.models import Blob, Bot, ChangeSet, Delivery, Draft, Head, Job, Proposal, Revision

MEGABYTE = 1 << 20
ENDED = (ChangeSet.State.APPLIED, ChangeSet.State.ABANDONED, ChangeSet.State.FAILED)


@dataclass(frozen=True, slots=True)
class Due:
    """What is to be pruned: revisions, oldest first. `size` is what all versions take now, in bytes."""

    revisions: Sequence[int]
    documents: int
    oldest: datetime | None
    size: int


@dataclass(frozen=True, slots=True)
class _Row:
    pk: int
    path: str
    created: datetime
    size: int  # that goes with it: what it added, and the version that it replaced
    free: bool  # undo is not promised any more, and it is written, settled, and found in its document


def size_of(bot: Bot) -> int:
    """Bytes that the versions of a bot's documents take."""
    kept = Blob.objects.filter(bot=bot).aggregate(bytes=Sum(Length("data")))["bytes"] or 0
    added = Revision.objects.filter(bot=bot).aggregate(bytes=Sum(Length("added")))["bytes"] or 0
    return int(kept + added)


def due(bot: Bot) -> Due:
    """What the settings let go of by now."""
    wanted, now, size = automation_of(bot), timezone.now(), size_of(bot)
    rows = list(_rows(bot, now - timedelta(days=wanted.history_undo_days))) if wanted.prunes else []
    chosen = {row.pk for row in rows if wanted.history_days and row.created < now - timedelta(days=wanted.history_days)}
    chosen |= _surplus(rows, wanted.history_versions)
    chosen &= {row.pk for row in rows if row.free}
    chosen |= _too_large([row for row in rows if row.free], chosen, size, wanted.history_megabytes * MEGABYTE)
    going = [row for row in rows if row.pk in chosen]
    oldest = min((row.created for row in going), default=None)
    return Due([row.pk for row in going], len({row.path for row in going}), oldest, size)


def prune(bot: Bot, found: Due) -> int:
    """Let go of what was found; who changed what and when stays. Returns the bytes that it freed. Raises Busy."""
    with locked(bot), transaction.atomic():
        for some in versions.batches(found.revisions):
            going = Revision.objects.filter(bot=bot, pk__in=some)
            going.update(pruned=timezone.now(), added=None)
            bodies = Delivery.objects.filter(bot=bot, change_set__revisions__in=some)
            bodies.exclude(change_set__revisions__pruned=None).update(body={})
        versions.drop(bot, _unneeded(bot))
    return found.size - size_of(bot)


def forget_decided(bot: Bot) -> int:
    """Let go of the texts of what was held and decided longer ago than changes are kept; who decided and when stays. Returns how
    many."""
    days = automation_of(bot).history_days
    old = Proposal.objects.filter(bot=bot, job__kind=Job.Kind.HELD, decided__lt=timezone.now() - timedelta(days=days))
    old = old.exclude(text="", sources=[], newer={})
    if not days or not (calls := list(old.values_list("delivery", flat=True))):
        return 0
    waits = Proposal.objects.filter(bot=bot, state=Proposal.State.OPEN, delivery__isnull=False).values("delivery")
    with transaction.atomic():
        for some in versions.batches(sorted({pk for pk in calls if pk})):
            Delivery.objects.filter(bot=bot, pk__in=some).exclude(pk__in=waits).update(body={})
        return old.update(text="", sources=[], newer={})


def _rows(bot: Bot, young: datetime) -> Iterator[_Row]:
    """What is not pruned yet, oldest first."""
    blobs = Blob.objects.filter(bot=bot)
    bases = blobs.filter(parent="", sha256__in=blobs.values("parent"))  # when one goes, another one is whole
    sizes = dict(blobs.exclude(pk__in=bases).values_list("sha256", Length("data")))
    busy = ~Q(change_set__state__in=ENDED) | ~Q(slot="") | Q(action=Revision.Action.APPEND, done=True, after="")
    held = set(_standing(bot).filter(busy).values_list("pk", flat=True))
    names = ("pk", "path", "change_set__created", "before", Length("added"))
    for pk, path, created, before, added in _standing(bot).order_by("pk").values_list(*names):
        yield _Row(pk, path, created, sizes.pop(before, 0) + (added or 0), created < young and pk not in held)


def _standing(bot: Bot) -> QuerySet[Revision]:
    return Revision.objects.filter(bot=bot, pruned=None)


def _surplus(rows: Sequence[_Row], most: int) -> set[int]:
    """Those of which a document has so many newer ones."""
    newer: Counter[str] = Counter()
    found = set()
    for row in reversed(rows if most else ()):
        newer[row.path] += 1
        if newer[row.path] > most:
            found.add(row.pk)
    return found


def _too_large(rows: Sequence[_Row], chosen: set[int], size: int, most: int) -> set[int]:
    """The oldest of those that are left, until the rest fits."""
    size -= sum(row.size for row in rows if row.pk in chosen)
    found = set()
    for row in (row for row in rows if row.pk not in chosen):
        if not most or size <= most:
            break
        size -= row.size
        found.add(row.pk)
    return found


def _unneeded(bot: Bot) -> set[str]:
    """Versions that no revision, document, draft or run has any more, and that were not made just now for a merge."""
    young = timezone.now() - timedelta(days=automation_of(bot).history_undo_days)
    standing = _standing(bot)
    needed = set(standing.values_list("before", flat=True)) | set(standing.values_list("after", flat=True))
    needed |= set(Head.objects.filter(bot=bot).values_list("sha256", flat=True))
    needed |= set(Draft.objects.filter(bot=bot).values_list("base", flat=True))
    runs = ChangeSet.objects.filter(bot=bot, details__has_key="plan", revisions__pruned=None)
    needed |= set(runs.values_list("details__plan", flat=True))
    old = Blob.objects.filter(bot=bot, created__lt=young)
    return set(old.values_list("sha256", flat=True)) - needed
