"""What the holder of a job does to its row. Each step is one conditional update, made while the job is ours or not at all."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from memory.jobs.timing import timing
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
        too_late=False,
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


@dataclass(frozen=True, slots=True)
class Ending:
    """How an attempt ended: what of the job's row changes. `again`: it goes back to the queue."""

    values: dict[str, Any]
    again: bool = False


def finished(state: Job.State, **values: Any) -> Ending:
    """The holder has done its part."""
    return Ending({**values, "state": state, "finished": timezone.now(), "lease": None})


def waiting(until: datetime, trouble: str, **values: Any) -> Ending:
    """Let somebody try again then."""
    return _queued(run_after=until, trouble=trouble, doing=say("Waiting to retry"), **values)


def handed_back() -> Ending:
    """Let another worker have it at once; the attempt does not count."""
    return _queued(run_after=timezone.now(), attempt=F("attempt") - 1, doing="")


def _queued(**values: Any) -> Ending:
    return Ending({**values, "state": Job.State.QUEUED, "holder": "", "lease": None}, again=True)


def _until(now: datetime) -> datetime:
    return now + timedelta(seconds=timing().lease)
