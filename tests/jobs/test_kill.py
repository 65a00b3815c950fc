"""Workers are killed in the middle of jobs. Every job ends once; no fact is lost, none stands twice; and what the bot writes
meanwhile stays.

First once in each state of files and rows that the jobs find: a child takes the job and kills itself at that line. Then several
times over one job, at lines by chance in the journal and the vault too, of which tests/journal/test_kill.py meets each state. Then
at any moment: real workers side by side, of which one after the other is killed and another started.
"""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.db import connection, connections
from django.utils import timezone

from memory import jobs, journal, storage
from memory.bots import open_bot
from memory.compaction import runner
from memory.jobs import progress, undoing
from memory.jobs.reap import reap, sweep
from memory.jobs.run import stopping
from memory.jobs.tasks import run_job
from memory.jobs.worker import Worker
from memory.journal import versions, write
from memory.models import ChangeSet, Job
from memory.registry import export_zip, importing, uploads
from tests.jobs.conftest import ANA, old_logs, tasks, toy
from tests.journal.conftest import make_desk
from tests.journal.test_kill import count_facts, history_agrees
from tests.support import crash
from tests.support.amounts import times
from tests.support.crash import lines_that_differ, run_and_die, watched
from tests.support.facts import words

pytestmark = [pytest.mark.database, pytest.mark.slow]

WATCHED = watched(jobs, journal, storage)
WATCHED_JOBS = watched(jobs)
WATCHED_WRITES = watched(jobs, write)
WATCHED_IMPORTS = watched(jobs, write, importing, uploads)
LINES = {"compaction": 4600, "append": 420}  # that an attempt executes there, more or less
CHAT = "telegram-1"
SEEDS = range(times(1, 4))
AT_LINES = times(4, 250)  # kills of each seed
AT_ANY_MOMENT = times(8, 200)
WORKERS = 2
PATIENCE = 400.0


@pytest.fixture(autouse=True)
def patient(settings):
    """Any number of attempts; a short lease where nobody sets the clock."""
    settings.JOB_TIMING = {"tries": 1000, "lease": 0.6, "poll": 0.02, "beat": 0.1, "sweep": 0.5}


def expire(job):
    """Its lease runs out, and whoever looks after dead workers finds it."""
    Job.objects.filter(pk=job.pk, state="running").update(lease=timezone.now())
    reap()


def die_once(job, at):
    """A worker takes the job and dies at that line. False: it came to the end before."""
    connection.close()
    return run_and_die(lambda: run_job.call(job.pk), WATCHED, at)


def states_of(desk, job):
    """The lines of the jobs that find other files or other rows than the line before, while a worker does the job."""
    connection.close()
    return lines_that_differ(lambda: run_job.call(job.pk), WATCHED_JOBS, desk.root, least=5)


def compaction_of(desk, rng):
    """A job over two scopes whose logs are old; with the facts that must be there afterwards."""
    days = rng.sample([f"2025-03-{day:02}" for day in range(1, 29)], 3)
    facts = old_logs(desk, *days[:2]) + old_logs(desk, days[2], scope=CHAT)
    desk.write("MEMORY.md", f"# Memory\n\n- known {rng.random()}\n".encode())
    job = jobs.queue(desk.bot, Job.Kind.COMPACTION, {"scopes": ["", CHAT]}, ANA)
    return job, facts


def facts_of(desk):
    dialect = open_bot(desk.bot).dialect
    return [words(fact.text) for path, data in desk.tree().items() for fact in dialect.facts(path, data)]


def ended_once(desk, job, sets):
    job.refresh_from_db()
    assert job.state == "applied", (job.state, job.trouble)
    standing = [one for one in ChangeSet.objects.filter(job=job) if versions.was_written(one)]
    assert len(standing) == sets
    before = job.attempt
    run_job.call(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempt) == ("applied", before)


