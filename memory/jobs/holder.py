"""What the holder of a job does to its row. Each step is one conditional update, made while the job is ours or not at all."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from memory.jobs.rules import rules
from memory.models import Job
from memory.text.sentences import say


def claim(pk: int) -> Job | None:
    """Take a job that waits and whose time has come; None if it is not to be had. `holder` is a word of this attempt alone."""
    now, holder = timezone.now(), secrets.token_hex(16)
    free = Job.objects.filter(pk=pk, state=Job.State.QUEUED, run_after__lte=now)
    taken = free.update(
        state=Job.State.RUNNING,
        holder=holder,
        lease=_until(now),
        attempt=F("attempt") + 1,
        started=Coalesce("started", now),
        done=0,
        total=0,
        doing="",
        trouble="",
    )
    if not taken:
        return None
    job = Job.objects.select_related("bot", "user").get(pk=pk)
    job.holder = holder
    return job


def held(job: Job) -> QuerySet[Job]:
    """The job's row, as long as it is its holder's."""
    return Job.objects.filter(pk=job.pk, holder=job.holder, state=Job.State.RUNNING)


def prolong(job: Job, **values: Any) -> bool:
    """The holder lives. False: the job is not its any more."""
    return bool(held(job).update(lease=_until(timezone.now()), **values))


def finish(job: Job, state: Job.State, **values: Any) -> bool:
    """The holder has done its part. False: the job is not its any more, and nothing was written."""
    return bool(held(job).update(state=state, finished=timezone.now(), lease=None, **values))


def wait(job: Job, until: datetime, trouble: str) -> bool:
    """Let somebody try again then. False: the job is not ours any more."""
    return _requeue(job, run_after=until, trouble=trouble, doing=say("Waits to be tried again"))


def hand_back(job: Job) -> bool:
    """Let another worker have it at once; the attempt does not count. False: the job is not ours any more."""
    return _requeue(job, run_after=timezone.now(), attempt=F("attempt") - 1, doing="")


def _requeue(job: Job, **values: Any) -> bool:
    from memory.jobs.tasks import deliver  # it knows how a job is attempted, and attempts end here

    with transaction.atomic():
        if not held(job).update(state=Job.State.QUEUED, holder="", lease=None, **values):
            return False
        deliver(Job.objects.get(pk=job.pk))
    return True


def _until(now: datetime) -> datetime:
    return now + timedelta(seconds=rules().lease)
