"""What each kind of job does."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings

from memory.bots import families
from memory.jobs.run import Work
from memory.models import Job

# Named and not imported: a worker that never asks a model does not load what does.
_PLACES: dict[str, str] = {
    Job.Kind.COMPACTION: "memory.compaction.job",
    Job.Kind.CONSOLIDATION: "memory.compaction.consolidation.job",
    Job.Kind.SUMMARY: "memory.compaction.chats",
    Job.Kind.EXTRACTION: "memory.compaction.chats",
    Job.Kind.CHECK: "memory.checks.job",
}


def work_of(job: Job) -> Work:
    """The function `work` of the module that does such a job: its family's own, else the one for all of this kind. Django's setting
    JOB_WORKS may name another one."""
    own = families.get(job.bot.dialect).works
    places: dict[str, str] = {**_PLACES, **own, **getattr(settings, "JOB_WORKS", {})}
    work: Work = import_module(places[job.kind]).work
    return work
