"""Jobs as rows: made, asked to stop, tried again. Every step from one state to another is one conditional update."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from memory.jobs.tasks import deliver
from memory.journal import By
from memory.journal.undone import NEVER_WRITTEN
from memory.models import Bot, ChangeSet, Job
from memory.text.sentences import say


def queue(
    bot: Bot, kind: Job.Kind, params: dict[str, Any], by: By, *, name: str = "", run_after: datetime | None = None
) -> Job:
    """A new job, handed to the workers. `name`: if one of that kind and name waits or runs already, that one is returned."""
    now = timezone.now()
    job = Job(bot=bot, kind=kind, params=params, name=name, by=by.name, created=now, run_after=run_after or now)
    job.user = by.user
    try:
        with transaction.atomic():
            job.save()
            deliver(job)
    except IntegrityError:
        twin = Job.objects.filter(
            bot=bot, kind=kind, name=name, state__in=[Job.State.QUEUED, Job.State.RUNNING]
        ).first()
        if twin is None:
            raise
        return twin
    return job


def cancel(job: Job) -> bool:
    """Stop a job: at once if nobody has begun to write, else at its holder's next step. False if it is over already, or writes
    the last of what it does."""
    attempt = Job.objects.values_list("attempt", flat=True).get(pk=job.pk)
    # What an attempt that died left half-written is finished or abandoned by a worker, who then knows which it was.
    if not ChangeSet.objects.filter(job=job).exclude(state__in=NEVER_WRITTEN).exists():
        untouched = Job.objects.filter(pk=job.pk, state=Job.State.QUEUED, attempt=attempt)
        if untouched.update(state=Job.State.CANCELLED, finished=timezone.now(), trouble=say("Cancelled.")):
            return True
    with transaction.atomic():
        now = timezone.now()
        if Job.objects.filter(pk=job.pk, state=Job.State.QUEUED).update(to_cancel=True, run_after=now):
            deliver(Job.objects.get(pk=job.pk))
            return True
        running = Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, too_late=False)
        return bool(running.update(to_cancel=True))


def again(job: Job, by: By) -> Job:
    """The same work as a new job."""
    return queue(job.bot, Job.Kind(job.kind), job.params, by, name=job.name)
