"""A family of which nothing is said: it keeps Markdown whose list items are facts, and has no ability beside that.

A dialect that starts from here writes down what is its own. Where it keeps documents of a kind, `path` says so, and doors open."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory.domain.attributes import AttributesAbility
from memory.domain.changes import Append, Change, Delete, Put, base_of, digest
from memory.domain.dialect import Capturing, Compacting, Dialect, Editing, Leaving, Reading, Talking
from memory.domain.fields import Field, read
from memory.domain.memory import Memory
from memory.domain.places import LOGS, Kind, Place, Tier
from memory.domain.prompt import LeftOut, Limit, Prompt, PromptLine, Section
from memory.domain.turns import Captured, Exchange, Turn
from memory.text.markdown.blocks import decode, encode
from memory.text.markdown.entries import FactAt, memory_facts
from memory.text.markdown.rewrite import edited, with_bullets, without
from memory.text.markdown.stamps import stamped
from memory.text.message import Message
from memory.text.sentences import say

NEVER = 36_500  # days: what a family keeps none of never grows old
NAME_LIMIT, SUFFIX = 255, len(".jsonl")  # bytes that a file name may have, and what a session id gets as one
NOT_REWORDED = say("This can’t be edited before it is accepted. Accept it, then edit the fact.")
NO_LOGS = say("This bot doesn’t keep daily logs, so nothing needs compacting.")


@dataclass(frozen=True, slots=True)
class BaseSettings:
    """What the core asks of the settings of every family."""

    memory_retention_days: int = NEVER
    working_memory_days: int = NEVER
    session_history_limit: int = 20


class BaseDialect:
    """What a family does unless it says otherwise; each member is described in `Dialect`."""

    name: str
    label: str
    fields: tuple[Field, ...] = ()
    made_of: type = BaseSettings  # what `settings` makes of the values
    no_logs: str = NO_LOGS
    reads_by_chat = False
    reads_by_sender = False

    @property
    def reading(self) -> Reading:
        return self

    @property
    def editing(self) -> Editing:
        return self

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
        return self

    def settings(self, values: Mapping[str, object]) -> Any:
        return self.made_of(**read(self.fields, values))

    def unfit(self, settings: Any) -> str:
        return ""

    def warnings(self, settings: Any) -> tuple[str, ...]:
        return ()

    def limit(self, settings: Any) -> Limit | None:
        return None

    # Where what lies

    def recognises(self, names: Collection[str]) -> bool:
        return False

    def passes_over(self, name: str) -> bool:
        return name.startswith(".")

    def is_its_own(self, path: str) -> bool:
        return False

    def describe(self, path: str) -> Place | None:
        return Place(Kind.LONG_TERM, Tier.GLOBAL) if path == self.path(Kind.LONG_TERM) else None

    def path(self, kind: Kind, scope: str = "", day: str = "") -> str | None:
        return "MEMORY.md" if kind is Kind.LONG_TERM and not scope else None

    def directory(self, scope: str) -> str | None:
        return None

    def beside(self, chat: str, sender: str = "") -> tuple[str, ...]:
        return ()

    def session(self, session_id: str, channel: str, chat_id: str) -> str:
        return session_id

    def session_id_problem(self, session_id: str) -> str | None:
        return session_id_problem(session_id)

    # Its facts

    def facts(self, path: str, data: bytes) -> list[FactAt]:
        place = self.describe(path)
        return memory_facts(decode(data)) if place and place.holds_facts else []

    def wrote(self, path: str, before: bytes, after: bytes) -> bool:
        return False

    def add(self, path: str, data: bytes | None, texts: list[str], now: datetime) -> Change:
        return self._listed(path, data, texts)

    def _listed(self, path: str, data: bytes | None, texts: list[str]) -> Put:
        """More list items at the end of a text."""
        after = with_bullets(decode(data or b""), texts, self._reader(path))
        return Put(path, encode(after), base_of(data))

    def edit(self, path: str, data: bytes, fact: FactAt, text: str) -> Put:
        return Put(path, encode(edited(decode(data), fact, text, self._reader(path))), digest(data))

    def forget(self, path: str, data: bytes, facts: Iterable[FactAt]) -> Put | Delete:
        return Put(path, encode(without(decode(data), facts, self._reader(path))), digest(data))

    def lasting(self, path: str, fact: FactAt) -> str | None:
        place = self.describe(path)
        return self.path(Kind.LONG_TERM, place.scope) if place and place.kind in LOGS and place.day else None

    def moved(self, leaving: Iterable[Leaving], target: str, had: bytes | None, now: datetime) -> Change:
        return self.add(target, had, [text for one in leaving for text in self._told_elsewhere(*one)], now)

    def _told_elsewhere(self, path: str, data: bytes, facts: Iterable[FactAt]) -> Iterator[str]:
        """What facts say away from their document."""
        place, text = self.describe(path), decode(data)
        is_log = place is not None and place.kind in LOGS and place.day
        return (stamped(text, fact, place.day) if place and is_log else fact.text for fact in facts)

    def _reader(self, path: str) -> Any:
        return lambda text: self.facts(path, encode(text))

    def refused(self, path: str, before: bytes, after: bytes) -> str:
        return ""

    def caution(self, path: str) -> str:
        return ""

    def returning(self, path: str, wanted: bytes, had: bytes, now: bytes) -> tuple[bytes, tuple[str, ...]]:
        return wanted, ()

    # What it reads

    def reads_by_message(self, settings: Any) -> bool:
        return False

    def cut_off(self, memory: Memory) -> LeftOut | None:
        return None

    def days_read(self, settings: Any) -> int:
        return 0

    def prompt(
        self, memory: Memory, chat: str | None, query: str, now: datetime, settings: Any, sender: str = ""
    ) -> Prompt:
        path = self.path(Kind.LONG_TERM) or ""
        text = decode(memory.read(path) or b"")
        return Prompt((Section("", Tier.GLOBAL, (PromptLine(text, path, 1),)),) if text else ())

    def to_answer(
        self, memory: Memory, chat: str | None, query: str, now: datetime, settings: Any, sender: str = ""
    ) -> Prompt:
        return self.reading.prompt(memory, chat, query, now, settings, sender)

    def instructions(self, memory: Memory, prompt: Prompt, settings: Any) -> str:
        return prompt.text

    def reminder(self, prompt: Prompt) -> str:
        return ""


class Captures:
    """A family that writes turns down, as far as it does not say otherwise."""

    @property
    def capturing(self) -> Capturing:
        return self

    def command(self, turn: Turn) -> str | None:
        return None

    by_reply = False

    def writes_turns(self, settings: Any) -> bool:
        return False

    def begun(self, turn: Turn, memory: Memory, settings: Any) -> tuple[Change, ...]:
        return ()

    def capture(self, turn: Turn, memory: Memory, settings: Any) -> Captured:
        return observed(turn)

    def alone(self, turn: Turn) -> tuple[Turn, ...]:
        return (turn,)

    def reworded(self, turn: Turn, text: str) -> Turn:
        raise ValueError(NOT_REWORDED)

    def spoken(self, turn: Turn, said: str, memory: Memory) -> Append | None:
        return None


class Talks(ABC):
    """A family that keeps transcripts of messages, as far as it does not say otherwise."""

    in_lines = True

    @property
    def talking(self) -> Talking:
        return self

    @abstractmethod
    def history(self, data: bytes, limit: int) -> tuple[Message, ...]: ...

    def messages(self, path: str, data: bytes) -> Sequence[Message]:
        return self.history(data, sys.maxsize)

    def exchanges(self, path: str, data: bytes) -> Sequence[Exchange] | None:
        return None


def observed(turn: Turn) -> Captured:
    """What a turn makes of which only the bot itself writes anything down."""
    return Captured(turn.response, (), {"memories": 0, "documents": [], "observed": True})


def session_id_problem(session_id: str) -> str | None:
    """Why a session id cannot name files, for people; None if it can."""
    if not session_id:
        return say("The chat ID is empty.")
    if session_id.startswith("."):
        return say("The chat ID begins with a dot, so its file would be hidden.")
    if "/" in session_id or "\0" in session_id:
        return say("The chat ID contains a slash or a NUL character, which file names can’t.")
    if any("\ud800" <= sign <= "\udfff" for sign in session_id):
        return say("The chat ID isn’t valid text, so it can’t be a file name.")
    if len(session_id.encode()) + SUFFIX > NAME_LIMIT:
        return say(
            "The chat ID is longer than %(limit)s bytes, too long for a file name.",
            limit=NAME_LIMIT - SUFFIX,
        )
    return None
