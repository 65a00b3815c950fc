"""How a job goes from state to state: each step once, by whoever holds it, and every end is said."""

from __future__ import annotations

import threading
from datetime import timedelta
from itertools import pairwise
from statistics import median

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from memory import jobs
from memory.jobs import Cancelled, Lost, Run, holder
from memory.jobs.reap import reap
from memory.jobs.run import stopping
from memory.models import ChangeSet, Job
from tests.jobs.conftest import ANA, TOY, attempted, due, old_logs, tasks, toy
from tests.support.together import together, until

pytestmark = pytest.mark.database


@pytest.fixture(autouse=True)
def told_to_go_on():
    yield
    stopping.clear()


def test_job_is_queued_with_its_task_and_done_once(desk):
    job = toy(desk, "append", text="milk")
    assert (job.state, job.by, tasks()) == ("queued", "Ana", [job.pk])
    assert attempted(job).state == "applied"
    assert (job.attempt, job.outcome, job.trouble, job.lease) == (1, {"added": 1}, "", None)
    assert job.started <= job.finished
    assert attempted(job).attempt == 1
    assert desk.read("2026-01-01.md").count(b"milk") == 1
    assert [one.job for one in ChangeSet.objects.all()] == [job]


def test_work_that_only_plans_says_why(desk):
    job = attempted(toy(desk, "plan"))
    assert (job.state, job.done, job.total, job.trouble) == ("planned", 2, 3, "It only planned.")


def test_name_is_there_once_while_it_waits_or_runs(desk):
    first = jobs.queue(desk.bot, TOY, {"act": "nothing"}, ANA, name="n")
    assert jobs.queue(desk.bot, TOY, {"act": "plan"}, ANA, name="n") == first
    assert tasks() == [first.pk]
    attempted(first)
    assert jobs.again(first, ANA).pk != first.pk


def test_job_waits_for_its_time(desk):
    later = timezone.now() + timedelta(hours=1)
    job = jobs.queue(desk.bot, TOY, {"act": "nothing"}, ANA, run_after=later)
    assert attempted(job).state == "queued"
    assert attempted(due(job)).state == "applied"


def test_of_many_who_claim_a_job_one_has_it(desk):
    job = toy(desk, "nothing")
    taken = together(6, lambda: holder.claim(job.pk))
    assert len([one for one in taken if one]) == 1
    job.refresh_from_db()
    assert (job.state, job.attempt) == ("running", 1)


@pytest.mark.parametrize("act", ["break_down", "fail"])
def test_what_cannot_be_done_fails_at_once(desk, act):
    job = attempted(toy(desk, act))
    assert (job.state, job.attempt, tasks("READY")) == ("failed", 1, [job.pk])
    assert "/" not in job.trouble
    assert job.trouble.endswith(".")
    assert desk.tree() == {}


@pytest.mark.parametrize(
    ("act", "params"),
    [
        ("fail", {"passes": True}),
        ("ask", {"fault": "timeout"}),
        ("busy", {}),
        ("full", {}),
    ],
)
def test_what_passes_is_tried_again_later_and_not_for_ever(desk, act, params):
    job = toy(desk, act, **params)
    for attempt, seconds in enumerate((15, 60, 300), 1):
        before, waits = timezone.now(), timedelta(seconds=seconds)
        assert attempted(due(job)).state == "queued"
        assert (job.attempt, job.trouble != "", len(tasks())) == (attempt, True, attempt + 1)
        assert before + waits <= job.run_after <= timezone.now() + waits
        assert attempted(job).attempt == attempt
    assert attempted(due(job)).state == "failed"
    assert job.trouble.endswith(".")


@pytest.mark.parametrize("fault", ["cap", "refused", "none set", "declined"])
def test_what_a_model_will_not_do_later_either_fails(desk, fault):
    assert attempted(toy(desk, "ask", fault=fault)).state == "failed"


def test_job_that_broke_after_it_wrote_finds_what_it_wrote(desk):
    job = attempted(toy(desk, "append_and_fall", text="milk"))
    assert job.state == "queued"
    assert attempted(due(job)).state == "applied"
    assert desk.read("2026-01-01.md").count(b"milk") == 1


def test_worker_that_was_overtaken_writes_nothing(desk):
    job = attempted(toy(desk, "be_overtaken", text="milk"))
    assert (job.state, job.holder, job.trouble) == ("running", "another", "")
    assert desk.tree() == {}
    assert not ChangeSet.objects.exists()