def test_workers_killed_in_each_state_of_a_compaction(desk, tmp_path):
    def world(name):
        one, rng = make_desk(tmp_path / name, f"bot-{name}"), random.Random(7)
        return one, *compaction_of(one, rng)

    trial, job, _ = world("trial")
    for at in states_of(trial, job):
        one, job, facts = world(str(at))
        connection.close()
        run_and_die(lambda job=job: run_job.call(job.pk), WATCHED_JOBS, at)
        one.add("MEMORY.md", b"- the bot goes on\n")
        expire(job)
        run_job.call(job.pk)
        all_is_there(one, job, facts, 1)


@pytest.mark.parametrize("redone", [False, True])
def test_workers_killed_in_each_state_of_an_undo(desk, tmp_path, redone):
    """Also where somebody who sees that it was finished for its worker has done it again before the next one takes the job."""

    def world(name):
        one = make_desk(tmp_path / name, f"bot-{name}")
        old_logs(one, "2025-03-01", "2025-03-02")
        before = one.tree()
        archived = runner.run(one.bot, [""], ANA, old_logs="archive").change_set
        journal.settle_and_recover(one.bot, 5)
        return one, before, undoing.start(one.bot, archived, ANA)

    trial, _, first = world("trial")
    connection.close()
    states = lines_that_differ(lambda: run_job.call(first.pk), WATCHED_WRITES, trial.root, least=8)
    redos = 0
    for at in states:
        one, before, job = world(str(at))
        after = one.tree()
        connection.close()
        run_and_die(lambda job=job: run_job.call(job.pk), WATCHED_WRITES, at)
        journal.recover(one.bot)
        finished = [made for made in ChangeSet.objects.filter(job=job) if versions.was_written(made)]
        if redone and finished:
            redos += isinstance(journal.undo(one.bot, finished[0], ANA), journal.Applied)
        expire(job)
        run_job.call(job.pk)
        journal.settle_and_recover(one.bot, 5)
        assert one.tree() == (after if redone and finished else before)
        ended_once(one, job, sets=1)
        history_agrees(one)
    assert not redone or 0 < redos < len(states)


def test_workers_killed_in_each_state_of_an_import(desk, tmp_path):
    ana = User.objects.create_user("ana")
    source, file = make_desk(tmp_path / "source", "source"), tmp_path / "rosa.zip"
    source.write("MEMORY.md", b"# Memory\n\n- Likes Go\n")
    old_logs(source, "2025-03-01")
    export_zip.write(source.bot, file)

    def world(name):
        one = make_desk(tmp_path / name, f"bot-{name}")
        one.write("MEMORY.md", b"# Memory\n")
        arrival = uploads.keep(one.bot, ana.pk, [file.read_bytes()], file.name)
        return one, importing.start(one.bot, arrival, journal.By("Ana", ana))

    _, first = world("trial")
    connection.close()
    for at in lines_that_differ(lambda: run_job.call(first.pk), WATCHED_IMPORTS, tmp_path, least=8):
        one, job = world(str(at))
        connection.close()
        run_and_die(lambda job=job: run_job.call(job.pk), WATCHED_IMPORTS, at)
        expire(job)
        run_job.call(job.pk)
        journal.settle_and_recover(one.bot, 5)
        assert one.tree() == source.tree()
        assert importing.upload_of(job) is None
        ended_once(one, job, sets=1)
        history_agrees(one)


@pytest.mark.usefixtures("cancelled_while_it_prepares")
def test_workers_killed_while_they_clear_up_what_was_cancelled(desk, tmp_path):
    def world(name):
        one = make_desk(tmp_path / name, f"bot-{name}")
        old_logs(one, *(f"2025-03-0{day}" for day in range(1, 5)))
        one.write("MEMORY.md", b"# Memory\n")
        journal.recover(one.bot)
        return one, jobs.queue(one.bot, Job.Kind.COMPACTION, {"scopes": [""], "old_logs": "archive"}, ANA)

    trial, first = world("trial")
    connection.close()
    died_with = set()
    for at in lines_that_differ(lambda: run_job.call(first.pk), WATCHED_WRITES, trial.root, least=5):
        one, job = world(str(at))
        before = one.tree()
        connection.close()
        run_and_die(lambda job=job: run_job.call(job.pk), WATCHED_WRITES, at)
        died_with.add(len(one.hidden()))
        jobs.cancel(job)
        expire(job)
        run_job.call(job.pk)
        job.refresh_from_db()
        assert (job.state, one.tree(), one.hidden()) == ("cancelled", before, [])
        assert not any(path.is_dir() for path in one.root.iterdir())
        assert not any(versions.was_written(made) for made in ChangeSet.objects.filter(job=job))
        history_agrees(one)
    assert died_with >= {0, 1, 2, 3}, "nothing was there to clear up"


