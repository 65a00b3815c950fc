"""How a job comes to a worker: a Django task that names it, in the same transaction as its row."""

from __future__ import annotations

from django_tasks import task

from memory.jobs.attempt import attempt
from memory.jobs.holder import claim
from memory.models import Job


@task()
def run_job(pk: int) -> str:
    """One attempt at the job, if it is to be had. Returns the state it is in afterwards, "" if it is forgotten."""
    job = claim(pk)
    if job is not None:
        attempt(job)
    return Job.objects.filter(pk=pk).values_list("state", flat=True).first() or ""


def deliver(job: Job) -> None:
    """Hand a queued job to the workers, not before its time."""
    run_job.using(run_after=job.run_after).enqueue(job.pk)
