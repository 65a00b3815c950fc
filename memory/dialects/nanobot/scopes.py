"""Whose an entry is: the bot's scope keys, and the names that Kenoweb gives the documents of each.

A key and a name lead to each other, so that no two scopes ever share a document. The entries of a chat stand under the name
that the bot gives the chat's session file (`telegram_123`) wherever that name can mean this one chat only.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from urllib.parse import unquote

GLOBAL = "global"
CHAT = "chat"
USER = "user"
ENDING = ".jsonl"

_KEY = re.compile(r"channel:(.+?):(chat|user):(.*)", re.DOTALL)
_PLAIN_CHANNEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*")
_NOT_PLAIN = re.compile(r'[:<>"/\\|?*%\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]')
_ODD = re.compile(r"[%/\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]|^[.=~\s]|\s$")
_UNSAFE = str.maketrans(dict.fromkeys(':<>"/\\|?*', "_"))
_LONGEST = 255 - len(ENDING)  # bytes of a name
_HEAD = 120  # characters of a name too long that still stand in it


@dataclass(frozen=True, slots=True)
class Scope:
    """A scope key in its parts; `sort` is `chat`, `user`, `global` or, of a key of no known form, ""."""

    sort: str
    channel: str = ""
    who: str = ""  # the chat or the sender


def chat_key(channel: str, chat_id: str) -> str:
    return f"channel:{channel}:chat:{chat_id}"


def user_key(channel: str, sender_id: str, chat_id: str) -> str:
    """The key of who wrote; where no sender is named, the chat itself is one. A blank name is none, so that strangers never
    share a key."""
    return f"channel:{channel}:user:{sender_id.strip() or chat_id.strip()}"


def global_key(workspace: str) -> str:
    return f"workspace:{workspace}:global"


def parts(key: str, workspace: str = "") -> Scope:
    """What a key says."""
    if found := _KEY.fullmatch(key):
        return Scope(found[2], found[1], found[3])
    return Scope(GLOBAL if workspace and key == global_key(workspace) else "")


def name_of(key: str, workspace: str) -> str:
    """The name of the document that holds a scope's entries: it can be a file's, and no other key has it."""
    found = parts(key, workspace)
    if found.sort == GLOBAL:
        return GLOBAL
    if found.sort == CHAT and _is_plain(found):
        return f"{found.channel}_{found.who}"
    name = _quoted(key.removeprefix("channel:")) if found.sort else "=" + _quoted(key)
    if len(name.encode()) > _LONGEST:
        return f"~{name[:_HEAD].encode()[:_HEAD].decode(errors='ignore')}~{_short(key)}"
    return name


def key_of(name: str, workspace: str) -> str | None:
    """The key whose document has this name; None for a name that was shortened, or that no key has."""
    if name == GLOBAL:
        return global_key(workspace)
    if name.startswith("~"):
        return None
    if name.startswith("="):
        key = _unquoted(name[1:])
    elif ":" in name:
        key = "channel:" + _unquoted(name)
    else:
        channel, _, who = name.partition("_")
        key = chat_key(channel, who)
    return key if name_of(key, workspace) == name else None


def chat_of(name: str) -> Scope | None:
    """The chat whose entries and session file have this name; None for a user's, and for a name of no chat."""
    key = key_of(name, "")
    found = parts(key) if key else None
    return found if found and found.sort == CHAT else None


def session_file(session_key: str) -> str:
    """The name that the bot gives a session's state file, without its ending."""
    return session_key.translate(_UNSAFE).strip()


def workspace_id(path: str) -> str:
    """How the bot calls a workspace, by its absolute path with every link followed."""
    return hashlib.sha1(path.encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest()[:16]


def _is_plain(found: Scope) -> bool:
    plain = _PLAIN_CHANNEL.fullmatch(found.channel) and found.who and found.who == found.who.strip()
    return bool(plain) and not _NOT_PLAIN.search(found.who) and len(f"{found.channel}_{found.who}".encode()) <= _LONGEST


def _quoted(text: str) -> str:
    return _ODD.sub(lambda odd: "".join(f"%{byte:02X}" for byte in odd[0].encode("utf-8", "surrogateescape")), text)


def _unquoted(text: str) -> str:
    return unquote(text, errors="surrogateescape")


def _short(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()[:32]
