"""Which server a channel is on: no file says it by itself, but what was noted in the channel does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memory.dialects.discoclaw import durable, layout, shortterm
from memory.dialects.discoclaw.durable import Malformed
from memory.domain.memory import Memory


def server_of(memory: Memory, chat: str, user: str, *, by_others: bool) -> str:
    """The server of a conversation as its files tell: by what this user did or said there, else (`by_others`) by what others did
    or said; "" if none of them tells."""
    paths = [path for path in memory.paths() if layout.server_of(path)]
    own = [path for path in paths if path == layout.short_term_path(layout.server_of(path), user)]
    found = _by_what_was_done(memory, chat, own) or _by_what_was_said(memory, chat, [layout.durable_path(user) or ""])
    if found or not by_others:
        return found
    said = (path for path in memory.paths() if path.startswith(f"{layout.DURABLE}/"))
    return _by_what_was_done(memory, chat, paths) or _by_what_was_said(memory, chat, said)


def _by_what_was_done(memory: Memory, chat: str, paths: list[str]) -> str:
    return next((layout.server_of(path) for path in paths if chat in _chats(memory, chat, path)), "")


def _chats(memory: Memory, chat: str, path: str) -> Iterator[object]:
    try:
        store = shortterm.read(_naming(memory, chat, path))
    except Malformed:
        return iter(())
    return (entry.get("sessionKey") for _, entry in shortterm.entries(store))


def _by_what_was_said(memory: Memory, chat: str, paths: Iterable[str]) -> str:
    return next((server for path in paths if (server := _said(memory, chat, path))), "")


def _said(memory: Memory, chat: str, path: str) -> str:
    channel = layout.channel_of(chat)
    try:
        store = durable.read(_naming(memory, chat, path))
    except Malformed:
        return ""
    sources = [item.get("source") for _, item in durable.items(store)]
    named = (one for one in sources if isinstance(one, dict) and one.get("channelId") == channel)
    return next((str(one["guildId"]) for one in named if one.get("guildId")), "")


def _naming(memory: Memory, chat: str, path: str) -> bytes:
    """A document that holds the id of this channel; nothing of any other, which need not be parsed."""
    data = memory.read(path) or b""
    return data if layout.channel_of(chat).encode() in data else b""
