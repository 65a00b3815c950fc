"""Proposals are accepted: some now, the rest perhaps later, each lot as one change set over the documents as they are then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from memory import index, journal
from memory.bots import open_bot
from memory.compaction import runner
from memory.compaction.consolidation.changes import Cannot, Draft, changes, links, make_draft
from memory.compaction.consolidation.current_documents import (
    ARCHIVE,
    KEEP,
    MERGE,
    SUPERSEDE,
    CurrentDocuments,
    CurrentProposal,
    Gone,
)
from memory.compaction.consolidation.gate import Gate, current_state
from memory.domain.changes import Change, Delete, Put
from memory.domain.errors import Refusal
from memory.domain.places import Kind
from memory.jobs import proposals
from memory.jobs.outcomes import Accepted, NotAccepted
from memory.jobs.run import Run
from memory.models import Bot, ChangeSet, Job, Proposal
from memory.text.sentences import join_sentences, say
from memory.text.storable import keepable

LOOKED_AT = 50  # documents whose rows are brought in step at once
NOTHING_OPEN = say("None of the selected suggestions are open any more. Nothing was changed.")
NO_NEWER = say("The newer fact no longer exists.")


@dataclass(frozen=True, slots=True)
class _Lot:
    """What can be accepted of what was chosen, and (number, why) of what cannot."""

    steps: list[CurrentProposal]
    draft: Draft
    made: list[Change]
    refused: dict[int, str]


@dataclass(frozen=True, slots=True)
class AcceptancePreview:
    """What accepting some proposals would do: the counts that its change set will have, and the bytes of each long-term document
    before and after."""

    counts: dict[str, int]
    sizes: Mapping[str, Sequence[int]]


def foresee(bot: Bot, job: Job, numbers: Sequence[int]) -> AcceptancePreview:
    """What accepting these of a job's open proposals would do now. Raises VaultError."""
    documents = CurrentDocuments(bot)
    lot = _lot(bot, job, documents, list(_open(job, numbers)))
    details = _details(documents, lot)
    return AcceptancePreview(details, details["sizes"])


def apply(
    bot: Bot,
    job: Job,
    numbers: Sequence[int] | None,
    by: journal.By,
    run: Run | None = None,
    *,
    past_limit: bool = False,
) -> Accepted | NotAccepted:
    """Accept these of a job's open proposals (None: all that are open) as one change set; those whose facts are others by now stay
    open and are named. `run`: the job's own attempt does it. `past_limit`: also beyond what the bot loads. Raises Busy and
    VaultError, with nothing changed."""
    refused: tuple[tuple[int, str], ...] = ()

    def make() -> journal.CommitPlan[list[CurrentProposal]]:
        nonlocal refused
        proposals.reopen(job)
        documents = CurrentDocuments(bot)
        lot = _lot(bot, job, documents, list(_open(job, numbers)))
        refused = tuple(sorted(lot.refused.items()))
        if not lot.steps:
            raise Refusal(join_sentences(refused[0][1], say("Nothing was changed.")) if refused else NOTHING_OPEN)
        details = _details(documents, lot)
        if not past_limit and _passes(bot, details["sizes"]):
            raise Refusal(runner.PASSES)
        return journal.CommitPlan(
            lot.made,
            lot.steps,
            [documents.data(change.path) for change in lot.made],
            kind=ChangeSet.Kind.COMPACTION,
            why=say("With the language model"),
            gate=Gate(bot, job, lot.steps),
            details=details,
            links=links(documents, lot.steps),
        )

    def write(plan: journal.CommitPlan[list[CurrentProposal]]) -> journal.Applied | journal.Conflict:
        return proposals.commit(job, [step.proposal.number for step in plan.told], plan, by=by, run=run)

    try:
        made, outcome = journal.attempt(bot, make, by=by, write=write)
    except Refusal as refusal:
        return NotAccepted(str(refusal), refused=refused)
    if isinstance(outcome, journal.Conflict):
        return NotAccepted(say("%(reason)s Nothing was changed.", reason=outcome.reason), outcome.passes, refused)
    index.look_all(bot, [change.path for change in made.changes][:LOOKED_AT])
    return Accepted(outcome.change_set, tuple(step.proposal.number for step in made.told), refused)


def _open(job: Job, numbers: Sequence[int] | None) -> QuerySet[Proposal]:
    found = Proposal.objects.filter(job=job, state=Proposal.State.OPEN).order_by("number")
    return found if numbers is None else found.filter(number__in=numbers)


def _lot(bot: Bot, job: Job, documents: CurrentDocuments, chosen: Sequence[Proposal]) -> _Lot:
    """Find the facts again and lay out what would be written; what does not go is left out and the rest tried again."""
    refused = dict[int, str]()
    steps = _steps(bot, job, documents, chosen, refused)
    keeps_logs = getattr(runner.make_request(bot, [], **_options(job)).settings, "keep_logs", False)
    while True:
        draft = make_draft(documents, steps)
        try:
            return _Lot(steps, draft, changes(documents, draft, keeps_logs), refused)
        except Cannot as cannot:
            refused.update((one.proposal.number, str(cannot)) for one in steps if cannot.hits(one))
            steps = [one for one in steps if not cannot.hits(one)]


def _steps(
    bot: Bot, job: Job, documents: CurrentDocuments, chosen: Sequence[Proposal], refused: dict[int, str]
) -> list[CurrentProposal]:
    steps: list[CurrentProposal] = []
    taken: set[tuple[str, int]] = set()
    for proposal in chosen:
        try:
            steps.append(documents.step(proposal, taken))
        except Gone as gone:
            refused[proposal.number] = str(gone)
    gate, now = Gate(bot, job, steps), current_state(bot)
    for step in steps:
        if step.proposal.action == SUPERSEDE and not gate.stands(step.proposal.newer, step.scope, now):
            refused[step.proposal.number] = NO_NEWER
    return [step for step in steps if step.proposal.number not in refused]


def _details(documents: CurrentDocuments, lot: _Lot) -> dict[str, Any]:
    """Counts beside the change set, under the names that a compaction has, and its own."""
    facts = Counter({action.value: 0 for action in (KEEP, MERGE, SUPERSEDE, ARCHIVE)})
    for step in lot.steps:
        facts[step.proposal.action] += len(step.spots)
    return {
        "meaning": True,
        "moved": facts[KEEP] + facts[MERGE],
        "duplicates": lot.draft.said_already,
        "removed": sum(isinstance(change, Delete) for change in lot.made),
        "merged": facts[MERGE],
        "superseded": facts[SUPERSEDE],
        "archived": facts[ARCHIVE],
        "proposals": [step.proposal.number for step in lot.steps],
        "sizes": {keepable(path): sizes for path, sizes in _sizes(documents, lot).items()},
    }


def _sizes(documents: CurrentDocuments, lot: _Lot) -> dict[str, list[int]]:
    """How many bytes the long-term memory of each scope has, and will have."""
    results = {change.path: change.data for change in lot.made if isinstance(change, Put)}
    paths = {documents.dialect.path(Kind.LONG_TERM, step.scope) or "" for step in lot.steps} - {""}
    had = {path: documents.data(path) or b"" for path in sorted(paths)}
    return {path: [len(data), len(results.get(path, data))] for path, data in had.items()}


def _passes(bot: Bot, sizes: Mapping[str, Sequence[int]]) -> bool:
    """Whether a document grows beyond what the bot loads."""
    limit = open_bot(bot).limit
    return limit is not None and any(after > before and limit.over(after) for before, after in sizes.values())


def _options(job: Job) -> dict[str, Any]:
    return {name: job.params.get(name) for name in runner.OPTIONS}
