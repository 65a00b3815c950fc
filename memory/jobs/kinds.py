"""What each kind of job does."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings

from memory.jobs.run import Work
from memory.models import Job

# Named and not imported: a worker that never asks a model does not load what does.
_PLACES: dict[str, str] = {
    Job.Kind.COMPACTION: "memory.compaction.job",
    Job.Kind.CONSOLIDATION: "memory.compaction.consolidation.job",
    Job.Kind.SUMMARY: "memory.compaction.chats",
    Job.Kind.EXTRACTION: "memory.compaction.chats",
}


def work_of(kind: str) -> Work:
    """The function `work` of the module that does jobs of this kind; Django's setting JOB_WORKS may name another one."""
    places: dict[str, str] = {**_PLACES, **getattr(settings, "JOB_WORKS", {})}
    work: Work = import_module(places[kind]).work
    return work