def test_heartbeat_keeps_the_lease(desk, settings, tmp_path):
    settings.JOB_TIMING = {"lease": 0.9}
    job, woken, leases = toy(desk, "sleep", until=str(tmp_path / "woken")), tmp_path / "woken", {}
    thread = threading.Thread(target=lambda: (attempted(job), connection.close()))
    thread.start()
    try:
        until(lambda: leases.update(dict.fromkeys(Job.objects.values_list("lease", flat=True))) or len(leases) > 7)
    finally:
        woken.touch()
        thread.join()
    waits = [(later - lease).total_seconds() for lease, later in pairwise(filter(None, leases))]
    assert median(waits) < 0.9  # some may be longer where the machine stands still
    assert Job.objects.get(pk=job.pk).state == "applied"


def test_run_ends_when_its_heart_says_that_the_job_is_lost(desk):
    run = Run(holder.claim(toy(desk, "nothing").pk))
    run.say(0, 1, "Going on")
    run.lost.set()
    with pytest.raises(jobs.Lost):
        run.say(0, 1, "Going on")
    with pytest.raises(jobs.Lost):
        run.ask([])


def test_waiting_job_is_cancelled_at_once(desk):
    job = toy(desk, "append", text="milk")
    assert jobs.cancel(job)
    assert attempted(job).state == "cancelled"
    assert (job.trouble, desk.tree()) == ("Cancelled.", {})
    assert not jobs.cancel(job)


@pytest.mark.parametrize("writes", [False, True])
def test_running_job_is_cancelled_at_its_next_step_or_before_it_writes(desk, writes):
    job = attempted(toy(desk, "be_cancelled", writes=writes))
    assert (job.state, job.trouble, desk.tree()) == ("cancelled", "Cancelled.", {})


def test_job_that_writes_the_last_of_it_is_not_cancelled_but_its_next_attempt_is(desk):
    job = toy(desk, "nothing")
    Run(holder.claim(job.pk)).fence(ChangeSet())
    assert not jobs.cancel(job)
    Job.objects.update(lease=timezone.now() - timedelta(seconds=1))
    reap()
    Run(holder.claim(job.pk))
    assert jobs.cancel(job)


def test_job_is_cancelled_until_the_last_call_where_there_is_one(desk):
    job = toy(desk, "nothing")
    run = Run(holder.claim(job.pk))
    run.early_fence(ChangeSet())
    run.last_call()
    assert not jobs.cancel(job)
    run.early_fence(ChangeSet())  # others were faster, and it is made anew
    assert jobs.cancel(job)
    with pytest.raises(Cancelled):
        run.last_call()
    Job.objects.update(holder="another")
    with pytest.raises(Lost):
        run.last_call()


@pytest.mark.parametrize(
    ("ends", "state", "note"),
    [
        (Lost, "abandoned", "Another worker took it over before anything was written."),
        (Cancelled, "abandoned", "It was called off before anything was written."),
        (OperationalError, "failed", "The database was busy or unreachable."),
    ],
)
def test_compaction_that_ends_at_its_last_call_leaves_nothing_and_says_why(desk, monkeypatch, ends, state, note):
    def last_call(run):
        raise ends

    monkeypatch.setattr(Run, "last_call", last_call)
    old_logs(desk, "2025-03-01", "2025-03-02")
    before = desk.tree()
    job = attempted(jobs.queue(desk.bot, Job.Kind.COMPACTION, {"scopes": [""], "old_logs": "archive"}, ANA))
    assert (desk.tree(), job.state != "applied") == (before, True)
    made = ChangeSet.objects.get(job=job)
    assert (made.state, made.note) == (state, note)


def test_job_that_is_cancelled_between_two_writes_says_that_one_stays(desk):
    job = attempted(toy(desk, "write_and_be_cancelled", text="milk"))
    assert (job.state, b"milk" in desk.read("2026-01-01.md")) == ("cancelled", True)
    assert job.trouble == "Cancelled. What was written before that stays."


def test_job_that_wrote_before_it_died_cannot_be_cancelled_any_more(desk):
    job = attempted(toy(desk, "append_and_fall", text="milk"))
    assert jobs.cancel(job)
    assert attempted(job).state == "applied"


def test_worker_that_is_told_to_stop_hands_its_job_back(desk):
    job = attempted(toy(desk, "stop"))
    assert (job.state, job.attempt, job.holder, tasks()) == ("queued", 0, "", [job.pk, job.pk])


def test_job_of_a_bot_off_the_desk_touches_nothing(desk):
    job = toy(desk, "append", text="milk")
    desk.bot.removed = timezone.now()
    desk.bot.save()
    assert attempted(job).state == "failed"
    assert desk.tree() == {}


def test_forgotten_job_is_no_error(desk):
    job = toy(desk, "nothing")
    key = job.pk
    job.delete()
    from memory.jobs.tasks import run_job

    assert run_job.call(key) == ""
