"""The job that renews a conversation's summary from the last one and the newest turns. Until an answer is there and accepted, and
wherever one fails, the last summary stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memory import index, journal
from memory.bots import open_bot
from memory.compaction.chats.shapes import MESSAGE, QUOTED, chat_of, doubts
from memory.dialects.discoclaw import javascript, layout, rolling
from memory.dialects.discoclaw.durable import BROKEN, Malformed
from memory.dialects.discoclaw.exchange import MOST, Exchange, before
from memory.dialects.discoclaw.prompt import milliseconds
from memory.dialects.discoclaw.renewal import heard, learning
from memory.dialects.discoclaw.renewal.summary_question import exchange, renewed, request
from memory.dialects.discoclaw.settings import Settings
from memory.domain.changes import Put, base_of, digest
from memory.domain.errors import Refusal
from memory.jobs import proposals, steps
from memory.jobs.outcomes import Accepted, NotAccepted
from memory.jobs.run import Failed, Outcome, Run
from memory.jobs.suggesting import accept, chosen, worked
from memory.models import Bot, Delivery, Job, Proposal
from memory.text.sentences import say
from memory.text.storable import keepable
from memory.text.utf16 import truncate

NOTHING_SAID = say("No messages of this chat came by webhook, so nothing can be summarised. Nothing was changed.")
NO_SUMMARY = say("Users have facts and no summary. Nothing was changed.")
SAME = say("The summary already says all of it.")
REPLACED = say("The summary has changed since. Nothing was changed; summarise again.")
ANSWER = 2_000  # tokens


def work(run: Run) -> Outcome:
    """Suggest a summary; write it at once where the owner said so and nothing is flagged."""
    if run.made() is not None:  # by a worker who may have died before it went on to this
        learning.follow(run.bot, run.job)
    return worked(run, asked="deliveries", propose=_propose, apply=apply, nothing=SAME)


def apply(bot: Bot, job: Job, numbers: Sequence[int], by: journal.By, run: Run | None = None) -> Accepted | NotAccepted:
    """Put the suggested summary in the last one's place, if that still says what it was made from. Raises Busy, VaultError and
    what `proposals.commit` raises."""

    def make() -> journal.CommitPlan[list[int]]:
        row = chosen(job, numbers)[0]
        data = index.BotMemory(bot).read(row.path)
        found = {} if data is None else rolling.loaded(data, is_later=open_bot(bot).settings.is_later)
        if _base(found) != job.outcome["base"]:
            raise Refusal(REPLACED)
        now, is_later = milliseconds(open_bot(bot).now()), open_bot(bot).settings.is_later
        after = rolling.renewed(found, row.text, now, job.outcome["counted"], is_later=is_later)
        why = say("Summary of %(chat)s by the language model", chat=chat_of(job))
        return journal.CommitPlan(
            [Put(row.path, javascript.written(after), base_of(data))], [row.number], [data], why=why
        )

    done = accept(bot, job, make, by, run)
    if isinstance(done, Accepted):
        learning.follow(bot, job)
    return done


def _propose(run: Run) -> None:
    bot, chat = run.bot, chat_of(run.job)
    run.say(0, 3, steps.READING_CHAT)
    if chat.startswith(layout.USER):
        raise Failed(NO_SUMMARY)
    settings: Settings = open_bot(bot).settings
    path = layout.rolling_path(chat)
    found = _found(index.BotMemory(bot).read(path), is_later=settings.is_later)
    turns = heard.newest(bot, chat, max(1 + MOST // 2, settings.summary_turns))
    if not turns:
        raise Failed(NOTHING_SAID)
    told = _told(heard.said(bot, turns), settings.history_chars)
    old = keepable(str(found.get("summary", "")))
    run.say(1, 3, steps.ASKING)
    reply = run.ask(request(old, told, settings.summary_chars), most=ANSWER)
    run.say(2, 3, steps.CHECKING)
    text = renewed(old, reply.text, settings.summary_chars)
    new = turns[-settings.summary_turns :] if settings.is_later else turns[-1:]
    notes = {"base": _base(found), "counted": rolling.turns(found), "deliveries": [one.pk for one in new]}
    row = Proposal(
        action=Proposal.Action.REPLACE,
        path=path,
        text=text,
        sources=[source(one, by, said) for one in turns for by, said in _messages(one)],
        flags=doubts(text, [old, told]),
    )
    proposals.save(run, [] if text == old else [row], notes)


def _found(data: bytes | None, *, is_later: bool) -> dict[str, Any]:
    """Raises Failed for a file that the bot could not read, either."""
    try:
        return {} if data is None else rolling.loaded(data, is_later=is_later)
    except Malformed:
        raise Failed(BROKEN) from None


def _base(found: dict[str, Any]) -> str:
    """What a summary is known by. Its file changes with every turn that is counted."""
    return digest(keepable(str(found.get("summary", ""))).encode())


def _told(turns: Sequence[Exchange], budget: int) -> str:
    last = turns[-1]
    return exchange(last.who, truncate(last.message, MESSAGE), last.reply, before=before(turns[:-1], budget))


def _messages(delivery: Delivery) -> list[tuple[str, str]]:
    return [("user", heard.message_of(delivery)), ("assistant", heard.reply_of(delivery))]


def source(delivery: Delivery, role: str, text: str) -> dict[str, object]:
    """A message as a suggestion names it."""
    return {"path": "", "line": 0, "role": role, "text": truncate(text, QUOTED), "delivery": delivery.pk}
