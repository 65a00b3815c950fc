"""The contract of a dialect: one protocol for each thing that a bot's way of keeping memory can do."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from memory.domain.attributes import AttributesAbility
from memory.domain.changes import Append, Change, Delete, Put
from memory.domain.fields import Field
from memory.domain.memory import Memory
from memory.domain.places import Kind, Place
from memory.domain.plan import NOTHING_CHOSEN, Choice, Plan
from memory.domain.prompt import LeftOut, Limit, Prompt
from memory.domain.turns import Captured, Exchange, Turn
from memory.text.markdown.entries import FactAt
from memory.text.message import Message

Leaving = tuple[str, bytes, Sequence[FactAt]]  # (path, data, facts): a document and those of its facts that are meant


class Reading(Protocol):
    """What the bot reads."""

    reads_by_chat: bool  # whether what it reads depends on the chat that it answers in
    reads_by_sender: bool  # whether it depends on who writes there

    def reads_by_message(self, settings: Any) -> bool:
        """Whether the bot chooses what it reads by the words of the message."""

    def cut_off(self, memory: Memory) -> LeftOut | None:
        """Of a bot that chooses by the message: the end of a document that no message brings back; None if there is none."""

    def days_read(self, settings: Any) -> int:
        """How many days of logs a prompt holds at the most; 0 for a bot that reads none by its days."""

    def limit(self, settings: Any) -> Limit | None:
        """What the bot's own long-term memory is held against; None where no limit is known."""

    def beside(self, chat: str, sender: str = "") -> tuple[str, ...]:
        """The scopes that the bot reads in a chat beside the chat's own: what belongs to `sender`, the user who writes there."""

    def prompt(
        self, memory: Memory, chat: str | None, query: str, now: datetime, settings: Any, sender: str = ""
    ) -> Prompt:
        """What the bot reads before it answers `query`, which `sender` wrote in `chat` (None: no chat)."""

    def to_answer(
        self, memory: Memory, chat: str | None, query: str, now: datetime, settings: Any, sender: str = ""
    ) -> Prompt:
        """The same where Kenoweb answers in the bot's place, which may choose better than the bot does."""

    def instructions(self, memory: Memory, prompt: Prompt, settings: Any) -> str:
        """The whole system message that the bot itself would send: who it is, then this memory section. Raises Unreadable."""

    def reminder(self, prompt: Prompt) -> str:
        """The part of this memory section that is not in the instructions: the bot sends it as a message of its own, right before
        the user's. "" if there is none."""


class Editing(Protocol):
    """How a document is changed by hand so that the bot still reads it."""

    def add(self, path: str, data: bytes | None, texts: list[str], now: datetime) -> Change:
        """These facts, one after the other, at the end of a document (`data` None: there is none yet), as the bot itself would
        write them on `now`, its own time. Raises ValueError, with a sentence, for a document that takes none and a text that
        cannot stand there."""

    def edit(self, path: str, data: bytes, fact: FactAt, text: str) -> Put:
        """The document with this one fact of it saying `text`, all else byte for byte. Raises ValueError with a sentence."""

    def forget(self, path: str, data: bytes, facts: Iterable[FactAt]) -> Put | Delete:
        """The document without these of its facts, or its removal if nothing is left of it. Raises ValueError."""

    def lasting(self, path: str, fact: FactAt) -> str | None:
        """Where a fact of a log goes that is to last; None where there is no such place."""

    def moved(self, leaving: Iterable[Leaving], target: str, had: bytes | None, now: datetime) -> Change:
        """The document at `target`, which is `had` now, with these facts of others; those of a log say their day and their clock.
        Raises ValueError with a sentence."""

    def refused(self, path: str, before: bytes, after: bytes) -> str:
        """Why people may not make this of a document, a sentence or two; "" if they may."""

    def caution(self, path: str) -> str:
        """What people should know before they change a document of this name, a sentence or two; "" for nothing."""

    def returning(self, path: str, wanted: bytes, had: bytes, now: bytes) -> tuple[bytes, tuple[str, ...]]:
        """What an undo that makes `wanted` of `had` may bring back into a document that says `now`, and the texts of those facts
        that are there again, so that they cannot come back."""

    def wrote(self, path: str, before: bytes, after: bytes) -> bool:
        """Whether what made `after` of a document that said `before` has this bot's own form; it never says who wrote it."""


class Capturing(Protocol):
    """What the bot writes down of a turn."""

    by_reply: bool  # whether the bot's own replies say what is to be remembered

    def writes_turns(self, settings: Any) -> bool:
        """Whether a turn that the bot had elsewhere is written down here; else its call is only logged."""

    def command(self, turn: Turn) -> str | None:
        """What the bot itself answers to a command of its own, without asking its model; None for any other message."""

    def begun(self, turn: Turn, memory: Memory, settings: Any) -> tuple[Change, ...]:
        """What the bot writes down of a message before it asks its model for the reply; nothing for most. Raises Unreadable."""

    def capture(self, turn: Turn, memory: Memory, settings: Any) -> Captured:
        """The changes that a finished turn makes. Raises ValueError for a session id that cannot name files."""

    def alone(self, turn: Turn) -> tuple[Turn, ...]:
        """The turn once for each thing that it asks to remember, with that alone; itself where it cannot be taken apart."""

    def reworded(self, turn: Turn, text: str) -> Turn:
        """A turn of `alone` that asks to remember this text in its place. Raises ValueError with a sentence."""

    def spoken(self, turn: Turn, said: str, memory: Memory) -> Append | None:
        """A turn as the bot writes it into the chat's transcript; `said` is what the user saw. None where what `begun` and
        `capture` write is all. Raises Unreadable, and ValueError with a sentence where nobody but the bot can add to it."""


