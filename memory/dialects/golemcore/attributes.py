"""What a GolemCore's items say besides their contents: in which words, in which layer, and how one is added by hand."""

from __future__ import annotations

from datetime import datetime

from memory.dialects.golemcore import curate, layout, upsert
from memory.dialects.golemcore.entries import BLANK, LOST, READ
from memory.dialects.golemcore.settings import Settings
from memory.domain.attributes import Addition, Draft, Labels, Sentences, Whose
from memory.domain.changes import MEMORY_ROOT
from memory.domain.dialect import Memory
from memory.text.markdown.rewrite import tidy
from memory.text.sentences import say
from memory.text.storable import quoted

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


class Items:
    """Keeps `memory.domain.attributes.AttributesAbility`."""

    root = MEMORY_ROOT
    kinds, sorts, sources, statuses = KINDS, SORTS, SOURCES, STATUSES
    usual, has_weights = "PROJECT_FACT", True
    addable: Labels = {name: SORTS[name] for name in layout.LASTING}
    sentences = SENTENCES

    def __init__(self, memory: str) -> None:
        self.memory = memory  # what its directory is called

    def path(self, scope: str) -> str:
        layer = layout.PROCEDURAL if scope == layout.PROCEDURAL else layout.SEMANTIC
        return layout.items_path(layer, memory=self.memory)

    def scope(self, sort: str, chat: str) -> str:
        return sort if sort in layout.LASTING else layout.SEMANTIC

    def scopes(self, whose: Whose) -> tuple[str, ...]:
        return (whose.sort,) if whose.sort in layout.LASTING else ()

    def unsafe(self, text: str) -> str:
        return ""

    def addition(self, memory: Memory, scope: str, draft: Draft, now: datetime, settings: Settings) -> Addition:
        path, text = self.path(scope), tidy(draft.text)
        layer, data = layout.layer_of(path) or layout.SEMANTIC, memory.read(path)
        item = curate.new(layer, text, now, draft.kind)
        if draft.importance:
            item = curate.weighed(item, draft.confidence, draft.importance)
        done = upsert.upsert(path, data, item, now, settings)
        word = say("Added %(text)s", text=quoted(text)) if done.is_new else say("Repeated %(text)s", text=quoted(text))
        return Addition((upsert.change(path, data, done.data),), path, data, word, done.item.id or "", done.is_new)
