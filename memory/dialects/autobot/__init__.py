"""Autobot: a MEMORY.md that its model rewrites, a HISTORY.md that it only adds to, and a transcript for each chat."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from memory.dialects.autobot import curate, history, layout, talk
from memory.dialects.autobot.attributes import Entries
from memory.dialects.autobot.prompt import instructions, prompt
from memory.dialects.autobot.settings import FIELDS, OBSERVE, WRITE, Settings
from memory.domain.abilities import Capturing, Talking
from memory.domain.changes import Append, Change, Delete, Put, appended_bytes
from memory.domain.dialect import Dialect
from memory.domain.fields import Field
from memory.domain.memory import Memory
from memory.domain.places import Kind
from memory.domain.prompt import Prompt
from memory.domain.turns import Turn
from memory.text.markdown.entries import FactAt
from memory.text.sentences import say

OVERWRITES = say(
    "A running Autobot keeps this chat in memory: it doesn’t see an edit and overwrites it with its next save. Stop it first."
)
NO_LOGS = say("Autobot sums its chats up instead of keeping daily logs, so nothing needs compacting.")
CACHES = say(
    "A running Autobot keeps its chats in memory: it doesn’t see an edited transcript and overwrites it. Stop it first. "
    "MEMORY.md and HISTORY.md it reads anew each time."
)
OBSERVES = say("This bot writes its own files. Deliveries are listed, but nothing is written.")


class Autobot(Capturing, Talking, Dialect):
    """The dialect. Everything it knows is in the modules beside this one; here they meet."""

    name, label = "autobot", "Autobot"
    fields: tuple[Field, ...] = FIELDS
    made_of = Settings
    no_logs = NO_LOGS
    attributes = Entries()

    # As the modules beside this one have it
    describe = staticmethod(layout.describe)
    history = staticmethod(talk.history)
    command = staticmethod(talk.command)
    capture = staticmethod(talk.capture)

    def warnings(self, settings: Settings) -> tuple[str, ...]:
        return (CACHES, OBSERVES) if settings.capture == OBSERVE else (CACHES,)

    def path(self, kind: Kind, scope: str = "", day: str = "") -> str | None:
        return layout.path_of(kind, scope)

    def directory(self, scope: str) -> str | None:
        return None if scope else "memory"

    def session(self, session_id: str, channel: str, chat_id: str) -> str:
        return layout.name_of(f"{channel}:{chat_id}" if channel else session_id)

    def facts(self, path: str, data: bytes) -> list[FactAt]:
        return history.facts(data) if path == layout.HISTORY else super().facts(path, data)

    def wrote(self, path: str, before: bytes, after: bytes) -> bool:
        place = layout.describe(path)
        if place and place.kind is Kind.TRANSCRIPT:  # its first line says when it was saved
            return before.partition(b"\n")[0] != after.partition(b"\n")[0]
        return path == layout.HISTORY and appended_bytes(before, after).endswith(b"\n\n")

    def add(self, path: str, data: bytes | None, texts: list[str], now: datetime) -> Change:
        if path == layout.HISTORY:
            return curate.added(path, data, texts, now)
        return super().add(path, data, texts, now)

    def edit(self, path: str, data: bytes, fact: FactAt, text: str) -> Put:
        if path == layout.HISTORY:
            return curate.edited(path, data, fact, text)
        return super().edit(path, data, fact, text)

    def forget(self, path: str, data: bytes, facts: Iterable[FactAt]) -> Put | Delete:
        if path == layout.HISTORY:
            return curate.forgotten(path, data, facts)
        return super().forget(path, data, facts)

    def refused(self, path: str, before: bytes, after: bytes) -> str:
        place = layout.describe(path)
        holds_messages = place is not None and place.kind in (Kind.TRANSCRIPT, Kind.ARCHIVE)
        return curate.refused(before, after) if holds_messages else ""

    def caution(self, path: str) -> str:
        place = layout.describe(path)
        return OVERWRITES if place is not None and place.kind is Kind.TRANSCRIPT else ""

    def prompt(
        self, memory: Memory, chat: str | None, query: str, now: datetime, settings: Settings, sender: str = ""
    ) -> Prompt:
        return prompt(memory, chat, settings)

    def instructions(self, memory: Memory, prompt: Prompt, settings: Settings) -> str:
        return instructions(memory, prompt)

    def writes_turns(self, settings: Settings) -> bool:
        return settings.capture == WRITE

    def spoken(self, turn: Turn, said: str, memory: Memory) -> Append | None:
        """What is said is in what `capture` writes; here only whether it can be. Raises ValueError."""
        if not talk.command(turn):
            talk.unwritable(turn, memory)
        return None


DIALECT = Autobot()