@pytest.mark.parametrize("end", [stopping.set, partial(os._exit, 9)], ids=["stopped", "killed"])
def test_what_was_cancelled_between_two_scopes_stays_cancelled_when_its_worker_ends(desk, monkeypatch, end):
    old_logs(desk, "2025-03-01")
    old_logs(desk, "2025-03-02", scope=CHAT)
    job = jobs.queue(desk.bot, Job.Kind.COMPACTION, {"scopes": ["", CHAT], "old_logs": "archive"}, ANA)
    told = progress.Progress.__call__

    def ended(progress, done, total):
        if progress.before:
            assert jobs.cancel(progress.run.job)
            end()
        told(progress, done, total)

    monkeypatch.setattr(progress.Progress, "__call__", ended)
    connection.close()
    if (child := os.fork()) == 0:
        try:
            run_job.call(job.pk)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    monkeypatch.undo()
    expire(job)
    run_job.call(job.pk)
    job.refresh_from_db()
    assert (job.state, job.trouble) == ("cancelled", "Cancelled. What was written before that stays.")
    assert sorted({*desk.tree()} - {*desk.hidden()}) == ["archive/2025-03-01.md", f"chats/{CHAT}/2025-03-02.md"]


@pytest.fixture
def cancelled_while_it_prepares(monkeypatch):
    """Somebody cancels a compaction when three of its files are prepared."""
    told = progress.Progress.staged

    def staged(progress, done, total):
        if done == 3:
            jobs.cancel(progress.run.job)
        told(progress, done, total)

    monkeypatch.setattr(progress.Progress, "staged", staged)
    monkeypatch.setattr(progress, "EVERY", 0)


def all_is_there(desk, job, facts, added):
    journal.settle_and_recover(desk.bot, 5)
    ended_once(desk, job, sets=2)
    now = facts_of(desk)
    assert [now.count(fact) for fact in facts] == [1] * len(facts)
    assert len(now) == len(facts) + 1 + added
    assert job.outcome == {"scopes": 2, "moved": len(facts), "duplicates": 0, "removed": 3}
    history_agrees(desk)


@pytest.mark.parametrize("seed", SEEDS)
def test_workers_killed_at_chosen_lines_of_a_compaction(desk, tmp_path, seed):
    rng, kills, world = random.Random(seed), 0, 0
    while kills < AT_LINES:
        world += 1
        one = make_desk(tmp_path / str(world), f"bot-{world}")
        job, facts = compaction_of(one, rng)
        added = 0
        while die_once(job, rng.randint(1, LINES["compaction"])):
            kills += 1
            if rng.random() < 0.4:
                one.add("MEMORY.md", f"- the bot says {rng.random()}\n".encode())
                added += 1
            expire(job)
        all_is_there(one, job, facts, added)


@pytest.mark.parametrize("seed", SEEDS)
def test_workers_killed_at_chosen_lines_of_an_append(desk, seed):
    rng, kills, number = random.Random(seed), 0, 0
    while kills < AT_LINES:
        number += 1
        job = toy(desk, "append", text=f"line {number}")
        while die_once(job, rng.randint(1, LINES["append"])):
            kills += 1
            expire(job)
        ended_once(desk, job, sets=1)
    journal.settle_and_recover(desk.bot, 5)
    assert count_facts(desk) == number


