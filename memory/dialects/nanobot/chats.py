"""Which chat a call means, by whatever name: the bot's own session key, its scope key, the name here, or channel and chat."""

from __future__ import annotations

from memory.dialects.nanobot import scopes
from memory.dialects.nanobot.scopes import CHAT, Scope
from memory.text.sentences import say

SYSTEM, CLI = "system", "cli"
NO_CHAT = say("This chat ID isn’t a nanobot chat. Write it as telegram:123, channel first.")
TOO_LONG = say("The chat’s name is too long for a file name.")


def named(session_id: str, channel: str = "", chat_id: str = "") -> str:
    """The name of the documents of a chat, by its channel and id or, where they are not said, by its session id. Raises
    ValueError with a sentence."""
    found = _routed(Scope(CHAT, channel, chat_id) if channel and chat_id else _read(session_id))
    if not found.channel.strip() or not found.who.strip():
        raise ValueError(NO_CHAT)
    name = scopes.name_of(scopes.chat_key(found.channel, found.who), "")
    if scopes.chat_of(name) is None:
        raise ValueError(TOO_LONG)
    return name


def chat_of(name: str) -> Scope:
    """The chat of that name. Raises ValueError with a sentence."""
    found = scopes.chat_of(name)
    if found is None:
        raise ValueError(NO_CHAT)
    return found


def _read(session_id: str) -> Scope:
    for key in (session_id, scopes.key_of(session_id, "") or ""):
        if (found := scopes.parts(key)).sort:
            return found if found.sort == CHAT else Scope("")
    for sign in (":", "-"):
        channel, _, who = session_id.partition(sign)
        if channel and who:
            return Scope(CHAT, channel, who)
    return Scope("")


def _routed(chat: Scope) -> Scope:
    """What comes over the channel `system` names the chat that it is for; without a channel it is the command line's."""
    if chat.channel != SYSTEM:
        return chat
    channel, sign, who = chat.who.partition(":")
    return Scope(CHAT, channel, who) if sign else Scope(CHAT, CLI, channel)
