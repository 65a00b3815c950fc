"""`memory jobs`, and `memory compact --by-meaning`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memory import jobs
from memory.jobs import Run, holder
from memory.jobs.tasks import run_job
from memory.management.cli.jobs import LOOK
from memory.models import ChangeSet, Job
from tests.jobs.conftest import ANA
from tests.llm import server as play

DOCS = Path(__file__).resolve().parents[3] / "docs" / "operations.md"
OPTIONS = ("--today", "2026-03-11", "--retention-days", "30")


@pytest.fixture
def compaction(terminal):
    return jobs.queue(terminal.bot, Job.Kind.COMPACTION, {"scopes": [""], "today": "2026-03-11"}, ANA)


def test_jobs_are_listed_newest_first(terminal, compaction):
    second = jobs.queue(terminal.bot, Job.Kind.COMPACTION, {}, ANA)
    run_job.call(compaction.pk)
    newer, older = terminal.json("jobs")["jobs"]
    assert (newer["job"], newer["state"], newer["started"]) == (second.pk, "queued", None)
    assert (older["state"], older["by"], older["trouble"]) == ("applied", "Ana", "")
    assert (older["outcome"]["moved"], older["outcome"]["duplicates"]) == (2, 1)
    assert [row.split()[:3] for row in terminal("jobs").out.splitlines()] == [
        [str(second.pk), "compaction", "queued"],
        [str(compaction.pk), "compaction", "applied"],
    ]
    assert len(terminal.json("jobs", "--limit", 1)["jobs"]) == 1


def test_no_jobs_is_said(terminal):
    assert terminal("jobs").out == "This bot has no jobs yet.\n"
    assert terminal.json("jobs") == {"jobs": []}


def test_job_is_cancelled_once_and_done_again(terminal, compaction):
    assert terminal("jobs", "--cancel", compaction.pk).out == f"Job {compaction.pk} is cancelled.\n"
    done = terminal("jobs", "--cancel", compaction.pk)
    assert (done.code, done.err) == (1, f"Job {compaction.pk} is already finished.\n")
    again = terminal.json("jobs", "--again", compaction.pk)
    assert (again["state"], again["params"], again["by"]) == ("queued", compaction.params, "command line")


def test_running_job_is_told_to_stop(terminal, compaction):
    Job.objects.update(state="running")
    assert terminal("jobs", "--cancel", compaction.pk).out == f"Job {compaction.pk} is being cancelled.\n"


def test_job_that_writes_the_last_of_it_is_not_told_to_stop(terminal, compaction):
    run = Run(holder.claim(compaction.pk))
    run.early_fence(ChangeSet())
    run.last_call()
    done = terminal("jobs", "--cancel", compaction.pk)
    assert (done.code, done.err) == (
        1,
        f"Job {compaction.pk} is already writing. `memory undo` reverts it afterwards.\n",
    )
    assert not Job.objects.get().to_cancel


def test_job_that_prepares_its_files_is_told_to_stop(terminal, compaction):
    Run(holder.claim(compaction.pk)).early_fence(ChangeSet())
    assert terminal("jobs", "--cancel", compaction.pk).out == f"Job {compaction.pk} is being cancelled.\n"
    assert Job.objects.get().to_cancel


@pytest.mark.parametrize("words", [("--cancel", 99), ("--again", 99), ("--limit", 0)])
def test_what_is_no_job_is_refused(terminal, words):
    done = terminal("jobs", *words)
    assert (done.code, done.err.count("\n")) == (1, 1)


def test_by_meaning_needs_a_model(terminal):
    done = terminal("compact", "--by-meaning")
    assert (done.code, done.err) == (
        1,
        "No language model set up. Set LLM_BASE_URL and LLM_MODEL in the environment.\n",
    )
    assert not Job.objects.exists()
    assert terminal("compact", "--wait").code == 1


def test_by_meaning_queues_one_job(terminal, model):
    told = terminal.json("compact", "--by-meaning", *OPTIONS)
    job = Job.objects.get()
    assert (told["job"], told["kind"], told["state"]) == (job.pk, "consolidation", "queued")
    assert terminal.json("compact", "--by-meaning", *OPTIONS)["job"] == job.pk
    assert model.asked == []


def test_dry_run_by_meaning_says_what_would_be_asked(terminal, model):
    told = terminal.json("compact", "--by-meaning", "--dry-run", *OPTIONS)
    assert told["facts"] == 2
    assert told["tokens"] > 0
    assert not Job.objects.exists()
    assert model.asked == []


def test_waiting_does_the_job_with_all_its_attempts(terminal, model, settings, monkeypatch):
    settings.JOB_TIMING = {"waits": (0.1,), "tries": 2}
    settings.LLM_TIMEOUT = 0.2
    monkeypatch.setattr("memory.management.cli.jobs.LOOK", LOOK / 5)
    model.plays(play.good(""))
    before = {path: path.read_bytes() for path in terminal.root.rglob("*") if path.is_file()}
    done = terminal("compact", "--by-meaning", "--wait", *OPTIONS)
    job = Job.objects.get()
    assert (job.state, job.attempt) == ("failed", 2)
    assert (done.code, done.err) == (1, f"Job {job.pk}: {job.trouble}\n")
    assert {path: path.read_bytes() for path in terminal.root.rglob("*") if path.is_file()} == before


def test_commands_are_in_the_docs():
    table = DOCS.read_text(encoding="utf-8")
    for words in ("jobs [--limit N]", "jobs --cancel ID", "jobs --again ID", "compact --by-meaning [--wait]"):
        assert re.search(rf"^\| `memory {re.escape(words)}` \|", table, re.MULTILINE), words
