"""What a nanobot's entries say besides their texts: in which words, whose they are, and how one is added by hand."""

from __future__ import annotations

from datetime import datetime

from memory.dialects.nanobot import curate, layout, lines, scopes
from memory.dialects.nanobot.capture import expiry, mirrored, said_again
from memory.dialects.nanobot.entries import Entry, entries
from memory.dialects.nanobot.picking import UNSAFE, CandidateEntry, is_unsafe
from memory.dialects.nanobot.prompt import user_of
from memory.dialects.nanobot.settings import RENEWED, Settings
from memory.domain.attributes import Addition, Detailing, Draft, Labels, Sentences, Whose
from memory.domain.changes import Append, Put, digest
from memory.domain.memory import Memory
from memory.text.markdown.rewrite import tidy
from memory.text.sentences import say
from memory.text.storable import quote

KINDS: Labels = {
    "preference": say("Preference"),
    "decision": say("Decision"),
    "fact": say("Fact"),
    "episodic": say("Episode"),
}
SORTS: Labels = {
    scopes.CHAT: say("Chats"),
    scopes.USER: say("Users"),
    scopes.GLOBAL: say("Workspace"),
}
SOURCES: Labels = {
    "auto_heuristic": say("By the bot"),
    "manual": say("By hand"),
    "import": say("Imported"),
}
ADDABLE: Labels = {
    scopes.USER: say("The person writing in the chat"),
    scopes.CHAT: say("The chat"),
    scopes.GLOBAL: say("Workspace"),
}
NO_CHAT = say("--scope chat needs --channel and --chat-id; without them it would mean every chat. Nothing was changed.")
NO_USER = say(
    "--scope user needs --channel and --sender-id or --chat-id; without them it would mean everybody. Nothing was changed."
)
HALF = say("--chat-id and --sender-id need --channel, and --channel needs one of them. Nothing was changed.")
SENTENCES = Sentences(
    page=say("What the bot remembers from its chats, as stored in its database."),
    adding=say("Stored in the bot’s database and mirrors, as if the bot had been told to remember it."),
    whose=say(
        "The bot recalls the writer’s preferences and facts and everything of the chat, but nothing workspace-wide."
    ),
    forgetting=say(
        "The bot no longer recalls them. Their rows stay in its database as forgotten, their lines are removed from "
        "the mirrors unless set otherwise, and one undo restores everything."
    ),
    missing=say(
        "No database found for this bot: neither a config.json beside its workspace nor ~/.nanobot names one. Start "
        "the bot once, then remove it here and add it again."
    ),
)


class Entries:
    """Keeps `memory.domain.attributes.AttributesAbility`."""

    root = layout.DATABASE
    kinds, sorts, sources = KINDS, SORTS, SOURCES
    statuses: Labels = {}
    usual, has_weights, has_expiry, is_by_chat = "fact", True, True, True
    addable, sentences = ADDABLE, SENTENCES
    detailing: Detailing | None = None

    def path(self, scope: str) -> str:
        return layout.entries_path(scope)

    def scope(self, sort: str, chat: str) -> str:
        if sort == scopes.GLOBAL:
            return scopes.GLOBAL
        if sort == scopes.USER and (user := user_of(chat)):
            return user
        return chat

    def scopes(self, whose: Whose) -> tuple[str, ...]:
        return named(whose)

    def unsafe(self, text: str) -> str:
        return UNSAFE if is_unsafe(text) else ""

    def addition(self, memory: Memory, scope: str, draft: Draft, now: datetime, settings: Settings) -> Addition:
        return addition(memory, scope, draft, now, settings)


def named(whose: Whose) -> tuple[str, ...]:
    """The names of the scopes that are meant; none for all of them. Raises ValueError with a sentence."""
    channel, chat_id, sender_id = whose.channel.strip(), whose.chat_id.strip(), whose.sender_id.strip()
    if bool(channel) != bool(chat_id or sender_id):
        raise ValueError(HALF)
    if whose.sort == scopes.GLOBAL:
        return (scopes.GLOBAL,)
    if whose.sort == scopes.CHAT and not chat_id:
        raise ValueError(NO_CHAT)
    if whose.sort == scopes.USER and not channel:
        raise ValueError(NO_USER)
    if not channel:
        return ()
    chat = (scopes.name_of(scopes.chat_key(channel, chat_id), ""),) if chat_id else ()
    user = (scopes.name_of(scopes.user_key(channel, sender_id, chat_id), ""),)
    return {scopes.CHAT: chat, scopes.USER: user}.get(whose.sort, (*chat, *user, scopes.GLOBAL))


def addition(memory: Memory, scope: str, draft: Draft, now: datetime, settings: Settings) -> Addition:
    """A new entry with its line in the mirrors, or one that is said again."""
    path, one = layout.entries_path(scope), _candidate(draft)
    data, said = memory.read(path), lines.normal(one.content)
    for entry in entries(path, data or b""):
        if entry.kind == one.kind and lines.normal(entry.text) == said:
            return _again(data or b"", entry, one, now, settings)
    about = {
        **{"kind": one.kind, "importance": one.importance, "confidence": one.confidence},
        **{"expires_at": expiry(one.kind, now, settings), "source": "manual", "source_role": one.role},
        **(_noted(scope) if draft.noted is None else draft.noted),
    }
    line = curate.entry(scope, one.content, now, about)
    beside = mirrored([one], now, memory) if settings.mirrors else []
    return Addition(
        changes=(Append(path, line), *beside),
        path=path,
        before=data,
        why=say("Added %(text)s", text=quote(one.content)),
        id=str(lines.row(line)["id"]),
        mirror=beside[0].path if beside else "",
    )


def _candidate(draft: Draft) -> CandidateEntry:
    content = lines.collapsed(tidy(draft.text))
    return CandidateEntry(draft.kind, content, draft.importance, draft.confidence)


def _again(data: bytes, entry: Entry, one: CandidateEntry, now: datetime, settings: Settings) -> Addition:
    rows, number = data.split(b"\n"), entry.fact.line - 1
    expires = expiry(one.kind, now, settings) if settings.said_again == RENEWED else entry.expires or None
    rows[number] = said_again(rows[number], one, now, expires)
    change = Put(entry.path, b"\n".join(rows), digest(data))
    why = say("Repeated %(text)s", text=quote(entry.text))
    return Addition((change,), entry.path, data, why, id=entry.id, is_new=False)


def _noted(scope: str) -> dict[str, str | None]:
    """What the bot notes beside an entry of a scope: the chat or the user that it is."""
    found = scopes.parts(scopes.key_of(scope, "") or "")
    if not found.channel:
        return {}
    is_chat = found.sort == scopes.CHAT
    noted = {"chat_id": found.who, "sender_id": None} if is_chat else {"chat_id": None, "sender_id": found.who}
    return {"channel": found.channel, **noted}
