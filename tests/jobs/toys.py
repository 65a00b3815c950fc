"""A job's work that does what its parameters ask for."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from memory import journal
from memory.domain.changes import Append
from memory.domain.errors import WriteFailed
from memory.jobs import Failed, Outcome
from memory.jobs.run import stopping
from memory.llm import Fault, ModelFailed
from memory.models import ChangeSet, Job


def work(run):
    return globals()[run.job.params["act"]](run, run.job.params)


def nothing(run, params):
    return Outcome(Job.State.APPLIED, {"did": "nothing"})


def plan(run, params):
    run.say(2, 3, "Planning")
    return Outcome(Job.State.PLANNED, {}, "It only planned.")


def append(run, params):
    """A line for a log, once."""
    if run.made() is None:
        run.say(0, 1, "Appending")
        add(run, params["text"])
    return Outcome(Job.State.APPLIED, {"added": 1})


def add(run, text):
    data = f"## 09:00 — {text}\n\n".encode()
    change = [Append("2026-01-01.md", data)]
    return journal.commit(
        run.bot, change, by=journal.By("toy"), kind=ChangeSet.Kind.EDIT, job=run.job, beside=run.fence
    )


def append_and_fall(run, params):
    """It writes, and then breaks the first time."""
    if run.made() is None:
        add(run, params["text"])
        raise RuntimeError(f"fell in {Path.cwd()}")
    return Outcome(Job.State.APPLIED, {"added": 1})


def fail(run, params):
    raise Failed("It cannot be done.", passes=params.get("passes", False))


def ask(run, params):
    raise ModelFailed(Fault(params["fault"]), "The model did not answer.")


def busy(run, params):
    raise journal.Busy("Another change is being written.")


def full(run, params):
    raise WriteFailed("The disk is full.")


def break_down(run, params):
    raise RuntimeError(f"nobody thought of {Path.cwd()}")


def be_overtaken(run, params):
    """Its lease runs out, and somebody else takes the job before it writes."""
    Job.objects.filter(pk=run.job.pk).update(holder="another")
    add(run, params["text"])


def be_cancelled(run, params):
    Job.objects.filter(pk=run.job.pk).update(to_cancel=True)
    if params.get("writes"):
        add(run, "never")
    run.say(0, 1, "Going on")


def write_and_be_cancelled(run, params):
    add(run, params["text"])
    Job.objects.filter(pk=run.job.pk).update(to_cancel=True)
    run.say(1, 2, "Going on")


def stop(run, params):
    """Its worker is told to stop while it works."""
    stopping.set()
    run.say(0, 1, "Going on")


def sleep(run, params):
    """It waits for something that does not listen, such as a slow model, until this file is there."""
    run.say(0, 1, "Sleeping")
    while not Path(params["until"]).exists():
        time.sleep(0.02)
    run.say(1, 1, "Slept")
    return Outcome(Job.State.APPLIED)


def die(run, params):
    os.kill(os.getpid(), signal.SIGKILL)
