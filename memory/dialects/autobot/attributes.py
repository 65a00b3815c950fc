"""The entries of HISTORY.md as facts with attributes: of when each tells, and how one is added by hand."""

from __future__ import annotations

from datetime import datetime

from memory.dialects.autobot import curate, history, layout
from memory.domain.attributes import Addition, Detailing, Draft, Labels, Sentences, Whose
from memory.domain.changes import MEMORY_ROOT
from memory.domain.memory import Memory
from memory.text.sentences import say
from memory.text.storable import quote

SORT = "history"
SENTENCES = Sentences(
    page=say("What the bot told of its chats when it summed them up, as HISTORY.md has it. It is in no prompt."),
    adding=say("Added at the end of HISTORY.md with the current time in UTC, unless it begins with a time."),
    whose=say("All chats share one history."),
    forgetting=say("They are removed from HISTORY.md. One undo restores everything."),
    missing=say("This bot has no history yet."),
)


class Entries:
    """Keeps `memory.domain.attributes.AttributesAbility`."""

    root = MEMORY_ROOT
    kinds: Labels = {history.DATED: say("With a time"), history.UNDATED: say("Without a time")}
    sorts: Labels = {SORT: say("History")}
    sources: Labels = {}
    statuses: Labels = {}
    usual, has_weights, has_expiry, is_by_chat = history.DATED, False, False, False
    addable: Labels = {SORT: say("History")}
    sentences = SENTENCES
    detailing: Detailing | None = None

    def path(self, scope: str) -> str:
        return layout.HISTORY

    def scope(self, sort: str, chat: str) -> str:
        return SORT

    def scopes(self, whose: Whose) -> tuple[str, ...]:
        return ()

    def unsafe(self, text: str) -> str:
        return ""

    def addition(self, memory: Memory, scope: str, draft: Draft, now: datetime, settings: object) -> Addition:
        before = memory.read(layout.HISTORY)
        change = curate.added(layout.HISTORY, before, [draft.text], now)
        return Addition((change,), layout.HISTORY, before, say("Added %(text)s", text=quote(draft.text)))
