"""The job that sums a block up: the model's answer is checked, and goes into history and memory together or waits for somebody."""

from __future__ import annotations

from collections.abc import Sequence

from memory import index, jobs, journal
from memory.bots import open_bot
from memory.dialects.autobot import history, layout, question, sessions
from memory.dialects.autobot.consolidation import blocks
from memory.dialects.autobot.reply import MemoryUpdate, answer, doubts, made_up, news
from memory.dialects.autobot.settings import STRICT
from memory.domain.changes import Append, Change, Delete, Put, base_of, digest
from memory.domain.errors import Refusal
from memory.jobs import proposals, steps
from memory.jobs.outcomes import Accepted, NotAccepted
from memory.jobs.run import Failed, Outcome, Run
from memory.jobs.suggesting import accept, worked
from memory.models import Bot, Job, Proposal
from memory.text.markdown.blocks import decode
from memory.text.sentences import say
from memory.text.tokens.estimate import estimate

LEAST = 2000  # tokens of an answer
QUOTED = 300  # characters of a message that are kept as a source
SOURCES = 200  # messages that are
APART = say(
    "History and memory are written together, and one of the two was skipped. Nothing was changed; consolidate again."
)
WITH_MEMORY = say("Written together with the long-term memory, which has a warning.")
WITH_HISTORY = say("Written together with the history entry, which has a warning.")
CHANGED = say("MEMORY.md or the waiting messages have changed since. Nothing was changed; consolidate again.")


def start(bot: Bot, path: str, by: journal.By) -> Job:
    """Queue a consolidation of a block, unless one of its chat waits or runs already, which is returned then."""
    chat = layout.scope_of_block(path)
    return jobs.queue(bot, Job.Kind.SUMMARY, {"chat": chat, "block": path}, by, name=f"chat {chat}")


def newest(bot: Bot) -> dict[str, Job]:
    """The newest job about each block."""
    found = Job.objects.filter(bot=bot, kind=Job.Kind.SUMMARY).order_by("id")
    return {str(one.outcome.get("path") or one.params.get("block", "")): one for one in found}


def work(run: Run) -> Outcome:
    """Ask for a summary of the block; write it at once where the owner said so and nothing is lost by it. A job that names only a
    chat takes what waits of it, or sets messages aside first."""
    return worked(run, asked="messages", propose=_propose, apply=apply)


def apply(bot: Bot, job: Job, numbers: Sequence[int], by: journal.By, run: Run | None = None) -> Accepted | NotAccepted:
    """Write the entry, the memory and the end of the block as one change, whichever of them were chosen. Raises Busy, VaultError
    and what `proposals.commit` raises."""

    def make() -> journal.CommitPlan[list[int]]:
        proposals.reopen(job)
        rows = list(Proposal.objects.filter(job=job))
        if any(row.state != Proposal.State.OPEN for row in rows):
            raise Refusal(APART)
        why = say("Consolidated %(count)s messages of %(chat)s", count=job.outcome["messages"], chat=job.params["chat"])
        return journal.CommitPlan(_changes(bot, job, rows), [row.number for row in rows], why=why)

    return accept(bot, job, make, by, run)


def _changes(bot: Bot, job: Job, rows: Sequence[Proposal]) -> list[Change]:
    """What the proposals make of the files, the history first. Raises Refusal where these are not what the model was shown."""
    memory, path = index.BotMemory(bot), str(job.outcome["path"])
    block, before = memory.read(path), memory.read(layout.MEMORY)
    if block is None or (digest(block), base_of(before)) != (job.outcome["block"], job.outcome["base"]):
        raise Refusal(CHANGED)
    texts = {row.path: row.text for row in rows}
    entry = history.appended(memory.read(layout.HISTORY), texts[layout.HISTORY])
    changes: list[Change] = [Append(layout.HISTORY, entry)]
    if layout.MEMORY in texts:
        changes.append(Put(layout.MEMORY, texts[layout.MEMORY].encode(), base_of(before)))
    return [*changes, Delete(path, digest(block))]


def _propose(run: Run) -> None:
    run.say(0, 3, steps.READING_CHAT)
    path, memory = _path(run), index.BotMemory(run.bot)
    block, before = memory.read(path), memory.read(layout.MEMORY)
    if block is None:
        raise Failed(blocks.GONE)
    told = [line.message for line in sessions.parse(block).messages if line.message]
    text = decode(before or b"")
    run.say(1, 3, steps.ASKING)
    found = _asked(run, text, told)
    run.say(2, 3, steps.CHECKING)
    notes = {"messages": len(told), "base": base_of(before), "path": path, "block": digest(block)}
    proposals.save(run, _rows(path, found, text, told), notes)


def _path(run: Run) -> str:
    """The block that a job is about. Raises Failed where its chat has too few messages."""
    if named := str(run.job.params.get("block", "")):
        return named
    chat = str(run.job.params["chat"])
    if waiting := blocks.waiting(run.bot, chat):
        return waiting[0]
    moved = blocks.archive(run.bot, chat, journal.By(run.job.by, run.job.user))
    if not isinstance(moved, blocks.Moved):
        raise Failed(moved.reason, passes=moved.passes)
    return moved.path


def _asked(run: Run, memory: str, told: Sequence[sessions.SessionMessage]) -> MemoryUpdate:
    """Raises ModelFailed, and Failed for an answer that cannot be used: the next try may bring a better one."""
    most = LEAST + 2 * estimate(memory)
    reply = run.ask(question.messages(memory, told), most=most)
    try:
        return answer(reply.text, strict=open_bot(run.bot).settings.replies == STRICT)
    except ValueError as error:
        raise Failed(str(error), passes=True) from None


def _rows(path: str, found: MemoryUpdate, memory: str, told: Sequence[sessions.SessionMessage]) -> list[Proposal]:
    sources = [
        {"path": path, "line": line, "role": one.role, "text": one.content[:QUOTED]}
        for line, one in enumerate(told[:SOURCES], 1)
    ]
    entry = Proposal(action=Proposal.Action.REMEMBER, path=layout.HISTORY, text=found.entry, sources=sources)
    entry.flags = list(made_up(found.entry, told, memory))
    if found.memory is None or found.memory == memory:
        return [entry]
    flags = [*doubts(memory, found.memory), *made_up(news(memory, found.memory), told, memory)]
    if bool(flags) != bool(entry.flags):  # who accepts what has no warning accepts neither
        entry.flags, flags = entry.flags or [WITH_MEMORY], flags or [WITH_HISTORY]
    return [entry, Proposal(action=Proposal.Action.REPLACE, path=layout.MEMORY, text=found.memory, flags=flags)]
