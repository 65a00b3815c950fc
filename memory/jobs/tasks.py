"""How a job comes to a worker: a Django task that names it, in the same transaction as its row."""

from __future__ import annotations

from threading import get_ident

from django.db import transaction
from django_tasks import task

from memory.jobs.attempt import attempt
from memory.jobs.holder import Ending, claim, handed_back, held
from memory.models import Job

_going_on: dict[int, Job] = {}  # by the thread that does it


@task()
def run_job(pk: int) -> str:
    """One attempt at the job, if it is to be had. Returns the state it is in afterwards, "" if it is forgotten."""
    job = claim(pk)
    if job is not None:
        _going_on[get_ident()] = job
        try:
            _attempt_and_conclude(job)
        finally:
            del _going_on[get_ident()]
    return Job.objects.filter(pk=pk).values_list("state", flat=True).first() or ""


def going_on() -> list[Job]:
    """The jobs that this process is doing at this moment."""
    return list(_going_on.values())


def _attempt_and_conclude(job: Job) -> None:
    try:
        ending = attempt(job)
    except BaseException:  # Ctrl-C where a command does the job itself
        conclude(job, handed_back())
        raise
    if ending is not None:
        conclude(job, ending)


def conclude(job: Job, ending: Ending) -> bool:
    """Write down how an attempt ended. False: the job is not its holder's any more, and nothing was written."""
    with transaction.atomic():
        if not held(job).update(**ending.values):
            return False
        if ending.again:
            deliver(Job.objects.get(pk=job.pk))
    return True


def deliver(job: Job) -> None:
    """Hand a queued job to the workers, not before its time."""
    run_job.using(run_after=job.run_after).enqueue(job.pk)
