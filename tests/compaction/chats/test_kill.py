"""Workers die in the middle of jobs over chats, in each state that these find: each job ends once, what it writes stands once."""

from __future__ import annotations

import pytest
from django.db import connection
from django.utils import timezone

from memory import journal, storage
from memory.compaction import chats
from memory.jobs import attempt, proposals, run, tasks
from memory.jobs.reap import reap
from memory.jobs.tasks import run_job
from memory.journal import versions
from memory.models import ChangeSet, Job
from tests.compaction.chats.conftest import WORKING, make_talked, rows
from tests.journal.conftest import ANA
from tests.llm import server as play
from tests.support.amounts import LONG
from tests.support.crash import inner, lines_that_differ, run_and_die, watched

pytestmark = [pytest.mark.database, pytest.mark.slow]

WATCHED = watched(chats, proposals, run, attempt, tasks) + inner(journal, storage)
SUMMARY = "- User lives in Porto\n- User moved to Porto last week\n- Marta visits on 2026-04-03"
MOVED, VISIT = "The user moved to Porto last week.", "Marta visits on 2026-04-03."


@pytest.fixture(autouse=True)
def patient(settings):
    settings.JOB_TIMING = {"tries": 1000}


def says(messages):
    facts = [{"turn": 1, "text": MOVED}, {"turn": 2, "text": VISIT}, {"turn": 1, "text": "The user lives in Lisbon."}]
    return play.answers({"summary": SUMMARY, "facts": facts})


def dies(job, at):
    """A worker takes the job and dies at that line, and its lease runs out. False: it came to the end before."""
    connection.close()
    died = run_and_die(lambda: run_job.call(job.pk), WATCHED, at)
    Job.objects.filter(pk=job.pk, state="running").update(lease=timezone.now())
    reap()
    return died


@pytest.fixture
def world(tmp_path):
    def made(name, kind):
        one = make_talked(tmp_path / name, f"bot-{name}")
        one.set(proposals="once")
        one.say(("user", "I moved to Porto last week."), ("assistant", "Oh."), ("user", VISIT))
        one.write(WORKING, b"- User lives in Porto")
        return one, (chats.summarise if kind == "summary" else chats.pick)(one.bot, "telegram-5", ANA)

    return made


@pytest.mark.parametrize("kind", ["summary", "extraction"])
def test_workers_killed_in_each_state(desk, world, model, kind):
    model.plays(says)
    trial, job = world("trial", kind)
    connection.close()
    states = lines_that_differ(lambda: run_job.call(job.pk), WATCHED, trial.root, least=5)
    for number, at in enumerate(states):
        one, job = world(str(at), kind)
        if dies(job, at):
            if LONG or number % 3 == 0:
                dies(job, states[number // 2])  # and another one after it, halfway
            run_job.call(job.pk)
        journal.settle_and_recover(one.bot, 5)
        ended_well(one, Job.objects.get(pk=job.pk), kind)


def ended_well(desk, job, kind):
    """It is over, and another attempt would do nothing."""
    standing = [one for one in ChangeSet.objects.filter(job=job) if versions.was_written(one)]
    assert len(standing) == 1
    if kind == "summary":
        assert (job.state, job.trouble, desk.read(WORKING).decode()) == ("applied", "", SUMMARY)
        assert [one.state for one in rows(job)] == ["applied"]
    else:
        assert (job.state, job.trouble, desk.facts()) == ("planned", "", [MOVED, VISIT])
        assert [one.state for one in rows(job)] == ["applied", "applied", "open"]
    assert {one.change_set for one in rows(job) if one.state == "applied"} == set(standing)
    attempts = job.attempt
    run_job.call(job.pk)
    job.refresh_from_db()
    assert job.attempt == attempts