def fall_asleep(job, at):
    """A worker takes the job and stands still at that line of the jobs. Its process, or 0 if it came to the end before."""
    connection.close()
    child = os.fork()
    if child == 0:
        crash.in_child(
            lambda: run_job.call(job.pk), WATCHED_JOBS, lambda line: line == at and os.kill(os.getpid(), signal.SIGSTOP)
        )
    _, status = os.waitpid(child, os.WUNTRACED)
    return child if os.WIFSTOPPED(status) else 0


def test_workers_that_stood_still_for_a_lease_write_nothing(desk):
    """They are believed dead, another one does the job, and they go on in the middle of it."""
    states, asleep = states_of(desk, toy(desk, "append", text="line 0")), 0
    for number, at in enumerate(states, 1):
        job = toy(desk, "append", text=f"line {number}")
        if child := fall_asleep(job, at):
            asleep += 1
            wake = threading.Timer(0.2, os.kill, (child, signal.SIGCONT))  # it may hold a lock that the others wait for
            wake.start()
            expire(job)
            run_job.call(job.pk)
            wake.join()
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        ended_once(desk, job, sets=1)
    assert asleep > len(states) / 2
    journal.settle_and_recover(desk.bot, 5)
    assert count_facts(desk) == len(states) + 1


class Crew:
    """Workers in processes of their own; one that is killed is replaced."""

    def __init__(self):
        self.living = []
        self.kills = 0

    def hire(self):
        connections.close_all()
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGTERM, lambda *_: os._exit(0))  # until the worker listens itself
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
            Worker().run_until_stopped()
            os._exit(0)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
        self.living.append(child)

    def kill(self, rng):
        victim = self.living.pop(rng.randrange(len(self.living)))
        os.kill(victim, signal.SIGKILL)
        os.waitpid(victim, 0)
        self.kills += 1

    def dismiss(self):
        for child in self.living:
            os.kill(child, signal.SIGTERM)
        statuses = [os.waitpid(child, 0)[1] for child in self.living]
        self.living.clear()
        return [os.waitstatus_to_exitcode(status) for status in statuses]


@pytest.fixture
def crew():
    made = Crew()
    yield made
    for child in made.living:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def in_the_middle():
    """Whether somebody was killed in the middle of a job: on a quick machine most workers have nothing to do."""
    return Job.objects.filter(attempt__gt=1).exists()


def test_workers_killed_at_any_moment(desk, tmp_path, crew):
    rng, began = random.Random(5), time.monotonic()
    other = make_desk(tmp_path / "other", "other")
    expected, number = [], 0
    for _ in range(WORKERS):
        crew.hire()
    while (crew.kills < AT_ANY_MOMENT or not in_the_middle()) and time.monotonic() - began < PATIENCE:
        if Job.objects.filter(state="queued").count() < 6:
            number += 1
            chat = f"telegram-{number}"
            facts = old_logs(desk, "2025-02-01", "2025-02-02", scope=chat)
            compaction = jobs.queue(desk.bot, Job.Kind.COMPACTION, {"scopes": [chat]}, ANA)
            expected += [
                (desk, compaction, facts),
                (other, toy(other, "append", text=f"line {number}"), [f"line {number}"]),
            ]
        time.sleep(rng.uniform(0.02, 0.25))
        crew.kill(rng)
        crew.hire()
    while Job.objects.filter(state__in=["queued", "running"]).exists() and time.monotonic() - began < PATIENCE:
        time.sleep(0.1)
    assert crew.dismiss() == [0] * WORKERS
    assert crew.kills >= AT_ANY_MOMENT
    for one, job, _ in expected:
        journal.settle_and_recover(one.bot, 5)
        ended_once(one, job, sets=1)
    for one in (desk, other):
        wanted = [fact for owner, _, facts in expected if owner is one for fact in facts]
        assert sorted(facts_of(one)) == sorted(wanted)
        history_agrees(one)
    assert sum(job.attempt for _, job, _ in expected) > len(expected), "nobody was killed in the middle of a job"
    time.sleep(0.7)
    sweep()
    assert tasks("RUNNING") == []
