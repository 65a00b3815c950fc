"""The workspaces that most bots keep: a MEMORY.md, notes by day and by topic, documents on who the bot is, perhaps a history.

OpenClaw, HKUDS nanobot, Claude Code's memory, and any other bot with a MEMORY.md and dated notes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from memory.dialects.shared.compaction import LogsIntoMemory
from memory.dialects.workspace import curate, history, layout, talk
from memory.dialects.workspace.budget import ends
from memory.dialects.workspace.facts import facts_of, is_lines
from memory.dialects.workspace.look import Look, look
from memory.dialects.workspace.prompt import prompt
from memory.dialects.workspace.settings import FIELDS, Settings, fields_of, settings_from
from memory.domain.abilities import Capturing, Talking
from memory.domain.changes import Append, appended_bytes
from memory.domain.dialect import Dialect
from memory.domain.fields import Field
from memory.domain.memory import Memory
from memory.domain.places import Kind
from memory.domain.prompt import Limit, Prompt
from memory.domain.turns import Turn
from memory.text.markdown.entries import FactAt
from memory.text.sentences import say

_WARNINGS = (
    say(
        "Shows what the bot loads from these files at the start of a session. Its program’s own instructions, and "
        "what it looks up later, are not included."
    ),
    say("This bot writes its own files. Deliveries are listed, but nothing is written."),
)


class Workspace(Capturing, Talking, Dialect):
    """The dialect, as one directory keeps it. Everything it knows is in the modules beside this one; here they meet."""

    name = "workspace"
    label = "Workspace"

    # As the modules beside this one have it
    passes_over = staticmethod(layout.passes_over)
    describe = staticmethod(layout.describe)
    recognises = staticmethod(layout.recognises)
    add = staticmethod(curate.add)
    edit = staticmethod(curate.edit)
    forget = staticmethod(curate.forget)
    refused = staticmethod(curate.refused)
    history = staticmethod(talk.history)

    def __init__(self, look: Look, fields: tuple[Field, ...] = FIELDS) -> None:
        self.look, self.fields = look, fields

    @property
    def compacting(self) -> LogsIntoMemory:
        return LogsIntoMemory(layout.describe, lambda scope: self.look.long_term, self.limit)

    def seen(self, names: Collection[str], flavour: str = "", *, apart: bool = False) -> Workspace:
        found = look(names, flavour, apart=apart)
        return Workspace(found, fields_of(found.flavour))

    def settings(self, values: Mapping[str, object]) -> Settings:
        return settings_from(values, self.look.seems)

    def warnings(self, settings: Settings) -> tuple[str, ...]:
        return _WARNINGS

    def days_read(self, settings: Settings) -> int:
        return settings.memory_days

    def limit(self, settings: Settings) -> Limit | None:
        match settings.flavour:
            case "openclaw":
                return Limit(settings.document_chars, cuts=True, keeps=sum(ends(settings.document_chars)))
            case "claude-code":
                return Limit(settings.memory_bytes, cuts=True)
        return None

    def path(self, kind: Kind, scope: str = "", day: str = "") -> str | None:
        match kind:
            case Kind.LONG_TERM if not scope:
                return self.look.long_term
            case Kind.DAILY if day and not scope and self.look.daily is not None:
                return f"{self.look.daily}{day}.md"
            case Kind.ARCHIVE if not scope:
                return f"{self.look.directory}archive.md"
            case Kind.TRANSCRIPT if scope:
                return f"{self.look.sessions}/{scope}.jsonl"
        return None

    def facts(self, path: str, data: bytes) -> list[FactAt]:
        place = layout.describe(path)
        return facts_of(path, place, data) if place else []

    def wrote(self, path: str, before: bytes, after: bytes) -> bool:
        place = layout.describe(path)
        if place and place.kind is Kind.HISTORY:
            return history.are_own(before, after, in_lines=is_lines(path))
        return place is not None and place.kind is Kind.DAILY and curate.are_own(before, appended_bytes(before, after))

    def prompt(
        self, memory: Memory, chat: str | None, query: str, now: datetime, settings: Settings, sender: str = ""
    ) -> Prompt:
        return prompt(memory, self.look, now, settings)

    def spoken(self, turn: Turn, said: str, memory: Memory) -> Append:
        return talk.spoken(turn, said, memory, self.look.flavour)


DIALECT = Workspace(Look())
