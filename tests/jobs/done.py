"""A job's work that is done at once."""

from __future__ import annotations

from memory.jobs import Outcome
from memory.models import Job


def work(run):
    return Outcome(Job.State.APPLIED)
