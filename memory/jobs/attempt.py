"""One attempt at a job: it is done, or what came in between is kept with it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, InterfaceError, OperationalError, close_old_connections, connection
from django.utils import timezone

from memory import journal
from memory.domain.errors import VaultError
from memory.jobs import holder
from memory.jobs.holder import Ending, finished, handed_back, waiting
from memory.jobs.kinds import module_of
from memory.jobs.run import OFF_THE_DESK, Cancelled, Failed, Lost, Outcome, Run, Stopped, Work
from memory.jobs.timing import timing
from memory.journal import versions
from memory.llm import ModelFailed
from memory.models import ChangeSet, Job
from memory.text.sentences import say

log = logging.getLogger(__name__)
CANCELLED = say("Cancelled.")


def attempt(job: Job) -> Ending | None:
    """Do a job that was claimed, and say how it ended; None if it is another's by then."""
    run = Run(job)
    with _heart(run):
        try:
            outcome = _work(run)
        except Lost:
            return None
        except Stopped:
            return handed_back()
        except Cancelled:
            return finished(Job.State.CANCELLED, trouble=_and_written(job, CANCELLED))
        except ModelFailed as error:
            return _failed(job, str(error), error.passes)
        except Failed as error:
            return _failed(job, str(error), error.passes, error.until, error.numbers)
        except (journal.Busy, VaultError) as error:
            return _failed(job, str(error), passes=True)
        except (OperationalError, InterfaceError):
            log.warning("the database did not answer during job %s", job.pk, exc_info=True)
            close_old_connections()
            return _failed(job, say("The database was busy or unreachable."), passes=True)
        except Exception:
            log.exception("job %s broke", job.pk)
            close_old_connections()
            return _failed(job, say("An unexpected error occurred. Details are in the worker’s log."), passes=False)
        return finished(outcome.state, outcome=outcome.numbers, trouble=outcome.sentence)


def _work(run: Run) -> Outcome:
    """The work itself. One that is to be cancelled, or whose workers died too often, is only done if some of it is written: then
    it ends as it would have, or stops before it writes more."""
    job = run.job
    if job.bot.removed:
        raise Failed(OFF_THE_DESK)
    if (job.to_cancel or job.attempt > timing().tries) and run.made() is None:
        if job.to_cancel:
            raise Cancelled
        raise Failed(say("Started %(attempt)s times; the worker was stopped each time.", attempt=job.attempt - 1))
    work: Work = module_of(job).work
    return work(run)


def _failed(
    job: Job, sentence: str, passes: bool, until: datetime | None = None, numbers: dict[str, Any] | None = None
) -> Ending:
    """Fail, or wait for another attempt, as long as the numbers or `until` say. What was written before it failed is found by the
    next one; what is half-written is waited for without end."""
    allowed, made = timing(), ChangeSet.objects.filter(job=job)
    is_half = passes and made.filter(state=ChangeSet.State.WRITING).exists()
    if is_half or (job.attempt < allowed.tries and (until or passes or made.exists())):
        seconds = allowed.waits[min(job.attempt, len(allowed.waits)) - 1]
        more = {"attempt": allowed.tries - 1} if is_half and job.attempt >= allowed.tries else {}
        return waiting(until or timezone.now() + timedelta(seconds=seconds), sentence, **more)
    return finished(Job.State.FAILED, trouble=_and_written(job, sentence), outcome=numbers or {})


def _and_written(job: Job, sentence: str) -> str:
    """A job that writes several sets may end between two of them."""
    wrote = any(versions.was_written(one) for one in ChangeSet.objects.filter(job=job))
    return say("%(sentence)s What was written before that stays.", sentence=sentence) if wrote else sentence


@contextmanager
def _heart(run: Run) -> Iterator[None]:
    """While the work goes on, a thread prolongs its lease."""
    over = threading.Event()
    thread = threading.Thread(target=_beat, args=(run, over), name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _beat(run: Run, over: threading.Event) -> None:
    try:
        while not over.wait(timing().lease / 3):
            try:
                if not holder.prolong(run.job):
                    run.lost.set()
                    return
            except (DatabaseError, InterfaceError):  # the next beat tries again; the lease outlasts two that fail
                log.warning("a heartbeat of job %s failed", run.job.pk, exc_info=True)
                close_old_connections()
    finally:
        connection.close()
