"""A bot over a real directory, and jobs that do what a test asks of them (`toys`)."""

from __future__ import annotations

import pytest
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from memory import jobs
from memory.jobs.tasks import run_job
from memory.models import Job
from tests.journal.conftest import ANA, make_desk

TOY = Job.Kind.SUMMARY


@pytest.fixture
def desk(transactional_db, tmp_path, settings, kenoweb_home):
    settings.JOB_WORKS = {TOY: "tests.jobs.toys"}
    return make_desk(tmp_path)


def toy(desk, act, **params):
    """A queued job that does what `toys` has by this name."""
    return jobs.queue(desk.bot, TOY, {"act": act, **params}, ANA)


def attempted(job):
    """The job after a worker has had it once."""
    run_job.call(job.pk)
    job.refresh_from_db()
    return job


def due(job):
    """The job when its time has come."""
    Job.objects.filter(pk=job.pk).update(run_after=timezone.now())
    job.refresh_from_db()
    return job


def tasks(status="READY"):
    """What is delivered: the jobs named by Django's tasks in this state, in order."""
    rows = DBTaskResult.objects.filter(status=status).order_by("enqueued_at")
    return [row.args_kwargs["args"][0] for row in rows]


def old_logs(desk, *days, scope=""):
    """Daily logs of two facts each that are old enough to be compacted; returns the facts."""
    facts = []
    for day in days:
        mine = [f"{scope or 'own'} fact of {day} number {number}" for number in range(2)]
        folder = f"chats/{scope}/" if scope else ""
        desk.write(f"{folder}{day}.md", "".join(f"## 10:0{n} — {one}\n\n" for n, one in enumerate(mine)).encode())
        facts += mine
    return facts
