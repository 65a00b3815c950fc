"""What a language model makes of a chat: its summary, and facts out of its turns. Both are proposals until somebody accepts them.

    summarise(bot, chat, by) -> Job                  queues one; raises Unfit, with a sentence
    pick(bot, chat, by) -> Job                       the same for facts out of the turns since the last time
    after_turn(bot, delivery)                        queues `pick` for one delivered turn, where the bot is set to it
    apply(bot, job, numbers, by) -> Accepted | NotAccepted   accepts some of a planned job's proposals, as that of `consolidation`

A summary is one proposal to `replace` the chat's working memory; its sources are the messages it was made from. It is refused if
the bot has written its working memory since. A picked fact is a proposal to `remember` it in the chat's own log, of the day on
which it is accepted: never in another chat's, and never in the bot's own. What a job reads and writes follows from its `chat`
alone; the model's answer is only ever a text. `Job.outcome` has `messages` of a summary, `turns` of an extraction, which goes on
from `upto`, a byte of the transcript, the next time.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory import journal
from memory.compaction.chats import apply_facts, extraction_job, summary_job
from memory.compaction.chats.queue import after_turn, pick, summarise
from memory.compaction.chats.shapes import Unfit
from memory.jobs.outcomes import Accepted, NotAccepted
from memory.jobs.run import Outcome, Run, Work
from memory.models import Bot, Job

__all__ = ["Accepted", "NotAccepted", "Unfit", "after_turn", "apply", "pick", "summarise", "work"]

_WORK: dict[str, Work] = {Job.Kind.SUMMARY: summary_job.work, Job.Kind.EXTRACTION: extraction_job.work}


def work(run: Run) -> Outcome:
    """Do a job over a chat. Raises Failed, ModelFailed, and what the journal raises."""
    return _WORK[run.job.kind](run)


def apply(bot: Bot, job: Job, numbers: Sequence[int], by: journal.By) -> Accepted | NotAccepted:
    """Accept these proposals of a planned job. Raises Busy and VaultError, with nothing changed."""
    act = summary_job.apply if job.kind == Job.Kind.SUMMARY else apply_facts.apply
    return act(bot, job, numbers, by)
