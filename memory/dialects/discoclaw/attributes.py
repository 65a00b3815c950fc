"""What a DiscoClaw's facts say besides their texts: in which words, whose they are, and how one is added by hand."""

from __future__ import annotations

from datetime import datetime

from memory.dialects.discoclaw import curate, durable, layout
from memory.dialects.discoclaw.durable import ACTIVE, FORGOTTEN
from memory.dialects.discoclaw.entries import USER
from memory.dialects.discoclaw.prompt import milliseconds
from memory.dialects.discoclaw.settings import Settings
from memory.domain.attributes import Addition, Detailing, Draft, Labels, Sentences, Whose
from memory.domain.changes import MEMORY_ROOT
from memory.domain.memory import Memory
from memory.text.markdown.rewrite import tidy
from memory.text.sentences import say
from memory.text.storable import quote

KINDS: Labels = {
    "fact": say("Fact"),
    "preference": say("Preference"),
    "project": say("Project"),
    "constraint": say("Constraint"),
    "person": say("Person"),
    "tool": say("Tool"),
    "workflow": say("Workflow"),
}
SOURCES: Labels = {
    "manual": say("By hand"),
    "summary": say("Learned by the bot"),
    "discord": say("By the bot’s own action"),
    "consolidation": say("Merged by the bot"),
}
STATUSES: Labels = {ACTIVE: say("Active"), FORGOTTEN: say("Forgotten")}
NO_USER = say("Facts belong to users. Name one by their Discord ID, which has digits only. Nothing was changed.")
SENTENCES = Sentences(
    page=say("What the bot remembers about each user. It reads a user’s newest facts in every message they write."),
    adding=say("Stored as if the user had typed %(command)s.", command="!memory remember"),
    whose=say("The bot reads a user’s facts wherever that user writes."),
    forgetting=say(
        "The bot no longer reads them. They stay in its file as forgotten until newer facts need the room, and one "
        "undo restores everything. Facts already forgotten are removed from the file."
    ),
    missing=say("This bot keeps no facts about users yet."),
)


class Facts:
    """Keeps `memory.domain.attributes.AttributesAbility`."""

    root = MEMORY_ROOT
    kinds, sources, statuses = KINDS, SOURCES, STATUSES
    sorts: Labels = {USER: say("Users")}
    usual, has_weights, has_expiry, is_by_chat = "fact", False, False, True
    addable: Labels = {USER: say("User")}
    sentences = SENTENCES
    detailing: Detailing | None = None

    def path(self, scope: str) -> str:
        return (layout.durable_path(scope) if scope.startswith(layout.USER) else None) or layout.rolling_path(scope)

    def scope(self, sort: str, chat: str) -> str:
        return layout.user_of(chat)

    def scopes(self, whose: Whose) -> tuple[str, ...]:
        named = whose.sender_id.strip().removeprefix(layout.USER)
        if not named and not whose.channel and not whose.chat_id:
            return ()
        if not (named.isascii() and named.isdecimal()):
            raise ValueError(NO_USER)
        return (layout.USER + named,)

    def unsafe(self, text: str) -> str:
        return ""

    def addition(self, memory: Memory, scope: str, draft: Draft, now: datetime, settings: Settings) -> Addition:
        path = self.path(scope)
        data, text = memory.read(path), tidy(draft.text)
        own = durable.item_id(draft.kind, text)
        known = any(one.get("id") == own for _, one in durable.active(durable.read(data))) if data else False
        told, at = [(draft.kind, text)], milliseconds(now)
        change = curate.add(path, data, told, at, settings.durable_items, is_later=settings.is_later)
        why = say("Repeated %(text)s", text=quote(text)) if known else say("Added %(text)s", text=quote(text))
        return Addition((change,), path, data, why, own, is_new=not known)
