"""What workers say they are doing, and of which steps each kind of work is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from memory.models import Job
from memory.text.sentences import Say, say

READING = say("Reading logs")
READING_FILES = say("Reading the files")
READING_CHAT = say("Reading the chat")
ASKING = say("Asking the language model")
CHECKING = say("Checking the summary")
SAVING = say("Saving suggestions")
APPLYING = say("Applying suggestions without warnings")
CHECKING_FACTS = say("Checking that no fact is lost")
SNAPSHOT = say("Keeping a snapshot of all files")
WRITING = say("Writing files")
REREADING = say("Reading the files again")


def reading(scope: str) -> str:
    """Of a chat, or of the bot itself ("")."""
    return say("Reading the old logs of %(scope)s", scope=scope) if scope else say("Reading the old logs")


def asking(number: int, count: int) -> str:
    """About one part of several."""
    return say("Asking about part %(number)s of %(count)s", number=number, count=count)


class Step(NamedTuple):
    """One step as a list names it, and what a worker says while it is at it."""

    name: str
    said: tuple[str, ...]


_ASK = Step(say("Ask the language model"), (ASKING, asking(1, 1)))
_WHOLE = (
    Step(say("Read the files"), (READING_FILES,)),
    Step(say("Write the files"), (WRITING,)),
    Step(say("Read the files again"), (REREADING,)),
)
ARCHIVE = say("Move logs to archive/")  # instead of writing the files, where that is all that is done
STEPS: Mapping[str, tuple[Step, ...]] = {
    Job.Kind.COMPACTION: (
        Step(say("Read the old logs"), (reading("-"), reading(""))),
        Step(say("Check that no fact is lost"), (CHECKING_FACTS,)),
        Step(say("Snapshot of all files"), (SNAPSHOT,)),
        Step(say("Write the files"), (WRITING,)),
        Step(say("Read the files again"), (REREADING,)),
    ),
    Job.Kind.UNDO: _WHOLE,
    Job.Kind.IMPORT: _WHOLE,
    Job.Kind.CONSOLIDATION: (
        Step(say("Read the old logs"), (READING,)),
        _ASK,
        Step(say("Save the suggestions"), (SAVING, APPLYING, WRITING)),
    ),
    Job.Kind.SUMMARY: (
        Step(say("Read the chat"), (READING_CHAT,)),
        _ASK,
        Step(say("Save the suggestions"), (CHECKING, SAVING, APPLYING, WRITING)),
    ),
    Job.Kind.EXTRACTION: (_ASK, Step(say("Save the suggestions"), (SAVING, APPLYING, WRITING))),
}

AS_ONE = (Job.Kind.UNDO, Job.Kind.IMPORT)  # whose steps are counted as one percentage


def at(kind: str, doing: str) -> int | None:
    """At which of its steps a job is that says this; None before its first."""
    steps = STEPS.get(kind, ())
    return next((number for number, step in enumerate(steps) if any(_is(doing, one) for one in step.said)), None)


def percent(kind: str, doing: str, done: int, total: int) -> int:
    """How far a job is over all its steps, of which each counts as much as another."""
    count = len(STEPS[kind])
    part = min(done, total) / total if total else 0
    return int(((at(kind, doing) or 0) + part) * 100 / count)


def writes(doing: str) -> bool:
    """Whether that is said by who writes."""
    return _is(doing, WRITING)


def _is(doing: str, said: str) -> bool:
    return isinstance(doing, Say) and isinstance(said, Say) and doing.msgid == said.msgid
