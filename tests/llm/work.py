"""A job's work that writes what a language model answers: nothing is written if the answer cannot be used."""

from __future__ import annotations

from memory import journal
from memory.domain.changes import Append
from memory.jobs import Outcome
from memory.models import ChangeSet, Job
from memory.text.message import Message


def facts(found):
    if not isinstance(found.get("facts"), list):
        raise ValueError("no facts")
    return found["facts"]


def work(run):
    found = run.ask_json([Message("user", "What is worth remembering?")], schema={"type": "object"}, check=facts)
    lines = "".join(f"- {fact}\n" for fact in found).encode()
    by, kind = journal.By("toy"), ChangeSet.Kind.EDIT
    journal.commit(run.bot, [Append("MEMORY.md", lines)], by=by, kind=kind, job=run.job, beside=run.fence)
    return Outcome(Job.State.APPLIED)
