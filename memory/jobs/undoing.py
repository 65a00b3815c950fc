"""The job that undoes a change of many files or of large ones, or goes back to how they were after it, as one change set."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.expressions import Combinable
from django.db.models.functions import Abs, Coalesce

from memory import journal
from memory.domain.changes import digest
from memory.jobs import expected, steps
from memory.jobs.progress import Progress, reread
from memory.jobs.rows import queue
from memory.jobs.run import Failed, Outcome, Run
from memory.journal import versions
from memory.journal.undone import redoes
from memory.models import Bot, ChangeSet, Job, Lineage, Revision
from memory.text import sentences
from memory.text.sentences import say
from memory.text.storable import keepable

_BEFORE, _AFTER = Coalesce(F("size_before"), 0), Coalesce(F("size_after"), 0)


class InTheWay(NamedTuple):
    """A document that stands in the way, and why."""

    path: str
    reason: str


def takes_long(revisions: QuerySet[Revision]) -> bool:
    """Whether taking these back is a job, by how much they changed."""
    sets, paths = (revisions.order_by().values(name) for name in ("change_set", "path"))
    facts = Lineage.objects.filter(Q(from_path__in=paths) | Q(to_path__in=paths), change_set__in=sets).count()
    return _takes_long(revisions, Abs(_BEFORE - _AFTER), facts)


def back_takes_long(revisions: QuerySet[Revision]) -> bool:
    """Whether going back to these is a job, whatever changed since."""
    return _takes_long(revisions, _BEFORE + _AFTER)


def _takes_long(revisions: QuerySet[Revision], size: Combinable, facts: int = 0) -> bool:
    sums = revisions.order_by().aggregate(files=Count("pk"), fresh=Coalesce(Sum(size), 0))
    return expected.takes_long(facts=facts, **sums)


def start(bot: Bot, one: ChangeSet, by: journal.By, only: Iterable[Revision] = ()) -> Job:
    """Queue the undo of a change, or `only` of these revisions of it. One that waits or runs is returned instead."""
    return _queued(bot, f"change {one.pk}", {"change": one.pk, "redoes": redoes(one)}, only, by)


def start_back(bot: Bot, one: ChangeSet, by: journal.By, why: str, only: Iterable[Revision] = ()) -> Job:
    """The same for going back to the files as they were after a change; `why` is what History says."""
    return _queued(bot, f"back to {one.pk}", {"change": one.pk, "back": sentences.dumps(why)}, only, by)


def _queued(bot: Bot, name: str, params: dict[str, Any], only: Iterable[Revision], by: journal.By) -> Job:
    if numbers := sorted(revision.pk for revision in only):
        name, params = f"{name} {digest(repr(numbers).encode())}", params | {"only": numbers}
    return queue(bot, Job.Kind.UNDO, params, by, name=name)


def goes_back(job: Job) -> bool:
    """Whether a job does not undo its change, but goes back to how the files were after it."""
    return "back" in job.params


def clashes_of(job: Job) -> list[InTheWay] | None:
    """The documents that stand in the way of a job that failed, and why; None where it failed for another reason."""
    kept = job.outcome.get("clashes") if job.kind == Job.Kind.UNDO and job.state == Job.State.FAILED else None
    return None if kept is None else [InTheWay(path, sentences.loads(reason)) for path, reason in kept]


def work(run: Run) -> Outcome:
    """Undo the change, or go back to it. What an earlier attempt has written is left as it is."""
    if run.made() is None:
        run.say(0, 0, steps.READING_FILES)
        outcome = _written(run, Progress(run, steps.READING_FILES))
        if isinstance(outcome, journal.Conflict):
            raise Failed(_said(outcome), passes=outcome.passes, numbers=_in_the_way(outcome))
    reread(run)
    return Outcome(Job.State.APPLIED)


def _written(run: Run, progress: Progress) -> journal.Applied | journal.Conflict:
    job, bot, by = run.job, run.bot, journal.By(run.job.by, run.job.user)
    one = ChangeSet.objects.filter(bot=job.bot, pk=job.params["change"]).first()
    if one is None:
        raise Failed(say("History doesn’t have that change any more."))
    told: dict[str, Any] = {"beside": run.early_fence, "looking": progress, "staged": progress.staged}
    revisions, only = list(one.revisions.filter(done=True)), job.params.get("only")
    revisions = [each for each in revisions if not only or each.pk in only]
    if not goes_back(job):
        return journal.undo(bot, one, by, {each.path for each in revisions} if only else None, job=job, **told)
    why = sentences.loads(job.params["back"])
    try:
        return journal.restore(bot, revisions, by, why, job=job, **told)
    except versions.Forgotten as gone:
        return journal.Conflict((), str(gone))


def _in_the_way(conflict: journal.Conflict) -> dict[str, Any]:
    return {"clashes": [[keepable(one.path), sentences.dumps(one.reason)] for one in conflict.clashes]}


def _said(conflict: journal.Conflict) -> str:
    """The reason, and of which file, where it is one."""
    where = conflict.clashes[0].path if conflict.clashes else ""
    return say("%(path)s: %(reason)s", path=where, reason=conflict.reason) if where else conflict.reason
