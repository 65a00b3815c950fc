"""A job as the one who does it sees it: what is asked, how far it is, whether it may go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import Event
from typing import Any, TypeVar

from memory import journal
from memory.bots.automation import AT_ONCE, automation_of
from memory.domain.errors import VaultError
from memory.jobs import holder
from memory.jobs.steps import WRITING
from memory.journal import versions
from memory.journal.shapes import STOPPED, unfinished
from memory.llm import Reply, budget
from memory.models import Bot, ChangeSet, Job
from memory.text.message import Message
from memory.text.sentences import say

T = TypeVar("T")
OFF_THE_DESK = say("The bot was removed from Kenoweb.")

# Set when this process is told to stop: every attempt in it hands its job back at its next step.
stopping = Event()


class Lost(journal.Withdrawn):
    """The job is another worker's by now. Whoever finds out stops and writes nothing."""

    note = say("Another worker took it over before anything was written.")


class Cancelled(journal.Withdrawn):
    """Somebody wants the job to stop."""


class Stopped(journal.Withdrawn):
    """This process is told to stop: the job goes back to the queue, for another worker."""

    note = STOPPED


class Failed(Exception):
    """The job cannot be done; the message is a sentence for people. `passes`: it may go well the next time. `numbers` are kept as
    `Job.outcome` where it may not."""

    def __init__(
        self,
        sentence: str,
        *,
        passes: bool = False,
        until: datetime | None = None,
        numbers: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(sentence)
        self.passes, self.until, self.numbers = passes, until, numbers or {}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a job: applied to the files, or planned, its proposals waiting. `numbers` are kept as `Job.outcome`, the
    sentence as `Job.trouble`."""

    state: Job.State
    numbers: dict[str, Any] = field(default_factory=dict)
    sentence: str = ""  # what is worth saying besides, such as why it only planned


@dataclass(slots=True)
class Run:
    """One attempt at a job."""

    job: Job
    lost: Event = field(default_factory=Event)  # set by the heartbeat when the job is not ours any more
    more: bool = False  # whether it writes more than the next change set: then it can be cancelled until the last

    @property
    def bot(self) -> Bot:
        return self.job.bot

    def say(self, done: int, total: int, doing: str) -> None:
        """Progress: so many of so many, and what is being done, a plain sentence. Raises Lost, Cancelled and Stopped: call it
        before each step that takes long."""
        self._may_go_on()
        if not holder.prolong(self.job, done=done, total=total, doing=doing):
            raise Lost
        if Job.objects.filter(pk=self.job.pk, to_cancel=True).exists():
            raise Cancelled

    def ask(self, messages: Sequence[Message], *, schema: dict[str, Any] | None = None, most: int = 2000) -> Reply:
        """Ask the language model, on the job's account. Raises ModelFailed, and what `say` raises."""
        self._may_go_on()
        return budget.ask(self.bot, self.job.kind, messages, schema=schema, most=most, job=self.job)

    def ask_json(
        self, messages: Sequence[Message], *, schema: dict[str, Any], check: Callable[[Any], T], most: int = 2000
    ) -> T:
        """The same for an answer that is a JSON object: what `check` makes of it, or its ValueError as ModelFailed."""
        self._may_go_on()
        return budget.ask_json(self.bot, self.job.kind, messages, schema=schema, check=check, most=most, job=self.job)

    def fence(self, change_set: ChangeSet) -> None:
        """For `journal.commit(beside=…)`: the intents are only written while the job is ours and nobody wants it to stop. Raises
        Lost, Cancelled, and Failed if the bot is no longer on the desk. Afterwards it is too late to cancel, unless
        there is `more`."""
        self._intend(too_late=not self.more)

    def early_fence(self, change_set: ChangeSet) -> None:
        """The same where `last_call` comes before any file is changed: until then it can be cancelled."""
        self._intend(too_late=False, done=0, total=0)

    def last_call(self) -> None:
        """What is to be written is prepared, and files are changed next. Raises Lost, Stopped and Cancelled. Afterwards it is too
        late to cancel, as after `fence`."""
        self._may_go_on()
        if not holder.held(self.job).filter(to_cancel=False).update(too_late=not self.more):
            raise self._why_not()

    def _intend(self, *, too_late: bool, **values: int) -> None:
        free = holder.held(self.job).filter(to_cancel=False, bot__removed=None)
        if free.update(doing=WRITING, too_late=too_late, **values):
            return
        if Job.objects.filter(pk=self.job.pk, bot__removed__isnull=False).exists():
            raise Failed(OFF_THE_DESK)
        raise self._why_not()

    def _why_not(self) -> Lost | Cancelled:
        return Cancelled() if holder.held(self.job).exists() else Lost()

    def applies_at_once(self) -> bool:
        """Whether the owner wants what passed every check to be applied without being asked, as it is set at this moment."""
        self.bot.refresh_from_db(fields=["settings"])
        return automation_of(self.bot).proposals == AT_ONCE

    def sets(self) -> list[ChangeSet]:
        """The change sets that earlier attempts at this job have written and that stand. What a dead attempt left unfinished is
        finished or abandoned first. Raises Busy, what the vault raises, and HalfWritten where that cannot be done now."""
        made = ChangeSet.objects.filter(job=self.job)
        try:
            journal.recover(self.bot)
        except VaultError as error:
            raise (unfinished(error) if made.filter(state=ChangeSet.State.WRITING).exists() else error) from error
        if made.filter(state=ChangeSet.State.WRITING).exists():
            raise unfinished()
        return [one for one in made.order_by("id") if versions.was_written(one)]

    def made(self) -> ChangeSet | None:
        """The first change set that an earlier attempt has written; None if there is none that stands. Raises as `sets`."""
        return next(iter(self.sets()), None)

    def _may_go_on(self) -> None:
        if self.lost.is_set():
            raise Lost
        if stopping.is_set():
            raise Stopped


Work = Callable[[Run], Outcome]
