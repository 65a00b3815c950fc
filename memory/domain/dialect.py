"""The shapes that every dialect speaks: what a path is, what a turn makes, what the bot reads, what compaction plans."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from memory.domain.attributes import AttributesAbility
from memory.domain.changes import Append, Change, Delete, Put
from memory.domain.fields import Field
from memory.domain.memory import Memory as Memory
from memory.text.markdown.entries import FactAt
from memory.text.message import Message


class Kind(StrEnum):
    """What sort of document a file is."""

    LONG_TERM = "long-term"
    DAILY = "daily"
    ARCHIVE = "archive"  # what compaction took out of the bot's sight; Kenoweb's own, the bot never reads it
    WORKING = "working"
    CONTEXT = "context"  # what a chat is about
    PATTERNS = "patterns"  # what the bot found to work
    IDENTITY = "identity"
    TRANSCRIPT = "transcript"
    TOPIC = "topic"  # notes on one matter, by no day
    TEXT = "text"  # a text in a directory that holds no notes: a skill's, a project's; no facts are read out of it
    HISTORY = "history"  # what happened, one stamped entry after the other
    CACHE = "cache"  # another tool's index, which it can make anew
    OTHER = "other"  # a file that is no note: listed, never opened


LOGS = (Kind.DAILY, Kind.ARCHIVE)  # what may be a log, where it has a day: an archived one is read as before


class Tier(StrEnum):
    """How far a memory reaches."""

    GLOBAL = "global"
    CHAT = "chat"
    WORKING = "working"


@dataclass(frozen=True, slots=True)
class Place:
    """What a path is to the bot. `scope` is the chat's session id or ""; `day` is what the name says, "" if it names none."""

    kind: Kind
    tier: Tier
    scope: str = ""
    day: str = ""
    editable: bool = True
    keeps_history: bool = True  # transcripts and caches have no revisions
    holds_facts: bool = True
    is_read: bool = True  # False: it is listed by name and size, and never opened
    has_attributes: bool = False  # its facts have
    is_text: bool = (
        True  # False: its bytes are no lines, which nobody edits, compares or merges; its family alone reads them
    )


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange a bot reports. `at` is aware and already in the bot's zone. `answered`: the reply was made here, so that nobody
    else writes down what it says. `sender` is who wrote, `message_id` what the bot calls the message, `reply_to` the one that it
    answers, `group_id` the server or team that the chat is in, `chat_name` what people call the chat; "" if it is not said.
    `is_public`: everybody in that group may read the chat."""

    session_id: str
    message: str
    response: str
    at: datetime
    answered: bool = False
    sender: str = ""
    reply_to: str = ""
    message_id: str = ""
    group_id: str = ""
    chat_name: str = ""
    is_public: bool = False


@dataclass(frozen=True, slots=True)
class Captured:
    """What a turn makes: the text the user may see, the changes, and what went where (for the answer's `stored`)."""

    clean_text: str
    changes: tuple[Change, ...]
    stored: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PromptLine:
    """A run of the prompt's text that comes from one fact or document; `path` "" for the bot's own fixed words."""

    text: str
    path: str = ""
    line: int = 0
    fact: FactAt | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """One headed part of the prompt. `"".join(line.text for line in lines)` is exactly its text."""

    heading: str
    tier: Tier | None
    lines: tuple[PromptLine, ...]

    @property
    def text(self) -> str:
        return "".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A document or fact that the bot will not read now, and why, for people. `age` like "12 days ago", or "". It may stand for
    several, `count`, of the same document."""

    path: str
    why: str
    age: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True)
class Prompt:
    """The memory section as the bot reads it: the sections' texts joined are `text`, byte for byte. `counted` is what the bot
    itself counts of it, by its own names; `unsure` says for people what of it the running bot may read otherwise."""

    sections: tuple[Section, ...]
    left_out: tuple[LeftOut, ...] = ()
    counted: Mapping[str, int] = field(default_factory=dict)
    unsure: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "".join(section.text for section in self.sections)


@dataclass(frozen=True, slots=True)
class Limit:
    """How many bytes of its long-term memory a bot reads well or, if it `cuts`, loads at all."""

    size: int
    cuts: bool = False


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn as a transcript of turns notes it. `answered` "" and `answer` None: it was never finished. `asked` None: its
    beginning is not in this text."""

    at: str
    asked: str | None
    answered: str = ""
    answer: str | None = None

    @property
    def died(self) -> bool:
        return self.answer is None


class Fate(StrEnum):
    """What compaction does with a fact or line."""

    MOVE = "move"  # goes to `target`
    DUPLICATE = "duplicate"  # already said at `target` (PATH:LINE as before the run)
    KEEP = "keep"  # stays where it is
    ARCHIVE = "archive"  # goes with its whole log to `target`, which the bot does not load


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person chose of a plan. `leave`: facts, by their keys, that stay in their logs, and whole logs, by their paths;
    `move`: facts that go to long-term memory also where their log is archived. `past_limit`: also beyond what the bot loads of it.
    `same_words`: what is said again at another time is a duplicate."""

    leave: frozenset[str] = frozenset()
    move: frozenset[str] = frozenset()
    past_limit: bool = False
    same_words: bool = False


NOTHING_CHOSEN = Choice()


@dataclass(frozen=True, slots=True)
class Decision:
    """One line of a plan. `line`..`end_line` as before the run; `note` says for people why, or what else is worth knowing."""

    path: str
    line: int
    end_line: int
    text: str
    fate: Fate
    target: str
    is_fact: bool = True
    note: str = ""
    key: str = ""  # of the fact; "" for a line that is none
    time: str = ""  # "HH:MM" or ""
    said: str = ""  # it with its day and its clock, as long-term memory says it

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole run, decided before anything is written. `changes` carry what will be written; `stopped` says why nothing will be."""

    decisions: tuple[Decision, ...] = ()
    changes: tuple[Change, ...] = ()
    sizes: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # long-term document -> bytes before, after
    sources: tuple[str, ...] = ()  # logs that were looked at
    stopped: str = ""
    unread: tuple[tuple[str, str], ...] = ()  # (path, why) of logs left as they are
    fence: str = ""  # the document whose code fence, never closed, is why nothing will be
    archived: Mapping[str, str] = field(default_factory=dict)  # log that leaves whole -> where it will lie
    passes: int = 0  # bytes by which what somebody chose passes what the bot loads; then nothing is written
    whole: Mapping[str, int] = field(default_factory=dict)  # long-term document -> bytes if all moved that could


class Reading(Protocol):
    """What the bot reads."""

    reads_by_chat: bool  # whether what it reads depends on the chat that it answers in
    reads_by_sender: bool  # whether it depends on who writes there

    def reads_by_message(self, settings: Any) -> bool:
        """Whether the bot chooses what it reads by the words of the message."""

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

    def add(self, path: str, data: bytes | None, text: str, now: datetime) -> Change:
        """One more fact at the end of a document (`data` None: there is none yet), as the bot itself would write it on `now`,
        its own time. Raises ValueError, with a sentence, for a document that takes none and a text that cannot stand there."""

    def edit(self, path: str, data: bytes, fact: FactAt, text: str) -> Put:
        """The document with this one fact of it saying `text`, all else byte for byte. Raises ValueError with a sentence."""

    def forget(self, path: str, data: bytes, facts: Iterable[FactAt]) -> Put | Delete:
        """The document without these of its facts, or its removal if nothing is left of it. Raises ValueError."""

    def refused(self, path: str, before: bytes, after: bytes) -> str:
        """Why people may not make this of a document, a sentence or two; "" if they may."""

    def caution(self, path: str) -> str:
        """What people should know before they change a document of this name, a sentence or two; "" for nothing."""

    def returning(self, path: str, wanted: bytes, had: bytes, now: bytes) -> tuple[bytes, tuple[str, ...]]:
        """What an undo that makes `wanted` of `had` may bring back into a document that says `now`, and the texts of those facts
        that are there again, so that they cannot come back."""

    def wrote(self, path: str, added: bytes) -> bool:
        """Whether bytes appended to a document have this bot's own form; it never says who wrote them."""


class Capturing(Protocol):
    """What the bot writes down of a turn."""

    def command(self, turn: Turn) -> str | None:
        """What the bot itself answers to a command of its own, without asking its model; None for any other message."""

    def begun(self, turn: Turn, memory: Memory, settings: Any) -> tuple[Change, ...]:
        """What the bot writes down of a message before it asks its model for the reply; nothing for most. Raises Unreadable."""

    def capture(self, turn: Turn, memory: Memory, settings: Any) -> Captured:
        """The changes that a finished turn makes. Raises ValueError for a session id that cannot name files."""

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

    def warnings(self, settings: Any) -> tuple[str, ...]:
        """What people should know about the rules that hold for this bot, a sentence or two each."""

    def passes_over(self, name: str) -> bool:
        """Whether a directory of this name, wherever it lies, holds nothing of the bot's and need not be walked."""

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
