"""The work of a job that asks a language model once, and what becomes of its suggestions: they wait, or are written at once where
the owner said so and nothing is flagged."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memory import index, journal
from memory.domain.errors import Refusal
from memory.jobs import proposals, steps
from memory.jobs.outcomes import Accepted, NotAccepted
from memory.jobs.run import Outcome, Run
from memory.models import Bot, Job, Proposal

Numbers = Sequence[int]


def worked(
    run: Run,
    *,
    asked: str,
    propose: Callable[[Run], object],
    apply: Callable[[Bot, Job, Numbers, journal.By, Run], Accepted | NotAccepted],
    nothing: str = "",
    at_once: bool = False,
) -> Outcome:
    """Propose unless an earlier attempt has, which left the note `asked` in the job's outcome; then apply what may be applied at
    once. `nothing` is what is said where nothing is proposed, `at_once` that who asked wants it written, whatever the owner said of
    others. Raises what these raise."""
    job, sentence = run.job, ""
    if run.made() is None:
        proposals.reopen(job)
        if asked not in job.outcome:
            propose(run)
        sentence = _applied(run, apply) if at_once or run.applies_at_once() else ""
    rows = Proposal.objects.filter(job=job)
    if rows.filter(state=Proposal.State.OPEN).exists():
        return Outcome(Job.State.PLANNED, job.outcome, sentence)
    return Outcome(Job.State.APPLIED, job.outcome, "" if rows.exists() else nothing)


def _applied(run: Run, apply: Callable[[Bot, Job, Numbers, journal.By, Run], Accepted | NotAccepted]) -> str:
    """Why what passed every check could not be applied; "" if it was, or is for somebody to decide."""
    rows = Proposal.objects.filter(job=run.job, state=Proposal.State.OPEN)
    plain = [row.number for row in rows if not row.flags]
    if not plain:
        return ""
    run.say(3, 3, steps.APPLYING)
    done = apply(run.bot, run.job, plain, journal.By(run.job.by, run.job.user), run)
    return done.reason if isinstance(done, NotAccepted) else ""


def accept(
    bot: Bot, job: Job, make: Callable[[], journal.CommitPlan[list[int]]], by: journal.By, run: Run | None = None
) -> Accepted | NotAccepted:
    """Write what `make` plans of a job's open proposals, whose numbers it tells; where somebody else was faster, it looks
    again. Its Refusal or ValueError is why not. Raises Busy, VaultError and what `proposals.commit` raises."""

    def write(plan: journal.CommitPlan[list[int]]) -> journal.Applied | journal.Conflict:
        return proposals.commit(job, plan.told, plan, by=by, moved="refuse", run=run)

    try:
        plan, outcome = journal.attempt(bot, make, by=by, write=write)
    except (Refusal, ValueError) as error:
        return NotAccepted(str(error))
    if isinstance(outcome, journal.Conflict):
        return NotAccepted(outcome.reason, outcome.passes)
    index.look_all(bot, [change.path for change in plan.changes])
    return Accepted(outcome.change_set, tuple(plan.told))


def chosen(job: Job, numbers: Numbers) -> list[Proposal]:
    """The open ones of these proposals. Raises Refusal if there is none."""
    proposals.reopen(job)
    rows = Proposal.objects.filter(job=job, number__in=numbers, state=Proposal.State.OPEN).select_related("delivery")
    if not (found := list(rows.order_by("number"))):
        raise Refusal(proposals.DECIDED)
    return found
