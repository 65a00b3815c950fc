"""What lies where in an Autobot's workspace: one pair of memory files for all chats, a transcript for each."""

from __future__ import annotations

import re

from memory.domain.changes import is_safe_path, split_path
from memory.domain.places import Kind, Place, Tier

MEMORY = "memory/MEMORY.md"
HISTORY = "memory/HISTORY.md"
SESSIONS = "sessions"
WAITING = "memory/waiting"  # Kenoweb's own: messages that left a transcript and are not summed up yet
IDENTITY = ("AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "IDENTITY.md")  # in the bot's order
ENDING = ".jsonl"
LONGEST_NAME = 255  # bytes that a file's name may have

_NOT_SAFE = re.compile(r"[^\w\-.]")  # letters and digits of every script stay
_BLOCK = re.compile(rf"{WAITING}/(?P<scope>[^./][^/]*)\.[0-9]{{8}}T[0-9]{{6}}Z\.jsonl")


def describe(path: str) -> Place | None:
    """Which kind of document a path is; None for files that are no part of the bot's memory."""
    root, below = split_path(path)
    if root != "memory" or not is_safe_path(path):
        return None
    match below.split("/"):
        case [name] if name in IDENTITY:
            return Place(Kind.IDENTITY, Tier.GLOBAL)
        case ["memory", "MEMORY.md"]:
            return Place(Kind.LONG_TERM, Tier.GLOBAL)
        case ["memory", "HISTORY.md"]:
            return Place(Kind.HISTORY, Tier.GLOBAL, has_attributes=True)
        case ["memory", name] if name.endswith(".md") and not name.startswith("."):
            return Place(Kind.TOPIC, Tier.GLOBAL)
        case ["sessions", name] if (scope := _stem(name)) and not name.startswith("."):
            return Place(Kind.TRANSCRIPT, Tier.CHAT, scope, holds_facts=False)
        case _ if scope := scope_of_block(path):
            return Place(Kind.ARCHIVE, Tier.CHAT, scope, holds_facts=False)
    return None


def path_of(kind: Kind, scope: str) -> str | None:
    """Where a document of this kind lies; None for a kind that an Autobot does not keep."""
    match kind:
        case Kind.LONG_TERM if not scope:
            return MEMORY
        case Kind.HISTORY if not scope:
            return HISTORY
        case Kind.TRANSCRIPT if scope:
            return f"{SESSIONS}/{scope}{ENDING}"
    return None


def name_of(key: str) -> str:
    """The name of a chat's file, without its ending, by its key (`telegram:12345`). Two keys may have one name."""
    return _NOT_SAFE.sub("_", key.replace(":", "_"))


def block_of(scope: str, stamp: str) -> str:
    """Where the messages lie that left a chat's transcript at a moment (`20260219T180400Z`)."""
    return f"{WAITING}/{scope}.{stamp}{ENDING}"


def scope_of_block(path: str) -> str:
    """The chat of such a file; "" for any other."""
    found = _BLOCK.fullmatch(path)
    return found["scope"] if found else ""


def _stem(name: str) -> str:
    return name.removesuffix(ENDING) if name.endswith(ENDING) else ""
