"""Commands about jobs: jobs lists them, cancels one or does one again. `done` is for commands that wait for theirs."""

from __future__ import annotations

import time
from typing import Any

from memory import jobs, llm
from memory.compaction import consolidation
from memory.jobs.reap import reap
from memory.jobs.tasks import run_job
from memory.management.cli.command import BY, CommandRefused, Invocation, Output, add, lines, one_line, plural, table
from memory.models import Job, Proposal

LOOK = 0.5  # seconds between looks at a job that another worker does, or that waits to be tried again


def register(commands: Any) -> None:
    parser = add(commands, "jobs", show, "list the bot's jobs, newest first, with progress and results")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--limit", metavar="N", type=int, default=20, help="how many; 20 by default")
    what.add_argument("--cancel", metavar="ID", type=int, help="cancel this job")
    what.add_argument("--again", metavar="ID", type=int, help="queue the same work again")


def show(call: Invocation) -> Output:
    if call.options.cancel is not None:
        return _cancel(_job(call, call.options.cancel))
    if call.options.again is not None:
        return queued(jobs.again(_job(call, call.options.again), BY))
    if call.options.limit < 1:
        raise CommandRefused("--limit must be 1 or more.")
    found = list(Job.objects.filter(bot=call.bot).order_by("-id")[: call.options.limit])
    rows = [(job.pk, job.kind, job.state, f"{job.created:%Y-%m-%d %H:%M} UTC", job.by, _note(job)) for job in found]
    return Output({"jobs": [data(job) for job in found]}, table(rows) or "This bot has no jobs yet.")


def by_meaning(call: Invocation, scopes: tuple[str, ...], options: dict[str, Any]) -> Output:
    """What `compact --by-meaning` does: say what would be asked, queue it, or do it here. Raises CommandRefused and BadOption."""
    if call.options.dry_run:
        return _told_prospect(consolidation.prospect(call.bot, scopes, **options))
    if llm.server() is None:
        raise CommandRefused(llm.NO_MODEL)
    job = consolidation.start(call.bot, scopes, BY, **options)
    return ended(done(job)) if call.options.wait else queued(job)


def queued(job: Job) -> Output:
    return Output(data(job), f"Job {job.pk} is queued. `memory jobs` shows its progress.")


def done(job: Job) -> Job:
    """The job after it was done here to its end, with all its attempts, or by the worker who was faster."""
    while True:
        run_job.call(job.pk)
        job.refresh_from_db()
        if not job.is_open:
            return job
        time.sleep(LOOK)
        reap()


def ended(job: Job) -> Output:
    found = Proposal.objects.filter(job=job).count()
    what = f"Job {job.pk}: {job.state}." + (f" {plural(found, 'suggestion')}." if found else "")
    if job.state in (Job.State.FAILED, Job.State.CANCELLED):
        return Output(data(job), problem=f"Job {job.pk}: {job.trouble}")
    return Output(data(job), lines([what, job.trouble]))


def data(job: Job) -> dict[str, Any]:
    """A job as `--json` gives it: times in ISO form, null where they have not come."""
    return {
        "job": job.pk,
        "kind": job.kind,
        "state": job.state,
        "by": job.by,
        "params": job.params,
        **{name: _iso(getattr(job, name)) for name in ("created", "run_after", "started", "finished")},
        "attempt": job.attempt,
        "done": job.done,
        "total": job.total,
        "doing": job.doing,
        "trouble": job.trouble,
        "outcome": job.outcome,
    }


def _iso(moment: Any) -> str | None:
    return moment.isoformat() if moment else None


def _note(job: Job) -> str:
    """What is worth knowing of it on one line."""
    share = f"{job.done} of {job.total}" if job.state == Job.State.RUNNING and job.total else ""
    doing = job.doing if job.state == Job.State.RUNNING else ""
    return one_line(" ".join(part for part in (share, doing, job.trouble) if part))


def _job(call: Invocation, pk: int) -> Job:
    job = Job.objects.filter(bot=call.bot, pk=pk).first()
    if job is None:
        raise CommandRefused(f"This bot has no job {pk}. `memory jobs` lists them.")
    return job


def _cancel(job: Job) -> Output:
    stops = jobs.cancel(job)
    job.refresh_from_db()
    if not stops:
        why = "already writing. `memory undo` reverts it afterwards." if job.is_open else "already finished."
        raise CommandRefused(f"Job {job.pk} is {why}", data(job))
    ends = "is cancelled." if job.state == Job.State.CANCELLED else "is being cancelled."
    return Output(data(job), f"Job {job.pk} {ends}")


def _told_prospect(found: consolidation.Prospect) -> Output:
    if found.stopped:
        raise CommandRefused(found.stopped)
    what = f"{plural(found.facts, 'old fact')} beside {plural(found.lasting, 'lasting one')}"
    text = f"Would ask about {what} in {plural(found.groups, 'question')}, some {found.tokens:,} tokens to read."
    left = [f"{path}: {why}" for path, why in found.unread]
    numbers = {"facts": found.facts, "lasting": found.lasting, "groups": found.groups, "tokens": found.tokens}
    return Output(
        {**numbers, "unread": [{"path": path, "why": why} for path, why in found.unread]}, lines([text, *left])
    )
