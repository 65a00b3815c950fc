"""Jobs as rows, in whatever state a test wants to see."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from memory.models import Job, Proposal


def job(bot, state="queued", kind="consolidation", ago=60, **fields):
    """A job that was asked for `ago` seconds ago."""
    at = timezone.now() - timedelta(seconds=ago)
    known = {"params": {"scopes": [""]}, "by": "Ana", "created": at, "run_after": at}
    if state != "queued":
        known |= {"started": at, "attempt": 1}
    if state == "running":
        known |= {"holder": "x", "lease": timezone.now() + timedelta(seconds=30)}
    elif state != "queued":
        known["finished"] = at
    return Job.objects.create(bot=bot, kind=kind, state=state, **{**known, **fields})


def source(fact):
    """A fact as a proposal names it."""
    document = fact.document
    where = {"path": document.path, "line": fact.line, "key": fact.key, "nth": fact.nth}
    return {**where, "text": fact.text, "day": document.day, "time": fact.time}


def propose(job, action, sources, **fields):
    """One more proposal of a job."""
    number = job.proposals.count() + 1
    return Proposal.objects.create(bot=job.bot, job=job, number=number, action=action, sources=sources, **fields)
