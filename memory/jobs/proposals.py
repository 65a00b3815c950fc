"""What jobs propose, from the row to the file: saved while the job is ours, decided once, opened again where nothing came of it.

The work of a job calls `save` with rows that nobody numbered. Whoever accepts some of them plans the changes and gives the plan
to `commit`: it writes them as one change set in whose transaction the rows become applied, so that of two people who accept at once
one is told that it is decided; and what the set did not bring into the files is open again afterwards. `refuse` is the other
decision. A job of which nothing is open any more is closed by both. The steps (`claim`, `reopen`, `close_decided`) are there for an
act that has more to say in the transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from memory import journal
from memory.domain.errors import VaultError
from memory.jobs.run import Lost, Run
from memory.journal import versions
from memory.journal.shapes import Beside, OnMove
from memory.models import ChangeSet, Job, Proposal
from memory.text.sentences import Say, say
from memory.text.storable import keepable

DECIDED = say("Some of these were already reviewed. Nothing was changed; check the rest.")
ALL_REFUSED = say("No suggestions were accepted.")


class Decided(Exception):
    """A proposal that is not open any more was to be accepted; the message is for people."""


def save(run: Run, rows: Sequence[Proposal], notes: dict[str, Any] | None = None) -> list[Proposal]:
    """Add to what a job proposes, with what the next attempt at it has to know (`notes` go into `Job.outcome`): both or neither,
    and only while the job is ours. Rows get their bot, job and number here. Raises Lost."""
    job = run.job
    with transaction.atomic():
        outcome = {**job.outcome, **_kept(notes or {})}
        held = Job.objects.filter(pk=job.pk, holder=job.holder, state=Job.State.RUNNING)
        if not held.update(outcome=outcome):
            raise Lost
        made = add(job, rows)
    job.outcome = outcome
    return made


def add(job: Job, rows: Sequence[Proposal]) -> list[Proposal]:
    """Add to what a job proposes, in the transaction of whoever holds the job."""
    last = Proposal.objects.filter(job=job).aggregate(last=Max("number"))["last"] or 0
    for number, row in enumerate(rows, last + 1):
        row.bot, row.job, row.number = job.bot, job, number
        row.text, row.path = keepable(row.text), keepable(row.path)
        row.sources, row.newer = _kept(row.sources), _kept(row.newer)
        row.flags, row.losses = _kept(row.flags), _kept(row.losses)
    return Proposal.objects.bulk_create(rows, batch_size=versions.ROWS_AT_ONCE)


def commit(
    job: Job,
    numbers: Iterable[int],
    plan: journal.CommitPlan[Any],
    *,
    by: journal.By,
    moved: OnMove = "merge",
    run: Run | None = None,
) -> journal.Applied | journal.Conflict:
    """Write what is planned of these proposals, as `journal.commit` does, and mark them applied; all or nothing. `run`: the job's
    own attempt writes, and only while it holds the job. A set of None: the files had it all already. Raises Busy, VaultError,
    Lost."""
    meant = sorted(set(numbers))
    claimed = claim(job, meant)

    def beside(change_set: ChangeSet) -> None:
        if run is not None:
            run.fence(change_set)
        elif not Job.objects.filter(pk=job.pk, state=Job.State.PLANNED).exists():
            raise Decided(DECIDED)
        claimed(change_set)

    reopen(job)
    try:
        outcome = journal.commit_plan(job.bot, plan, by=by, moved=moved, job=job, beside=beside)
        if isinstance(outcome, journal.Applied) and outcome.change_set is None:
            with transaction.atomic():
                _decide(job, meant, by, state=Proposal.State.APPLIED)
    except Decided as decided:
        return journal.Conflict((), str(decided))
    except VaultError:
        reopen(job)
        raise
    if isinstance(outcome, journal.Conflict):
        reopen(job)
    close_decided(job)
    return outcome


def claim(job: Job, numbers: Iterable[int]) -> Beside:
    """For `journal.commit(beside=…)`: these proposals become applied by the change set, if all of them are still open. Raises
    Decided, which ends the commit with nothing changed."""
    meant = sorted(set(numbers))

    def beside(change_set: ChangeSet) -> None:
        by = journal.By(change_set.by, change_set.user)
        _decide(job, meant, by, state=Proposal.State.APPLIED, change_set=change_set)

    return beside


def refuse(job: Job, numbers: Iterable[int], by: journal.By) -> int:
    """Nobody wants these proposals. Returns how many of them were open, and are refused now."""
    refused = _open(job, numbers).update(state=Proposal.State.REFUSED, **_decided(by))
    close_decided(job)
    return refused


def reopen(job: Job) -> None:
    """Open what was accepted with a change set that does not stand: the disk was full, or the process died before any file was
    exchanged. Costs one query where all stand. Raises Busy."""
    sets = list(ChangeSet.objects.filter(job=job))
    if any(one.state == ChangeSet.State.WRITING for one in sets):
        journal.recover(job.bot)
        sets = list(ChangeSet.objects.filter(job=job))
    fallen = [one.pk for one in sets if not versions.was_written(one)]
    if not fallen:
        return
    lost = Proposal.objects.filter(job=job, state=Proposal.State.APPLIED, change_set__in=fallen)
    if lost.update(state=Proposal.State.OPEN, change_set=None, decided=None, by="", user=None):
        Job.objects.filter(pk=job.pk, state=Job.State.APPLIED).update(state=Job.State.PLANNED)


def close_decided(job: Job) -> None:
    """Close a planned job of which nothing is open any more: applied if anything was accepted, else cancelled."""
    if not Proposal.objects.filter(job=job, state=Proposal.State.OPEN).exists():
        _close(job)


@transaction.atomic
def _close(job: Job) -> None:
    planned = Job.objects.filter(pk=job.pk, state=Job.State.PLANNED)
    # the row is held: what adds to an open job waits for it, or is seen here
    if planned.select_for_update().first() is None:
        return
    states = set(Proposal.objects.filter(job=job).values_list("state", flat=True))
    if Proposal.State.OPEN in states:
        return
    if Proposal.State.APPLIED in states:
        planned.update(state=Job.State.APPLIED, finished=timezone.now())
    else:
        planned.update(state=Job.State.CANCELLED, finished=timezone.now(), trouble=ALL_REFUSED)


def _open(job: Job, numbers: Iterable[int]) -> QuerySet[Proposal]:
    return Proposal.objects.filter(job=job, number__in=set(numbers), state=Proposal.State.OPEN)


def _decide(job: Job, numbers: Sequence[int], by: journal.By, **fields: Any) -> None:
    if _open(job, numbers).update(**fields, **_decided(by)) != len(numbers):
        raise Decided(DECIDED)


def _decided(by: journal.By) -> dict[str, Any]:
    return {"decided": timezone.now(), "by": by.name, "user": by.user}


def _kept(value: Any) -> Any:
    """JSON as every database can keep it; a sentence stays one, and its column escapes what is in it."""
    if isinstance(value, Say):
        return value
    if isinstance(value, str):
        return keepable(value)
    if isinstance(value, dict):
        return {keepable(str(name)): _kept(one) for name, one in value.items()}
    return [_kept(one) for one in value] if isinstance(value, list | tuple) else value
