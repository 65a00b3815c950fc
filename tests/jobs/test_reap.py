"""What dead workers leave behind is found: jobs, Django's tasks, and what was lost between the two."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from memory import jobs
from memory.jobs import holder
from memory.jobs.reap import reap, sweep
from memory.jobs.tasks import conclude
from memory.jobs.worker import Worker
from memory.models import Job
from tests.jobs.conftest import attempted, due, tasks, toy

pytestmark = pytest.mark.database


def held_by_a_dead_worker(job):
    """The job as its worker left it when it was killed, a lease ago."""
    row = DBTaskResult.objects.filter(args_kwargs__args__0=job.pk, status="READY").latest("enqueued_at")
    row.claim("dead")
    DBTaskResult.objects.filter(pk=row.pk).update(started_at=timezone.now() - timedelta(minutes=2))
    left = holder.claim(job.pk)
    Job.objects.filter(pk=job.pk).update(lease=timezone.now() - timedelta(seconds=1))
    return left


def test_job_of_a_dead_worker_is_queued_again_once(desk):
    job = toy(desk, "append", text="milk")
    dead = held_by_a_dead_worker(job)
    assert (reap(), reap()) == (1, 0)
    assert tasks() == [job.pk]
    assert attempted(job).state == "applied"
    assert job.attempt == 2
    assert not holder.prolong(dead)
    assert not conclude(dead, holder.finished(Job.State.FAILED))


def test_job_of_a_living_worker_is_left_alone(desk):
    job = toy(desk, "nothing")
    assert holder.claim(job.pk)
    assert reap() == 0
    assert attempted(job).state == "running"


def test_job_whose_workers_die_each_time_fails_with_nothing_written(desk):
    job = toy(desk, "append", text="milk")
    for _ in range(4):
        held_by_a_dead_worker(job)
        reap()
    assert attempted(job).state == "failed"
    assert job.trouble == "Started 4 times; the worker was stopped each time."
    assert desk.tree() == {}


def test_job_that_had_written_when_its_last_worker_died_is_done(desk):
    job = toy(desk, "append_and_fall", text="milk")
    Job.objects.filter(pk=job.pk).update(attempt=2)
    attempted(job)
    for _ in range(2):
        held_by_a_dead_worker(due(job))
        reap()
    assert attempted(job).state == "applied"
    assert desk.read("2026-01-01.md").count(b"milk") == 1


def test_tasks_of_dead_workers_are_closed_and_those_of_living_ones_are_not(desk):
    dead, alive = toy(desk, "nothing"), toy(desk, "nothing")
    for job in (dead, alive):
        held_by_a_dead_worker(job)
    holder.prolong(Job.objects.get(pk=alive.pk))
    reap()
    sweep()
    assert (tasks("FAILED"), tasks("RUNNING"), tasks("READY")) == ([dead.pk], [alive.pk], [dead.pk])
    closed = DBTaskResult.objects.get(status="FAILED").task_result
    assert closed.errors[0].exception_class is jobs.Lost


def test_task_of_an_earlier_attempt_is_closed_while_a_later_one_runs(desk):
    job = toy(desk, "nothing")
    held_by_a_dead_worker(job)
    reap()
    held_by_a_dead_worker(job)
    holder.prolong(Job.objects.get(pk=job.pk))
    sweep()
    assert (tasks("FAILED"), tasks("RUNNING")) == ([job.pk], [job.pk])


def test_job_whose_task_was_lost_is_delivered_again(desk):
    lost, waiting, later = (toy(desk, "nothing") for _ in range(3))
    DBTaskResult.objects.filter(args_kwargs__args__0=lost.pk).delete()
    DBTaskResult.objects.filter(args_kwargs__args__0=later.pk).delete()
    long_ago = timezone.now() - timedelta(minutes=5)
    Job.objects.filter(pk__in=[lost.pk, waiting.pk]).update(run_after=long_ago)
    sweep()
    sweep()
    assert sorted(tasks()) == sorted([lost.pk, waiting.pk])


def test_finished_tasks_are_removed_after_two_weeks_and_jobs_stay(desk):
    old, young = attempted(toy(desk, "nothing")), attempted(toy(desk, "nothing"))
    for row, days in zip(DBTaskResult.objects.order_by("enqueued_at"), (15, 13), strict=True):
        row.set_successful("applied")
        DBTaskResult.objects.filter(pk=row.pk).update(finished_at=timezone.now() - timedelta(days=days))
    sweep()
    assert tasks("SUCCESSFUL") == [young.pk]
    assert set(Job.objects.all()) == {old, young}


def test_worker_does_all_that_is_ready_and_looks_after_the_dead(desk):
    three = [toy(desk, "append", text=f"milk {number}") for number in range(3)]
    held_by_a_dead_worker(three[0])
    Worker().run_once()
    assert [Job.objects.get(pk=job.pk).state for job in three] == ["applied"] * 3
    assert desk.read("2026-01-01.md").count(b"milk") == 3


def test_idle_worker_asks_the_database_once(desk, django_assert_num_queries):
    with django_assert_num_queries(1):
        Worker()._run_what_is_ready()
