"""What a GolemCore's items say besides their contents: in which words, in which layer, and how one is added by hand."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from math import isfinite
from typing import Any

from memory.dialects.golemcore import curate, layout, upsert
from memory.dialects.golemcore.entries import BLANK, LOST, READ
from memory.dialects.golemcore.settings import Settings
from memory.domain.attributes import Addition, Detailing, Details, Draft, Labels, Sentences, Whose
from memory.domain.changes import MEMORY_ROOT, Put
from memory.domain.memory import Memory
from memory.text.markdown.entries import FactAt
from memory.text.markdown.rewrite import tidy
from memory.text.sentences import say
from memory.text.storable import quote

KINDS: Labels = {
    "PROJECT_FACT": say("Project fact"),
    "PREFERENCE": say("Preference"),
    "DECISION": say("Decision"),
    "CONSTRAINT": say("Constraint"),
    "FAILURE": say("Failure"),
    "FIX": say("Fix"),
    "COMMAND_RESULT": say("Command result"),
    "TASK_STATE": say("Turn"),
}
SORTS: Labels = {
    layout.SEMANTIC: say("Semantic"),
    layout.PROCEDURAL: say("Procedural"),
    layout.EPISODIC: say("Episodic"),
}
SOURCES: Labels = {
    "turn": say("From a turn"),
    "derived": say("Extracted from a turn"),
    curate.BY_HAND: say("Added on request"),
}
STATUSES: Labels = {READ: say("Read by the bot"), LOST: say("Unreadable for the bot"), BLANK: say("Without content")}
SENTENCES = Sentences(
    page=say(
        "Every item in the bot’s memory, also those that it can’t read. Importance is what the bot calls salience."
    ),
    adding=say(
        "Stored as the bot’s memory tool stores it. If an item of its layer says the same, that one is updated."
    ),
    whose=say("The bot loads items of every layer in every chat."),
    forgetting=say(
        "Their lines are removed from the bot’s files and from its .bak copies. One undo restores everything."
    ),
    missing=say("This bot has no items yet."),
)


_NAMES = {"kind": "type", "importance": "salience", "days": "ttl_days"}  # of details, where the bot has its own word


class Items:
    """Keeps `memory.domain.attributes.AttributesAbility`."""

    root = MEMORY_ROOT
    kinds, sorts, sources, statuses = KINDS, SORTS, SOURCES, STATUSES
    usual, has_weights, has_expiry, is_by_chat = "PROJECT_FACT", True, True, False
    addable: Labels = {name: SORTS[name] for name in layout.LASTING}
    sentences = SENTENCES

    def __init__(self, memory: str) -> None:
        self.memory = memory  # what its directory is called
        self.detailing: Detailing | None = self

    def path(self, scope: str) -> str:
        layer = layout.PROCEDURAL if scope == layout.PROCEDURAL else layout.SEMANTIC
        return layout.items_path(layer, memory=self.memory)

    def scope(self, sort: str, chat: str) -> str:
        return sort if sort in layout.LASTING else layout.SEMANTIC

    def scopes(self, whose: Whose) -> tuple[str, ...]:
        return (whose.sort,) if whose.sort in layout.LASTING else ()

    def unsafe(self, text: str) -> str:
        return ""

    def details(self, path: str, data: bytes, fact: FactAt) -> Details:
        item = curate.item_of(data, fact)
        weights = _finite(item.salience), _finite(item.confidence)
        return Details(item.type or "", item.title or "", *weights, item.tags, item.references, item.ttl_days)

    def detailed(self, path: str, data: bytes, fact: FactAt, changes: Mapping[str, Any], now: datetime) -> Put:
        return curate.edit(path, data, fact, **as_values(changes, now))

    def addition(self, memory: Memory, scope: str, draft: Draft, now: datetime, settings: Settings) -> Addition:
        path, text = self.path(scope), tidy(draft.text)
        layer, data = layout.layer_of(path) or layout.SEMANTIC, memory.read(path)
        item = curate.new(layer, text, now, draft.kind)
        if draft.importance:
            item = curate.weighed(item, draft.confidence, draft.importance)
        done = upsert.upsert(path, data, item, now, settings)
        word = say("Added %(text)s", text=quote(text)) if done.is_new else say("Repeated %(text)s", text=quote(text))
        return Addition((upsert.change(path, data, done.data),), path, data, word, done.item.id or "", done.is_new)


def as_values(changes: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """Details as an item has them, which counts as said `now`; {} where nothing changes."""
    values = {_NAMES.get(name, name): value for name, value in changes.items()}
    if "type" in values:
        values["type"] = values["type"] or None
    return {**values, "updated": now} if values else {}


def _finite(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None
