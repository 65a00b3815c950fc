"""A job as the one who does it sees it: what is asked, how far it is, whether it may go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from memory import spending
from memory.llm import Reply
from memory.models import Bot, ChangeSet, Job
from memory.text.talk import Message


class Lost(Exception):
    """The job is another worker's by now. Whoever finds out stops and writes nothing."""


class Cancelled(Exception):
    """Somebody wants the job to stop."""


class Failed(Exception):
    """The job cannot be done; the message is a sentence for people. `passes`: it may go well the next time."""

    def __init__(self, sentence: str, *, passes: bool = False) -> None:
        super().__init__(sentence)
        self.passes = passes


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a job: applied to the files, or planned, its proposals waiting. `numbers` are kept as `Job.outcome`."""

    state: Job.State
    numbers: dict[str, Any] = field(default_factory=dict)
    sentence: str = ""  # what is worth saying besides, such as why it only planned


@dataclass(slots=True)
class Run:
    """One attempt at a job."""

    job: Job

    @property
    def bot(self) -> Bot:
        return self.job.bot

    def say(self, done: int, total: int, doing: str) -> None:
        """Progress: so many of so many, and what is being done, a plain sentence. Raises Lost and Cancelled: call it before each
        step that takes long."""
        held = Job.objects.filter(pk=self.job.pk, holder=self.job.holder, state=Job.State.RUNNING)
        if not held.update(done=done, total=total, doing=doing[:200]):
            raise Lost
        if Job.objects.filter(pk=self.job.pk, to_cancel=True).exists():
            raise Cancelled

    def ask(self, messages: Sequence[Message], *, schema: dict[str, Any] | None = None, most: int = 2000) -> Reply:
        """Ask the language model, on the job's account. Raises ModelFailed."""
        return spending.ask(self.bot, self.job.kind, messages, schema=schema, most=most, job=self.job)

    def fence(self, change_set: ChangeSet) -> None:
        """For `journal.commit(beside=…)`: the intents are only written while the job is ours. Raises Lost."""
        if not Job.objects.filter(pk=self.job.pk, holder=self.job.holder, state=Job.State.RUNNING).update(
            doing="Writing the files"
        ):
            raise Lost

    def made(self) -> ChangeSet | None:
        """The change set that an earlier attempt at this job has written; None if there is none that stands."""
        from memory import history, journal

        journal.recover(self.bot)
        sets = ChangeSet.objects.filter(job=self.job).order_by("id")
        return next((one for one in sets if history.stands(one)), None)


Work = Callable[[Run], Outcome]
