"""Facts that somebody accepted go into their chat's log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory import index
from memory.bots import open_bot
from memory.compaction.chats.known_facts import find_known
from memory.compaction.chats.shapes import chat_of
from memory.domain.changes import Append, Change, Put, base_of
from memory.domain.errors import Refusal
from memory.domain.places import Kind
from memory.jobs.outcomes import Accepted, NotAccepted
from memory.jobs.run import Failed, Run
from memory.jobs.suggesting import accept, chosen
from memory.journal import By, CommitPlan
from memory.models import Bot, Job, Proposal
from memory.text.markdown.normal import key
from memory.text.sentences import say

LACKING = say("This type of bot has no daily logs per chat.")


@dataclass(frozen=True, slots=True)
class _Written:
    """The change that facts make (None: none), whose numbers it has, and (number, why) of the others."""

    change: Change | None
    applied: tuple[int, ...]
    refused: tuple[tuple[int, str], ...]
    before: bytes | None  # what the log said


def apply(bot: Bot, job: Job, numbers: Sequence[int], by: By, run: Run | None = None) -> Accepted | NotAccepted:
    """Write these facts into today's log of the chat they are from. What it knows by now is not written again, and stays open.
    Raises Busy, VaultError and what `proposals.commit` raises."""
    chat, refused = chat_of(job), tuple[tuple[int, str], ...]()

    def make() -> CommitPlan[list[int]]:
        nonlocal refused
        written = _written(bot, chat, chosen(job, numbers))
        refused = written.refused
        if written.change is None:
            raise Refusal(refused[0][1])
        applied = list(written.applied)
        return CommitPlan([written.change], applied, [written.before], why=_why(chat, len(applied)))

    return replace(accept(bot, job, make, by, run), refused=refused)


def log_of(bot: Bot, chat: str) -> str:
    """Today's log of a chat. Raises Failed for a bot that keeps none."""
    path = open_bot(bot).dialect.path(Kind.DAILY, chat, open_bot(bot).today())
    if path is None:
        raise Failed(LACKING)
    return path


def can_stand(bot: Bot, chat: str, text: str) -> bool:
    """Whether a text can be an entry of the chat's log."""
    try:
        open_bot(bot).dialect.add(log_of(bot, chat), None, [text], open_bot(bot).now())
    except ValueError:
        return False
    return True


def _written(bot: Bot, chat: str, rows: Sequence[Proposal]) -> _Written:
    """The facts one after the other at the end of today's log, as the bot itself would write them now."""
    now, dialect, path = open_bot(bot).now(), open_bot(bot).dialect, log_of(bot, chat)
    before = after = index.BotMemory(bot).read(path)
    said = find_known(bot, chat, [row.text for row in rows])
    applied, refused, changes = list[int](), list[tuple[int, str]](), list[Change]()
    for row in rows:
        try:
            if (name := key(row.text)) in said:
                raise ValueError(say("%(path)s already says this.", path=said[name]))
            changes.append(dialect.add(path, after, [row.text], now))
        except ValueError as error:
            refused.append((row.number, str(error)))
            continue
        after, said[name] = _after(after, changes[-1]), path
        applied.append(row.number)
    return _Written(_joined(path, before, after, changes), tuple(applied), tuple(refused), before)


def _after(data: bytes | None, change: Change) -> bytes | None:
    if isinstance(change, Append):
        return (data or b"") + change.data
    return change.data if isinstance(change, Put) else data


def _joined(path: str, before: bytes | None, after: bytes | None, changes: Sequence[Change]) -> Change | None:
    """Changes of one document as one: an append if all of them are."""
    appends = [change.data for change in changes if isinstance(change, Append)]
    if not changes or after is None:
        return None
    if len(appends) == len(changes):
        return Append(path, b"".join(appends))
    return Put(path, after, base_of(before))


def _why(chat: str, count: int) -> str:
    if count == 1:
        return say("A fact picked from %(chat)s by the language model", chat=chat)
    return say("%(count)s facts picked from %(chat)s by the language model", count=count, chat=chat)
