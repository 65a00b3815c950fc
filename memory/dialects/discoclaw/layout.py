"""What lies where: facts by user, summaries by conversation, what happened lately by server and user, and the bot's workspace."""

from __future__ import annotations

import re
from collections.abc import Collection

from memory.domain.changes import is_safe_path
from memory.domain.places import Kind, Place, Tier

NAME = "discoclaw"
WORKSPACE = "workspace"  # the root of the files that people and the bot write themselves
LONG_TERM = f"@{WORKSPACE}/MEMORY.md"
IDENTITY = ("BOOTSTRAP.md", "SOUL.md", "IDENTITY.md", "USER.md", "TOOLS.md")  # in the bot's order
DURABLE, ROLLING, SHORT_TERM = "durable", "rolling", "shortterm"
USER, DIRECT, CHANNEL = "discord:user:", "discord:dm:", "discord:channel:"

_ENDING = ".json"
_ID = re.compile("[a-zA-Z0-9_-]+")
_KEY = re.compile("[a-zA-Z0-9:_-]+")
_NOT_IN_KEYS = re.compile("[^a-zA-Z0-9:_-]+")
_DAY = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})\.md")


def describe(path: str) -> Place | None:
    """What a path is to the bot; None for anything that it does not read, what a write that was cut short left among it."""
    if not is_safe_path(path):
        return None
    match path.split("/"):
        case [str(directory), name] if directory in (DURABLE, SHORT_TERM, ROLLING):
            return _in_memory(directory, name)
        case ["@workspace", "MEMORY.md"]:
            return Place(Kind.LONG_TERM, Tier.GLOBAL)
        case ["@workspace", name] if name in IDENTITY:
            return Place(Kind.IDENTITY, Tier.GLOBAL)
        case ["@workspace", "memory", name] if day := _DAY.fullmatch(name):
            return Place(Kind.DAILY, Tier.GLOBAL, day=day[1])
    return None


def _in_memory(directory: str, name: str) -> Place | None:
    stem = name.removesuffix(_ENDING)
    if stem == name or not (_KEY if directory == ROLLING else _ID).fullmatch(stem):
        return None
    if directory == ROLLING:
        return None if stem.startswith(USER) else Place(Kind.LONG_TERM, Tier.CHAT, stem)
    if directory == DURABLE:
        return Place(Kind.LONG_TERM, Tier.CHAT, USER + stem, has_attributes=True)
    server, _, user = stem.partition("-")
    return Place(Kind.HISTORY, Tier.CHAT, USER + user) if server and user else None


def path_of(kind: Kind, scope: str, day: str, *, has_workspace: bool) -> str | None:
    """Where a document of this kind lies; None for what a DiscoClaw does not keep."""
    match kind:
        case Kind.LONG_TERM if scope:
            return durable_path(scope) if scope.startswith(USER) else rolling_path(scope)
        case Kind.LONG_TERM if has_workspace:
            return LONG_TERM
        case Kind.DAILY if day and not scope and has_workspace:
            return daily_path(day)
    return None


def daily_path(day: str) -> str:
    """The notes of a day."""
    return f"@{WORKSPACE}/memory/{day}.md"


def durable_path(user: str) -> str | None:
    """Where the facts of a user lie, by the name of the scope; None where the id can name no file."""
    own = user.removeprefix(USER)
    return f"{DURABLE}/{own}{_ENDING}" if _ID.fullmatch(own) else None


def rolling_path(chat: str) -> str:
    """Where the summary of a conversation lies."""
    return f"{ROLLING}/{sanitised(chat)}{_ENDING}"


def short_term_path(server: str, user: str) -> str | None:
    """Where it is noted what a user, by the name of the scope, did lately on a server."""
    own = f"{server}-{user.removeprefix(USER)}"
    return f"{SHORT_TERM}/{own}{_ENDING}" if server and _ID.fullmatch(own) else None


def server_of(path: str) -> str:
    """The server of a document of what happened lately; "" for any other."""
    directory, _, name = path.partition("/")
    return name.partition("-")[0] if directory == SHORT_TERM else ""


def sanitised(chat: str) -> str:
    """The name of a conversation as the bot makes a file's name of it."""
    return _NOT_IN_KEYS.sub("-", chat)


def session(session_id: str, channel: str, chat_id: str) -> str:
    """The conversation of a call: by its session key, or by `channel:1`, `thread:1`, `dm:1` or a channel's bare id on Discord."""
    if not chat_id or channel != "discord":
        return sanitised(session_id)
    return sanitised(f"discord:{chat_id}" if ":" in chat_id else f"{CHANNEL}{chat_id}")


def user_of(chat: str, sender: str = "") -> str:
    """The name of the scope of who writes in a conversation, or of the user whose name it is itself; "" if that is not known or
    can name no file."""
    own = sender or next((chat.removeprefix(one) for one in (DIRECT, USER) if chat.startswith(one)), "")
    return USER + own if _ID.fullmatch(own) else ""


def channel_of(chat: str) -> str:
    """The id of the channel or thread of a conversation; "" for a direct message, whose channel its name does not say."""
    kind, _, own = chat.removeprefix("discord:").partition(":")
    return own if chat.startswith("discord:") and kind in ("channel", "thread") else ""


def recognises(names: Collection[str]) -> bool:
    """Whether a directory that holds these names is a DiscoClaw's memory."""
    return DURABLE in names or {ROLLING, SHORT_TERM} <= set(names)
