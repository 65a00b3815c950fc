"""Accepting and refusing what a job proposes, whatever kind of job it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memory import journal
from memory.domain.errors import VaultError
from memory.jobs import proposals
from memory.jobs.kinds import module_of
from memory.jobs.outcomes import Accepted, NotAccepted
from memory.models import Job, Proposal
from memory.text.sentences import say

Accept = Callable[..., Accepted | NotAccepted]  # of a bot, a job, numbers and who it is
NOTHING_LEFT = say("None of the selected suggestions are open any more. Nothing was changed.")


def accept(
    job: Job, numbers: Sequence[int] | None, by: journal.By, *, past_limit: bool = False
) -> Accepted | NotAccepted:
    """Write some of a job's open proposals, or (None) all that have no flag, as one change set; of a compaction only with
    `past_limit` beyond what the bot loads."""
    chosen = _open(job, numbers)
    if not chosen:
        return NotAccepted(NOTHING_LEFT)
    apply: Accept = module_of(job).apply
    more = {"past_limit": True} if past_limit and job.kind == Job.Kind.CONSOLIDATION else {}
    try:
        return apply(job.bot, job, chosen, by, **more)
    except (journal.Busy, VaultError) as error:
        return NotAccepted(str(error))


def refuse(job: Job, numbers: Sequence[int] | None, by: journal.By) -> int:
    """Nobody wants these proposals, or (None) any that is open. Returns how many were open."""
    wanted = _open(job, numbers, flagged=True)
    return proposals.refuse(job, wanted, by)


def _open(job: Job, numbers: Sequence[int] | None, *, flagged: bool = False) -> list[int]:
    found = Proposal.objects.filter(job=job, state=Proposal.State.OPEN, job__state=Job.State.PLANNED)
    if numbers is not None:
        found = found.filter(number__in=numbers)
    elif not flagged:
        found = found.filter(flags=[])
    return list(found.order_by("number").values_list("number", flat=True))
