"""KenoBot: a `MEMORY.md`, daily logs of `## HH:MM — text`, the same for each chat, and a scratchpad per session."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from datetime import datetime

from memory.dialects.kenobot import curate, layout
from memory.dialects.kenobot.capture import alone, capture, reworded
from memory.dialects.kenobot.facts import facts_of
from memory.dialects.kenobot.identity import instructions
from memory.dialects.kenobot.prompt import prompt
from memory.dialects.kenobot.settings import FIELDS, V07, Settings
from memory.dialects.kenobot.talk import history, spoken
from memory.dialects.shared.compaction import LogsIntoMemory
from memory.domain.abilities import Capturing, Talking
from memory.domain.changes import Append, Change, Delete, Put, grown
from memory.domain.dialect import Dialect
from memory.domain.fields import Field
from memory.domain.memory import Memory
from memory.domain.places import Kind, Place
from memory.domain.prompt import Limit, Prompt
from memory.domain.turns import Captured, Turn
from memory.text.markdown.entries import FactAt
from memory.text.message import Message

# What the bot appends in one go: one entry, perhaps several, each followed by an empty line.
_OWN_FORM = re.compile(rb"## [0-2][0-9]:[0-5][0-9] \xe2\x80\x94 \S.*\n\n", re.DOTALL)


class KenoBot(Capturing, Talking, Dialect):
    """The dialect. Everything it knows is in the modules beside this one; here they meet."""

    name = "kenobot"
    label = "KenoBot"
    reads_by_chat = True
    by_reply = True
    fields: tuple[Field, ...] = FIELDS
    made_of = Settings
    compacting = LogsIntoMemory(layout.describe, layout.long_term_path, lambda settings: layout.LIMIT, splits=True)

    def reads_by_message(self, settings: Settings) -> bool:
        return settings.version == V07

    def warnings(self, settings: Settings) -> tuple[str, ...]:
        return layout.warnings(settings.version)

    def days_read(self, settings: Settings) -> int:
        return settings.memory_days

    def limit(self, settings: Settings) -> Limit | None:
        return layout.LIMIT

    def passes_over(self, name: str) -> bool:
        return layout.passes_over(name)

    def describe(self, path: str) -> Place | None:
        return layout.describe(path)

    def path(self, kind: Kind, scope: str = "", day: str = "") -> str | None:
        return layout.path_of(kind, scope, day)

    def recognises(self, names: Collection[str]) -> bool:
        return layout.recognises(names)

    def session_id_problem(self, session_id: str) -> str | None:
        return layout.session_id_problem(session_id)

    def directory(self, scope: str) -> str:
        return layout.directory(scope).removesuffix("/")

    def facts(self, path: str, data: bytes) -> list[FactAt]:
        place = layout.describe(path)
        return facts_of(place, data) if place else []

    def wrote(self, path: str, before: bytes, after: bytes) -> bool:
        place = layout.describe(path)
        match place.kind if place else None:
            case Kind.DAILY:
                return _OWN_FORM.fullmatch(grown(before, after)) is not None
            case Kind.WORKING | Kind.CONTEXT:  # replaced whole, trimmed; what people save ends in a line feed
                return after.strip() == after != b""
            case Kind.PATTERNS:
                return True
        return False

    def add(self, path: str, data: bytes | None, texts: list[str], now: datetime) -> Change:
        return curate.add(path, data, texts, now)

    def edit(self, path: str, data: bytes, fact: FactAt, text: str) -> Put:
        return curate.edit(path, data, fact, text)

    def forget(self, path: str, data: bytes, facts: Iterable[FactAt]) -> Put | Delete:
        return curate.forget(path, data, facts)

    def writes_turns(self, settings: Settings) -> bool:
        return settings.capture == "write"

    def capture(self, turn: Turn, memory: Memory, settings: Settings) -> Captured:
        return capture(turn, memory, settings)

    def prompt(
        self, memory: Memory, chat: str | None, query: str, now: datetime, settings: Settings, sender: str = ""
    ) -> Prompt:
        return prompt(memory, chat, query, now, settings)

    def to_answer(
        self, memory: Memory, chat: str | None, query: str, now: datetime, settings: Settings, sender: str = ""
    ) -> Prompt:
        return prompt(memory, chat, query, now, settings, teaches=True)

    def instructions(self, memory: Memory, prompt: Prompt, settings: Settings) -> str:
        return instructions(memory, prompt, settings)

    def history(self, data: bytes, limit: int) -> tuple[Message, ...]:
        return history(data, limit)

    def alone(self, turn: Turn) -> tuple[Turn, ...]:
        return alone(turn)

    def reworded(self, turn: Turn, text: str) -> Turn:
        return reworded(turn, text)

    def spoken(self, turn: Turn, said: str, memory: Memory) -> Append:
        return spoken(turn, said, memory)


DIALECT = KenoBot()
