"""How a family of bots keeps its memory, what it reads of it, and how one of its documents is changed.

The class `Dialect` is that of a family of which nothing is said: it keeps Markdown whose list items are facts, and has no ability
beside that. A family's own is a subclass with what differs. Where it keeps documents of a kind, `path` says so, and doors open."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory.domain.abilities import Capturing, Compacting, Talking
from memory.domain.attributes import AttributesAbility
from memory.domain.changes import Change, Delete, Put, base_of, digest
from memory.domain.fields import Field, read
from memory.domain.memory import Memory
from memory.domain.places import LOGS, Kind, Place, Tier
from memory.domain.prompt import LeftOut, Limit, Prompt, Section
from memory.domain.prompt_lines import lines_of
from memory.text.markdown.blocks import decode, encode
from memory.text.markdown.entries import FactAt, memory_facts
from memory.text.markdown.rewrite import append_bullets, remove_facts, replace_fact
from memory.text.markdown.stamps import stamped_text
from memory.text.sentences import say

NEVER = 36_500  # days: what a family keeps none of never grows old
NAME_LIMIT, SUFFIX = 255, len(".jsonl")  # bytes that a file name may have, and what a session id gets as one
NO_LOGS = say("This bot doesn’t keep daily logs, so nothing needs compacting.")

Leaving = tuple[str, bytes, Sequence[FactAt]]  # (path, data, facts): a document and those of its facts that are meant


@dataclass(frozen=True, slots=True)
class BaseSettings:
    """What the core asks of the settings of every family."""

    memory_retention_days: int = NEVER
    working_memory_days: int = NEVER
    session_history_limit: int = 20


class Dialect:
    """One bot family. Pure: time, text and settings come in as arguments. An ability that a family lacks is None."""

    name: str
    label: str
    fields: tuple[Field, ...] = ()
    made_of: type = BaseSettings  # what `settings` makes of the values
    no_logs: str = NO_LOGS  # why nothing is compacted where `compacting` is None, for people
    reads_by_chat = False  # whether what it reads depends on the chat that it answers in
    reads_by_sender = False  # whether it depends on who writes there

    @property
    def capturing(self) -> Capturing | None:
        return None

    @property
    def talking(self) -> Talking | None:
        return None

    @property
    def compacting(self) -> Compacting | None:
        return None

    @property
    def attributes(self) -> AttributesAbility | None:
        return None

    def seen(self, names: Collection[str]) -> Dialect:
        """This family as a directory that holds these names keeps it (top-level, and one level below `memory`)."""
        return self

    def settings(self, values: Mapping[str, object]) -> Any:
        """Settings from saved values; what is missing is the default. Raises ValueError with a sentence naming the setting."""
        return self.made_of(**read(self.fields, values))

    def unfit(self, settings: Any) -> str:
        """Why nobody may save these settings, each of which may be set by itself, a sentence; "" if they may."""
        return ""

    def warnings(self, settings: Any) -> tuple[str, ...]:
        """What people should know about the rules that hold for this bot, a sentence or two each."""
        return ()

    def limit(self, settings: Any) -> Limit | None:
        """What the bot's own long-term memory is held against; None where no limit is known."""
        return None

    # Where what lies

    def recognises(self, names: Collection[str]) -> bool:
        """Whether a directory that holds these names (top-level, or paths below it) looks like this family's memory."""
        return False

    def passes_over(self, name: str) -> bool:
        """Whether a directory of this name, wherever it lies, holds nothing of the bot's and need not be walked."""
        return name.startswith(".")

    def is_its_own(self, path: str) -> bool:
        """Whether a file that `describe` knows nothing of is the bot's own all the same, and not worth a word."""
        return False

    def describe(self, path: str) -> Place | None:
        """Which kind of document a path is; None for files the bot knows nothing of."""
        return Place(Kind.LONG_TERM, Tier.GLOBAL) if path == self.path(Kind.LONG_TERM) else None

    def path(self, kind: Kind, scope: str = "", day: str = "") -> str | None:
        """Where a document of this kind lies, whether or not it is there; None for a kind that this family does not keep."""
        return "MEMORY.md" if kind is Kind.LONG_TERM and not scope else None

    def directory(self, scope: str) -> str | None:
        """Where the daily logs and the long-term memory of a scope lie ("" is the bot's own): a path without its last slash, ""
        for the root; None if they lie in several."""
        return None

    def beside(self, chat: str, sender: str = "") -> tuple[str, ...]:
        """The scopes that the bot reads in a chat beside the chat's own: what belongs to `sender`, the user who writes there."""
        return ()

    def session(self, session_id: str, channel: str, chat_id: str) -> str:
        """What the bot's documents call the chat of a call; `channel` and `chat_id` are "" where its session id was given as such.
        Raises ValueError, with a sentence, where that is no chat of this family's."""
        return session_id

    def session_id_problem(self, session_id: str) -> str | None:
        """Why a session id cannot name files, for people; None if it can."""
        return session_id_problem(session_id)

    # Its facts, and how a document is changed by hand so that the bot still reads it

    def facts(self, path: str, data: bytes) -> list[FactAt]:
        """The facts of one document, in file order."""
        place = self.describe(path)
        return memory_facts(decode(data)) if place and place.holds_facts else []

    def wrote(self, path: str, before: bytes, after: bytes) -> bool:
        """Whether what made `after` of a document that said `before` has this bot's own form; it never says who wrote it."""
        return False

    def add(self, path: str, data: bytes | None, texts: list[str], now: datetime) -> Change:
        """These facts, one after the other, at the end of a document (`data` None: there is none yet), as the bot itself would
        write them on `now`, its own time. Raises ValueError, with a sentence, for a document that takes none and a text that
        cannot stand there."""
        return self._listed(path, data, texts)

    def _listed(self, path: str, data: bytes | None, texts: list[str]) -> Put:
        """More list items at the end of a text."""
        after = append_bullets(decode(data or b""), texts, self._reader(path))
        return Put(path, encode(after), base_of(data))

    def edit(self, path: str, data: bytes, fact: FactAt, text: str) -> Put:
        """The document with this one fact of it saying `text`, all else byte for byte. Raises ValueError with a sentence."""
        return Put(path, encode(replace_fact(decode(data), fact, text, self._reader(path))), digest(data))

    def forget(self, path: str, data: bytes, facts: Iterable[FactAt]) -> Put | Delete:
        """The document without these of its facts; a family may remove one of which nothing is left. Raises ValueError."""
        return Put(path, encode(remove_facts(decode(data), facts, self._reader(path))), digest(data))

    def lasting(self, path: str, fact: FactAt) -> str | None:
        """Where a fact of a log goes that is to last; None where there is no such place."""
        place = self.describe(path)
        return self.path(Kind.LONG_TERM, place.scope) if place and place.kind in LOGS and place.day else None

    def moved(self, leaving: Iterable[Leaving], target: str, had: bytes | None, now: datetime) -> Change:
        """The document at `target`, which is `had` now, with these facts of others; those of a log say their day and their clock.
        Raises ValueError with a sentence."""
        return self.add(target, had, [text for one in leaving for text in self._told_elsewhere(*one)], now)

    def _told_elsewhere(self, path: str, data: bytes, facts: Iterable[FactAt]) -> Iterator[str]:
        """What facts say away from their document."""
        place, text = self.describe(path), decode(data)
        is_log = place is not None and place.kind in LOGS and place.day
        return (stamped_text(text, fact, place.day) if place and is_log else fact.text for fact in facts)

    def _reader(self, path: str) -> Any:
        return lambda text: self.facts(path, encode(text))

    def refused(self, path: str, before: bytes, after: bytes) -> str:
        """Why people may not make this of a document, a sentence or two; "" if they may."""
        return ""

    def caution(self, path: str) -> str:
        """What people should know before they change a document of this name, a sentence or two; "" for nothing."""
        return ""

    def returning(self, path: str, wanted: bytes, had: bytes, now: bytes) -> tuple[bytes, tuple[str, ...]]:
        """What an undo that makes `wanted` of `had` may bring back into a document that says `now`, and the texts of those facts
        that are there again, so that they cannot come back."""
        return wanted, ()

    # What it reads

    def reads_by_message(self, settings: Any) -> bool:
        """Whether the bot chooses what it reads by the words of the message."""
        return False

    def cut_off(self, memory: Memory) -> LeftOut | None:
        """Of a bot that chooses by the message: the end of a document that no message brings back; None if there is none."""
        return None

    def days_read(self, settings: Any) -> int:
        """How many days of logs a prompt holds at the most; 0 for a bot that reads none by its days."""
        return 0

    def prompt(
        self, memory: Memory, chat: str | None, query: str, now: datetime, settings: Any, sender: str = ""
    ) -> Prompt:
        """What the bot reads before it answers `query`, which `sender` wrote in `chat` (None: no chat)."""
        path = self.path(Kind.LONG_TERM) or ""
        data = memory.read(path) or b""
        return Prompt(
            (Section("", Tier.GLOBAL, tuple(lines_of(path, decode(data), self.facts(path, data)))),) if data else ()
        )

    def to_answer(
        self, memory: Memory, chat: str | None, query: str, now: datetime, settings: Any, sender: str = ""
    ) -> Prompt:
        """The same where Kenoweb answers in the bot's place, which may choose better than the bot does."""
        return self.prompt(memory, chat, query, now, settings, sender)

    def instructions(self, memory: Memory, prompt: Prompt, settings: Any) -> str:
        """The whole system message that the bot itself would send: who it is, then this memory section. Raises Unreadable."""
        return prompt.text

    def reminder(self, prompt: Prompt) -> str:
        """The part of this memory section that is not in the instructions: the bot sends it as a message of its own, right before
        the user's. "" if there is none."""
        return ""


def session_id_problem(session_id: str) -> str | None:
    """Why a session id cannot name files, for people; None if it can."""
    if session_id.startswith("."):
        return say("The chat ID begins with a dot, so its file would be hidden.")
    if "/" in session_id or "\0" in session_id:
        return say("The chat ID contains a slash or a NUL character, which file names can’t.")
    return file_name_problem(session_id)


def file_name_problem(session_id: str) -> str | None:
    """Why a session id with whatever signs a family allows cannot name files; None if it can."""
    if not session_id:
        return say("The chat ID is empty.")
    if any("\ud800" <= sign <= "\udfff" for sign in session_id):
        return say("The chat ID isn’t valid text, so it can’t be a file name.")
    if len(session_id.encode()) + SUFFIX > NAME_LIMIT:
        return say(
            "The chat ID is longer than %(limit)s bytes, too long for a file name.",
            limit=NAME_LIMIT - SUFFIX,
        )
    return None
