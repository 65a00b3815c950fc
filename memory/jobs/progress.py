"""How far a job is that reads files and writes them as one change set, as its page says it."""

from __future__ import annotations

import time
from contextlib import suppress

from django.db import DatabaseError

from memory import index
from memory.jobs import holder
from memory.jobs.run import Cancelled, Run
from memory.jobs.steps import REREADING, WRITING

EVERY = 0.5  # seconds
WALK_SECONDS = 60  # that a walk of another process may take, which began before all was written


class Progress:
    """How far the work on one of `of` scopes is, said at most every half second: each time is a write."""

    def __init__(self, run: Run, doing: str, number: int = 0, of: int = 1) -> None:
        self.run, self.before, self.scopes, self.next = run, number, of, 0.0
        self.doing = doing

    def __call__(self, done: int, total: int) -> None:
        if self._is_time():
            self.run.say(self.before * total + done, self.scopes * total, self.doing)

    def begins(self, words: str) -> None:
        """The next thing is done, of which nothing is counted yet."""
        holder.held(self.run.job).update(doing=words, done=0, total=0)

    def staged(self, done: int, total: int) -> None:
        """So much of what is written is on disk, each beside its place: until all is, it can be cancelled. A database that is busy
        before that stops nothing."""
        if done == total:
            self.run.last_call()
        elif self._is_time():
            with suppress(DatabaseError):
                self.run.say(self.before * total + done, self.scopes * total, WRITING)

    def _is_time(self) -> bool:
        if time.monotonic() < self.next:
            return False
        self.next = time.monotonic() + EVERY
        return True


def reread(run: Run) -> None:
    """Bring the rows in step with the files that a job has written, as the last of its steps."""
    progress = Progress(run, REREADING)

    def looking(done: int, total: int) -> None:
        with suppress(Cancelled):  # what was to be done is done
            progress(done, total)

    looking(0, 0)
    index.refresh(run.bot, patience=WALK_SECONDS, looking=looking)
