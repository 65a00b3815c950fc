"""The job that writes an import that takes longer than a moment, as one change set."""

from __future__ import annotations

from memory import journal
from memory.domain.errors import Refusal
from memory.jobs import steps
from memory.jobs.progress import Progress, reread
from memory.jobs.rows import queue
from memory.jobs.run import Failed, Outcome, Run
from memory.models import Bot, Job
from memory.registry import uploads
from memory.registry.uploads import Arrival
from memory.text.sentences import say


def start(bot: Bot, arrival: Arrival, by: journal.By) -> Job:
    """Queue the writing of what was shown. One that waits or runs is returned instead."""
    params = {"upload": arrival.token, "file": arrival.name}
    return queue(bot, Job.Kind.IMPORT, params, by, name=arrival.token)


def open_job(bot: Bot, arrival: Arrival) -> Job | None:
    """The job that is to write this and is not over."""
    return uploads.import_jobs().filter(bot=bot, name=arrival.token).first()


def upload_of(job: Job) -> Arrival | None:
    """What a job writes, as long as it is kept."""
    if job.kind != Job.Kind.IMPORT or job.user_id is None:
        return None
    return uploads.find(job.bot, job.user_id, job.params["upload"])


def work(run: Run) -> Outcome:
    """Write what was shown. What an earlier attempt has written is left as it is."""
    if run.made() is None:
        run.say(0, 0, steps.READING_FILES)
        _write(run, Progress(run, steps.READING_FILES))
    elif arrival := upload_of(run.job):
        uploads.drop(arrival)
    reread(run)
    return Outcome(Job.State.APPLIED)


def _write(run: Run, progress: Progress) -> None:
    job, arrival = run.job, upload_of(run.job)
    if arrival is None:
        raise Failed(say("The uploaded file isn’t kept any more. Upload it again."))
    told = {"job": job, "beside": run.early_fence, "looking": progress, "staged": progress.staged}
    try:
        outcome = uploads.apply(run.bot, arrival, journal.By(job.by, job.user), **told)
    except Refusal as refused:
        raise Failed(str(refused)) from None
    if isinstance(outcome, journal.Conflict):
        raise Failed(say("The memory has changed since the preview."))
