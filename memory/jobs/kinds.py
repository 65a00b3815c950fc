"""What each kind of job does."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from django.conf import settings

from memory.bots import families
from memory.models import Job

# Named and not imported: a worker that never asks a model does not load what does, nor does who only looks at a job.
_MODULES: dict[str, str] = {
    Job.Kind.COMPACTION: "memory.compaction.job",
    Job.Kind.CONSOLIDATION: "memory.compaction.consolidation",
    Job.Kind.SUMMARY: "memory.compaction.chats",
    Job.Kind.EXTRACTION: "memory.compaction.chats",
    Job.Kind.CHECK: "memory.checks.job",
    Job.Kind.UNDO: "memory.jobs.undoing",
    Job.Kind.IMPORT: "memory.registry.importing",
    Job.Kind.HELD: "memory.webhook.accepting",
}


def module_of(job: Job) -> ModuleType:
    """The module whose `work` does such a job and whose `apply` writes what it proposed: its family's own, else that of the kind.
    Django's setting JOB_WORKS may name another one."""
    own = families.get(job.bot.dialect).works
    return import_module({**_MODULES, **own, **getattr(settings, "JOB_WORKS", {})}[job.kind])
