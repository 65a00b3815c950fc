"""What the jobs over chats share: which chat is meant, what of it a model is shown, and what is said of a line that it made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from memory import journal
from memory.bots import open_bot
from memory.compaction.chats.transcript_tail import Heard, TranscriptTail, read_tail
from memory.domain.places import Kind
from memory.jobs.run import Failed
from memory.models import Bot, Job
from memory.text.fidelity.retention import added_words, content_words, has_negation, invented_words, shared_words
from memory.text.markdown.tags import extract
from memory.text.message import Message
from memory.text.replies import object_of
from memory.text.sentences import say
from memory.text.storable import quote
from memory.text.utf16 import transcript_line, truncate

MESSAGE = 2000  # characters of one message that a model is shown
QUOTED = 300  # characters of a message that are kept as a source
TOLD = 80  # characters of a text that a sentence is about
ROLES = "user assistant"  # whom a model may speak of though nobody names them
DENIED = 5  # sentences that are named
_SENTENCE = re.compile(r"[^.!?\n。！？]+")
NO_CHAT = say("This job has no chat.")
SCHEMA = object_of(summary={"type": "string"})  # of the answer that `summary_of` reads


class Unfit(ValueError):
    """What was asked for cannot be done for this bot or chat; the message is for people."""


def check(bot: Bot, chat: str, kind: Kind, lacking: str) -> None:
    """Raises Unfit if the chat cannot be, or (with the sentence `lacking`) if this bot keeps no documents of this kind for it."""
    dialect = open_bot(bot).dialect
    if problem := dialect.session_id_problem(chat):
        raise Unfit(problem)
    if dialect.path(kind, chat, open_bot(bot).today()) is None:
        raise Unfit(lacking)


def chat_of(job: Job) -> str:
    """The chat that a job is about; all it reads and writes follows from it. Raises Failed."""
    chat = job.params.get("chat")
    if not isinstance(chat, str) or not chat:
        raise Failed(NO_CHAT)
    return chat


def talk_of(bot: Bot, chat: str, most: int, since: int = 0) -> TranscriptTail:
    """What was said in a chat, as `heard` reads it. Raises Failed where there is no transcript, and Unreadable."""
    found = read_tail(bot, chat, most, since)
    if found is None:
        raise Failed(say("This chat has no transcript. Nothing was read."))
    return found


def by_of(job: Job) -> journal.By:
    """In whose name a job writes."""
    return journal.By(job.by, job.user)


def format_message(message: Message) -> str:
    """One message as a model is shown it."""
    return transcript_line(message.role, truncate(message.content, MESSAGE))


def newest_messages(messages: Sequence[Heard], most: int) -> list[Heard]:
    """The last of these messages that a model can be shown in `most` characters; at least one."""
    left, kept = most, list[Heard]()
    for one in reversed(messages):
        left -= len(format_message(one.message)) + 1
        if left < 0 and kept:
            break
        kept.append(one)
    return kept[::-1]


def summary_of(answer: Mapping[str, object]) -> str:
    """The text of a model's answer. Raises ValueError."""
    text = answer.get("summary")
    if not isinstance(text, str) or not text.strip():
        raise ValueError(say("The answer contains no summary."))
    return text.strip()


def source(path: str, one: Heard) -> dict[str, object]:
    """A message as a proposal names it."""
    return {"path": path, "line": one.line, "role": one.message.role, "text": truncate(one.message.content, QUOTED)}


def doubts(text: str, sources: Sequence[str]) -> list[str]:
    """Flags of a text that a model made of these: names, numbers and dates that none of them has, tags that a bot acts on, and what
    they deny."""
    found, tags = invented_words(text, [*sources, ROLES]), extract(text)
    flags = [say("Not said: %(listed)s.", listed=", ".join(found))] if found else []
    if any((tags.memories, tags.chat_memories, tags.working_memory, tags.chat_context, tags.user)):
        flags.append(say("It contains a tag that makes a bot remember."))
    denied = dict.fromkeys(one for line in text.splitlines() if (one := _denied(line, sources)))
    flags += [say("This may contradict: %(text)s.", text=quote(one, TOLD)) for one in list(denied)[:DENIED]]
    return flags


def _denied(line: str, sources: Iterable[str]) -> str:
    """A sentence that denies what a line says, which denies nothing; "" if there is none."""
    words = content_words(line)
    if has_negation(line) or not words:
        return ""
    sentences = (one for source in sources for one in _SENTENCE.findall(source))
    return next((one for one in sentences if has_negation(one) and 2 * len(shared_words(line, one)) >= len(words)), "")


def flag_unsaid(text: str, sources: Iterable[str]) -> list[str]:
    """A flag for a fact of whose words half or more were not said: it may be true, but not out of these messages."""
    words = added_words(text, [*sources, ROLES])
    is_strange = words and 2 * len(words) >= len(content_words(text))
    return [say("Not said in these words: %(listed)s.", listed=", ".join(words))] if is_strange else []
