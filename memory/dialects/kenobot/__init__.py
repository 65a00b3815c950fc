"""KenoBot: a `MEMORY.md`, daily logs of `## HH:MM — text`, the same for each chat, and a scratchpad per session."""

from __future__ import annotations

import re
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
from memory.domain.changes import appended_bytes
from memory.domain.dialect import Dialect
from memory.domain.fields import Field
from memory.domain.memory import Memory
from memory.domain.places import Kind
from memory.domain.prompt import Limit, Prompt
from memory.text.markdown.entries import FactAt

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

    # As the modules beside this one have it
    passes_over = staticmethod(layout.passes_over)
    describe = staticmethod(layout.describe)
    path = staticmethod(layout.path_of)
    recognises = staticmethod(layout.recognises)
    session_id_problem = staticmethod(layout.session_id_problem)
    add = staticmethod(curate.add)
    edit = staticmethod(curate.edit)
    forget = staticmethod(curate.forget)
    capture = staticmethod(capture)
    instructions = staticmethod(instructions)
    history = staticmethod(history)
    alone = staticmethod(alone)
    reworded = staticmethod(reworded)
    spoken = staticmethod(spoken)

    def reads_by_message(self, settings: Settings) -> bool:
        return settings.version == V07

    def warnings(self, settings: Settings) -> tuple[str, ...]:
        return layout.warnings(settings.version)

    def days_read(self, settings: Settings) -> int:
        return settings.memory_days

    def limit(self, settings: Settings) -> Limit | None:
        return layout.LIMIT

    def directory(self, scope: str) -> str:
        return layout.directory(scope).removesuffix("/")

    def facts(self, path: str, data: bytes) -> list[FactAt]:
        place = layout.describe(path)
        return facts_of(place, data) if place else []

    def wrote(self, path: str, before: bytes, after: bytes) -> bool:
        place = layout.describe(path)
        match place.kind if place else None:
            case Kind.DAILY:
                return _OWN_FORM.fullmatch(appended_bytes(before, after)) is not None
            case Kind.WORKING | Kind.CONTEXT:  # replaced whole, trimmed; what people save ends in a line feed
                return after.strip() == after != b""
            case Kind.PATTERNS:
                return True
        return False

    def writes_turns(self, settings: Settings) -> bool:
        return settings.capture == "write"

    def prompt(
        self, memory: Memory, chat: str | None, query: str, now: datetime, settings: Settings, sender: str = ""
    ) -> Prompt:
        return prompt(memory, chat, query, now, settings)

    def to_answer(
        self, memory: Memory, chat: str | None, query: str, now: datetime, settings: Settings, sender: str = ""
    ) -> Prompt:
        return prompt(memory, chat, query, now, settings, teaches=True)


DIALECT = KenoBot()
