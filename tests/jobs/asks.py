"""A job's work that asks the language model a question."""

from __future__ import annotations

from memory.jobs import Outcome
from memory.models import Job
from memory.text.message import Message


def work(run):
    run.ask([Message("user", "Are you there?")])
    return Outcome(Job.State.APPLIED)
