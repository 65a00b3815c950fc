"""GolemCore: typed items in layers, notes of each day, a MEMORY.md, and a session for each chat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, tzinfo

from memory.dialects.golemcore import curate, entries, items, layout, notes, upsert
from memory.dialects.golemcore.attributes import Items
from memory.dialects.golemcore.capture import PROMOTED, capture
from memory.dialects.golemcore.items import Item
from memory.dialects.golemcore.layout import Layer
from memory.dialects.golemcore.prompt import instructions, prompt
from memory.dialects.golemcore.sessions import talk, turn as session_turn
from memory.dialects.golemcore.settings import FIELDS, WRITE, Settings, unfit
from memory.domain.abilities import Capturing
from memory.domain.attributes import AttributesAbility
from memory.domain.changes import Change, Delete, Put, appended_bytes
from memory.domain.dialect import Dialect, Leaving
from memory.domain.fields import Field
from memory.domain.memory import Memory
from memory.domain.places import Kind, Place
from memory.domain.prompt import Prompt
from memory.domain.turns import Captured, Turn
from memory.text.markdown.entries import FactAt
from memory.text.markdown.rewrite import tidy
from memory.text.sentences import say

NO_LOGS = say("GolemCore loads its newest notes by itself and lets items decay, so no logs need compacting.")


class GolemCore(talk.Talk, Capturing, Dialect):
    """The dialect. Everything it knows is in the modules beside this one; here they meet."""

    name, label = layout.NAME, "GolemCore"
    fields: tuple[Field, ...] = FIELDS
    made_of = Settings
    no_logs = NO_LOGS

    # As the modules beside this one have it
    unfit = staticmethod(unfit)
    recognises = staticmethod(layout.recognises)
    session = staticmethod(layout.session)

    def __init__(
        self,
        memory: str = layout.MEMORY,
        zone: tzinfo | None = None,
        sessions: Callable[[str], str] | None = None,
        *,
        summarises: bool = False,
    ) -> None:
        self.memory = memory  # what its directory is called
        self.zone = zone  # in which clock times are said
        self.sessions = sessions  # where the session of a chat lies, "" for none; None: nobody has looked
        self.summarises = summarises  # whether a model sums up what a compaction cuts
        self.items = Items(memory)

    @property
    def attributes(self) -> AttributesAbility:
        return self.items

    def is_its_own(self, path: str) -> bool:
        return path.startswith(layout.OWN)

    def describe(self, path: str) -> Place | None:
        return layout.describe(path, self.memory)

    def path(self, kind: Kind, scope: str = "", day: str = "") -> str | None:
        there = self.sessions(scope) if self.sessions and scope and kind is Kind.TRANSCRIPT else ""
        return there or layout.path_of(kind, scope, day, self.memory)

    def directory(self, scope: str) -> str | None:
        return None if scope else self.memory

    def facts(self, path: str, data: bytes) -> list[FactAt]:
        place = self.describe(path)
        if place is None or not place.holds_facts:
            return []
        if layer := layout.layer_of(path):
            return entries.facts(layer, data, self.zone)
        return notes.facts(data) if place.kind is Kind.DAILY else super().facts(path, data)

    def wrote(self, path: str, before: bytes, after: bytes) -> bool:
        if self._has_notes(path):
            return notes.are_own(appended_bytes(before, after))
        if (place := self.describe(path)) and place.kind is Kind.TRANSCRIPT:
            return True
        return bool(layout.layer_of(path.removesuffix(layout.BACKUP))) and items.are_own(before, after)

    def add(self, path: str, data: bytes | None, texts: list[str], now: datetime) -> Change:
        if layer := layout.layer_of(path):
            return curate.add(layer, path, data, texts, now)
        return notes.added(path, data, texts, now) if self._has_notes(path) else super().add(path, data, texts, now)

    def edit(self, path: str, data: bytes, fact: FactAt, text: str) -> Put:
        if layout.layer_of(path):
            return curate.edit(path, data, fact, content=tidy(text))
        is_line = self._has_notes(path) and notes.is_line(data, fact)
        return notes.edited(path, data, fact, text) if is_line else super().edit(path, data, fact, text)

    def forget(self, path: str, data: bytes, facts: Iterable[FactAt]) -> Put | Delete:
        if layout.layer_of(path):
            return curate.forget(path, data, facts)
        return notes.forgotten(path, data, facts) if self._has_notes(path) else super().forget(path, data, facts)

    def lasting(self, path: str, fact: FactAt) -> str | None:
        if layout.layer_of(path) != layout.EPISODIC:
            return super().lasting(path, fact)
        kind = fact.attributes.kind if fact.attributes else ""
        return layout.items_path(PROMOTED.get(kind, layout.SEMANTIC), memory=self.memory)

    def moved(self, leaving: Iterable[Leaving], target: str, had: bytes | None, now: datetime) -> Change:
        layer = layout.layer_of(target)
        if not layer:
            return super().moved(leaving, target, had, now)
        going = (item for one in leaving for item in self._items(layer, *one, now))
        return upsert.moved(layer, target, had, going, now)

    def _items(self, layer: Layer, path: str, data: bytes, facts: Sequence[FactAt], now: datetime) -> Iterable[Item]:
        """Facts as items: those that are some stay what they are."""
        if layout.layer_of(path):
            return curate.items_of(data, facts)
        return (curate.new(layer, tidy(text), now) for text in self._told_elsewhere(path, data, facts))

    def refused(self, path: str, before: bytes, after: bytes) -> str:
        if (place := self.describe(path)) and place.kind is Kind.TRANSCRIPT:
            return talk.refused(path, before, after)
        return curate.refused(before, after) if layout.layer_of(path) else ""

    def writes_turns(self, settings: Settings) -> bool:
        return settings.capture == WRITE

    def capture(self, turn: Turn, memory: Memory, settings: Settings) -> Captured:
        path = self.path(Kind.TRANSCRIPT, turn.session_id) or ""
        if told := session_turn.command(turn, settings):
            return session_turn.carried_out(told, turn, memory, path, settings, summed=self.summarises)
        captured = capture(turn, memory, self.memory, settings)
        return session_turn.beside(captured, turn, memory, path)

    def reads_by_message(self, settings: Settings) -> bool:
        return settings.enabled

    def prompt(
        self, memory: Memory, chat: str | None, query: str, now: datetime, settings: Settings, sender: str = ""
    ) -> Prompt:
        return prompt(memory, self.memory, query, now, settings)

    def instructions(self, memory: Memory, prompt: Prompt, settings: Settings) -> str:
        return instructions(memory, prompt)

    def _has_notes(self, path: str) -> bool:
        place = self.describe(path)
        return place is not None and place.kind is Kind.DAILY and not place.has_attributes


DIALECT = GolemCore()
