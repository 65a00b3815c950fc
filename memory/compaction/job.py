"""The job that compacts fact by fact: the bot's own logs and chats' logs, each scope a change set of its own, so that turns need
never wait long and what is done need not be done again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from memory import journal
from memory.compaction import runner
from memory.domain.changes import digest
from memory.domain.outcomes import Refused
from memory.jobs import steps
from memory.jobs.progress import Progress, reread
from memory.jobs.rows import queue
from memory.jobs.run import Failed, Outcome, Run
from memory.models import Bot, ChangeSet, Job
from memory.text.sentences import say
from memory.text.storable import keepable

COUNTS = ("moved", "duplicates", "removed")


def work(run: Run) -> Outcome:
    """Compact the scopes in `params` ("scopes", the bot's own logs if there are none named) by its options, those of
    `runner.plan` and "today". A scope that an earlier attempt has written is left alone; where all
    are, it is too late to cancel."""
    job = run.job
    scopes = list(dict.fromkeys(job.params.get("scopes") or [""]))
    sets = run.sets()
    done = {scope for one in sets for scope in one.details["scopes"]}
    troubles: list[Refused] = []
    for number, scope in enumerate(scopes):
        if keepable(scope) in done:
            continue
        progress = Progress(run, steps.reading(scope), number, len(scopes))
        run.more = number + 1 < len(scopes)
        progress(0, int(len(scopes) > 1))  # how many logs there are is not known yet, how many scopes is
        ran = _compact(run, scope, progress)
        if isinstance(ran, Refused):
            troubles.append(ran)
        elif ran.change_set:
            sets.append(ran.change_set)
    if troubles and (len(troubles) == len(scopes) or any(one.passes for one in troubles)):
        raise Failed(troubles[0].reason, passes=any(one.passes for one in troubles))
    reread(run)
    sentence = say("Some logs were left as they are: %(reason)s", reason=troubles[0].reason) if troubles else ""
    return Outcome(Job.State.APPLIED, numbers(sets, len(scopes)), sentence)


def numbers(sets: list[ChangeSet], scopes: int) -> dict[str, Any]:
    """What change sets did, summed: facts moved, duplicates, logs removed, and logs archived if there are any."""
    archived = sum(one.details.get("archived_logs", 0) for one in sets)
    told = {"scopes": scopes, **{name: sum(one.details.get(name, 0) for one in sets) for name in COUNTS}}
    return {**told, "archived_logs": archived} if archived else told


def planned_counts(job: Job) -> runner.Counts:
    """What the plan of a compaction would do; nothing where there was none yet."""
    told = job.params.get("counts") or {}
    return runner.Counts(*(told.get(name, 0) for name in runner.Counts._fields))


def only_archives(job: Job) -> bool:
    """Whether a compaction archives logs, and that is all that it does: as its plan says, before there is one as its option."""
    plan = planned_counts(job)
    return (
        bool(plan.archived and not plan.moved)
        if any(plan)
        else not runner.moves_facts(job.bot, job.params.get("old_logs"))
    )


def _compact(run: Run, scope: str, progress: Progress) -> runner.Ran | Refused:
    job = run.job
    options: dict[str, Any] = {name: job.params.get(name) for name in (*runner.OPTIONS, *runner.CHOICES)}
    by = journal.By(job.by, job.user)
    try:
        return runner.run(
            run.bot,
            [scope],
            by,
            job.params.get("today"),
            job=job,
            beside=run.early_fence,
            looking=progress,
            doing=progress.begins,
            staged=progress.staged,
            **options,
        )
    except runner.BadOption as bad:
        raise Failed(str(bad)) from None


def start(bot: Bot, scopes: Iterable[str], by: journal.By, counts: runner.Counts | None = None, **options: Any) -> Job:
    """Queue the compaction of these scopes ("": the bot's own logs), with options as for `runner.plan`; `counts` are what its
    plan would do, where there was one. One that waits or runs for the same scopes is returned instead. Raises BadOption."""
    wanted = runner.queued_scopes(bot, scopes, **options)
    params: dict[str, Any] = {
        "scopes": list(wanted),
        **{name: value for name, value in options.items() if value is not None},
    }
    if counts:
        params["counts"] = counts._asdict()
    name = digest("/".join(sorted(wanted)).encode())  # no scope has a slash
    return queue(bot, Job.Kind.COMPACTION, params, by, name=f"of {name[:32]}")