class Talking(Protocol):
    """How transcripts of chats are read."""

    in_lines: bool  # whether each line of one says something by itself; if not, a file is read as one

    def history(self, data: bytes, limit: int) -> tuple[Message, ...]:
        """The newest `limit` messages in a transcript or, if it is in lines, in the end of one, oldest first, as a model is told
        them; what is no message is passed over."""

    def messages(self, path: str, data: bytes) -> Sequence[Message]:
        """All messages of a transcript that is not in lines, as people read them. Raises ValueError with a sentence."""

    def exchanges(self, path: str, data: bytes) -> Sequence[Exchange] | None:
        """The turns that lines of a transcript note, where the family notes turns and not messages; None where it does not."""


class Compacting(Protocol):
    """How old daily logs are merged into long-term memory."""

    def compact(
        self, memory: Memory, today: str, scopes: Iterable[str], settings: Any, choice: Choice = NOTHING_CHOSEN
    ) -> Plan:
        """What compaction does with logs older than the retention on the day `today` (YYYY-MM-DD); scope "" is the bot's own."""

    def old_logs(self, paths: Iterable[str], today: str, scopes: Iterable[str], settings: Any) -> tuple[str, ...]:
        """Those of the paths that are logs of these scopes older than the retention on the day `today`, oldest first in each."""

    def entries(self, path: str, data: bytes) -> list[FactAt]:
        """The facts of a daily log that compaction may take out of it; prose stays. Raises ValueError, with a sentence, for a log
        that has to be left as it is."""

    def extended(self, path: str, data: bytes | None, facts: Iterable[str]) -> Put:
        """A long-term memory or an archive with these facts where compaction adds them (`data` None: there is none yet). Raises
        ValueError, with a sentence, where they would not read as facts."""

    def verify(self, plan: Plan, memory: Memory, results: Mapping[str, bytes | None]) -> str:
        """The gate: "" if every source fact is in the results or a named duplicate, else what is missing, for people."""


class Dialect(Protocol):
    """One bot family. Pure: time, text and settings come in as arguments. An ability that a family lacks is None."""

    name: str
    label: str
    fields: tuple[Field, ...]
    no_logs: str  # why nothing is compacted where `compacting` is None, for people

    @property
    def reading(self) -> Reading: ...

    @property
    def editing(self) -> Editing: ...

    @property
    def capturing(self) -> Capturing | None: ...

    @property
    def talking(self) -> Talking | None: ...

    @property
    def compacting(self) -> Compacting | None: ...

    @property
    def attributes(self) -> AttributesAbility | None: ...

    def seen(self, names: Collection[str]) -> Dialect:
        """This family as a directory that holds these names keeps it (top-level, and one level below `memory`)."""

    def settings(self, values: Mapping[str, object]) -> Any:
        """Settings from saved values; what is missing is the default. Raises ValueError with a sentence naming the setting."""

    def unfit(self, settings: Any) -> str:
        """Why nobody may save these settings, each of which may be set by itself, a sentence; "" if they may."""

    def warnings(self, settings: Any) -> tuple[str, ...]:
        """What people should know about the rules that hold for this bot, a sentence or two each."""

    def passes_over(self, name: str) -> bool:
        """Whether a directory of this name, wherever it lies, holds nothing of the bot's and need not be walked."""

    def is_its_own(self, path: str) -> bool:
        """Whether a file that `describe` knows nothing of is the bot's own all the same, and not worth a word."""

    def recognises(self, names: Collection[str]) -> bool:
        """Whether a directory that holds these names (top-level, or paths below it) looks like this family's memory."""

    def describe(self, path: str) -> Place | None:
        """Which kind of document a path is; None for files the bot knows nothing of."""

    def path(self, kind: Kind, scope: str = "", day: str = "") -> str | None:
        """Where a document of this kind lies, whether or not it is there; None for a kind that this family does not keep."""

    def directory(self, scope: str) -> str | None:
        """Where the daily logs and the long-term memory of a scope lie ("" is the bot's own): a path without its last slash, ""
        for the root; None if they lie in several."""

    def facts(self, path: str, data: bytes) -> list[FactAt]:
        """The facts of one document, in file order."""

    def session(self, session_id: str, channel: str, chat_id: str) -> str:
        """What the bot's documents call the chat of a call; `channel` and `chat_id` are "" where its session id was given as such.
        Raises ValueError, with a sentence, where that is no chat of this family's."""

    def session_id_problem(self, session_id: str) -> str | None:
        """Why a session id cannot name files, for people; None if it can."""
