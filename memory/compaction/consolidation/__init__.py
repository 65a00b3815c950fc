"""Consolidation: compaction by meaning. A language model proposes what becomes of old facts, code says what that would lose.

    start(bot, scopes, by, **options) -> Job          queues one run; a twin that waits or runs already is returned instead
    prospect(bot, scopes, **options) -> Prospect      what it would ask: facts, groups, tokens. Reads files, asks nobody
    apply(bot, job, numbers, by) -> Accepted | NotAccepted   accepts some of a planned job's proposals, or all open ones (None)
    foresee(bot, job, numbers) -> Foreseen            what accepting these would do: its numbers, bytes before and after
    memory.jobs.proposals.refuse(job, numbers, by) -> int  nobody wants these
    memory.jobs.proposals.reopen(job)                      before a job is shown: opens what did not come into the files after all

`scopes` and `options` are those of `memory.compaction.runner` (retention_days, keep_logs); both raise its BadOption.

A run ends in one of these ways. `Job.outcome` has in numbers: `facts`, `lasting` (of them, facts of long-term memory that were
asked about too), `groups`, `repairs` (questions that were asked again), `proposals`, `flagged`, and of a blocked run `losing`.
- `planned`: its proposals are open. Each has its `sources`, in the order they were numbered to the model; of a `merge` the line
  in `text`, of a `supersede` the `newer` fact, and in `path` where it goes ("" where the facts only go). `flags` are sentences
  for a person: never applied without one. A fact of long-term memory that is kept makes no proposal: nothing happens to it.
- `applied`: everything without a flag was applied at once (`automation_of(bot).proposals`), and nothing had one; or there was
  nothing old to compact.
- `failed`, with `The model's plan would lose 3 facts. Nothing was changed.`: what the gate did not let through are proposals in
  the state `blocked`, with the reasons in `losses`; a fact that the plan did not name is a blocked `keep` of its own.

`Accepted.change_set` is the one set of what was accepted now (None: the files said so already), `Accepted.refused` is (number,
sentence) for each proposal whose facts changed since; those stay open, and somebody may refuse them. Undoing the set opens nothing.
"""

from memory.compaction.consolidation.apply import AcceptancePreview, apply, foresee
from memory.compaction.consolidation.job import Prospect, prospect, start, work
from memory.jobs.outcomes import Accepted, NotAccepted

__all__ = ["AcceptancePreview", "Accepted", "NotAccepted", "Prospect", "apply", "foresee", "prospect", "start", "work"]
