"""What dead workers leave: their jobs go to others, their rows of Django's tasks are closed. Any number of workers may look at
once; each step is one conditional update."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from memory.jobs.run import Lost
from memory.jobs.tasks import deliver, run_job
from memory.jobs.timing import timing
from memory.models import Job

AT_ONCE = 200
LOST = f"{Lost.__module__}.{Lost.__qualname__}"
ENDED = "the worker ended before this was done, and the job was given to another one"


def reap() -> int:
    """Queue again what is held by workers that have not been heard of for a lease. Returns how many jobs that were."""
    late = Job.objects.filter(state=Job.State.RUNNING, lease__lt=timezone.now())
    return sum(_take_from(pk, holder) for pk, holder in late.values_list("pk", "holder")[:AT_ONCE])


def _take_from(pk: int, holder: str) -> bool:
    now = timezone.now()
    with transaction.atomic():
        dead = Job.objects.filter(pk=pk, holder=holder, state=Job.State.RUNNING, lease__lt=now)
        if not dead.update(state=Job.State.QUEUED, holder="", lease=None, run_after=now, doing=""):
            return False
        deliver(Job.objects.get(pk=pk))
    return True


def sweep() -> None:
    """What is rarer: tasks that were lost are delivered again, those of dead workers closed, old finished ones removed."""
    _deliver_again()
    _close_orphans()
    _forget_old()


def _ours(status: TaskResultStatus) -> QuerySet[DBTaskResult[Any, Any]]:
    return DBTaskResult.objects.filter(task_path=run_job.module_path, status=status)


def _deliver_again() -> None:
    """A job is overdue and no task names it. One that is delivered twice is done once: whoever comes second cannot claim it."""
    since = timezone.now() - timedelta(seconds=timing().lease)
    overdue = list(Job.objects.filter(state=Job.State.QUEUED, run_after__lt=since).order_by("run_after")[:AT_ONCE])
    if not overdue:
        return
    there = _ours(TaskResultStatus.READY).filter(args_kwargs__args__0__in=[job.pk for job in overdue])
    named = {row["args"][0] for row in there.values_list("args_kwargs", flat=True)}
    for job in overdue:
        if job.pk not in named:
            deliver(job)


def _close_orphans() -> None:
    """A task that runs although nobody holds its job, or somebody began with the job after it."""
    now = timezone.now()
    old = _ours(TaskResultStatus.RUNNING).filter(started_at__lt=now - timedelta(seconds=timing().lease))
    rows = {row.pk: (row.args_kwargs["args"][0], row.started_at) for row in old.order_by("started_at")[:AT_ONCE]}
    held = set(
        Job.objects.filter(pk__in={pk for pk, _ in rows.values()}, state=Job.State.RUNNING).values_list("pk", flat=True)
    )
    newest = {pk: row for row, (pk, _) in rows.items()}  # the last one wins
    dead = [row for row, (pk, _) in rows.items() if pk not in held or newest[pk] != row]
    DBTaskResult.objects.filter(pk__in=dead, status=TaskResultStatus.RUNNING).update(
        status=TaskResultStatus.FAILED, finished_at=now, exception_class_path=LOST, traceback=ENDED
    )


def _forget_old() -> None:
    """Remove the rows of tasks that ended long ago. Jobs stay: they are the record."""
    before = timezone.now() - timedelta(days=timing().keep_days)
    over = DBTaskResult.objects.finished().filter(task_path=run_job.module_path, finished_at__lte=before)
    DBTaskResult.objects.filter(pk__in=list(over.values_list("pk", flat=True)[:AT_ONCE])).delete()
