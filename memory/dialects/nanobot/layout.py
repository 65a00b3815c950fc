"""Where a nanobot keeps what: its database as one document a scope, and the files of its workspace."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from memory.changes import is_safe_path, split_path
from memory.dialects.base import Kind, Place, Tier
from memory.dialects.nanobot import scopes

DATABASE = "database"
STATES = "memory/session-state"
LEGACY = "memory/MEMORY.md"
SEMANTIC, EPISODIC, PROCEDURAL = "semantic", "episodic", "procedural"
IDENTITY = frozenset(("AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "IDENTITY.md"))
REMEMBERED = 8192

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_OWN = (STATES, f"memory/{SEMANTIC}", f"memory/{EPISODIC}")
_SUFFIX = len(scopes.ENDING)


@lru_cache(REMEMBERED)
def describe(path: str) -> Place | None:
    """Which kind of document a path is; None for files that a nanobot knows nothing of."""
    if not is_safe_path(path):
        return None
    root, below = split_path(path)
    if root == DATABASE:
        return _in_database(below)
    return _in_workspace(below.split("/")) if root == "memory" else None


def _in_database(below: str) -> Place | None:
    if "/" in below or not below.endswith(scopes.ENDING) or below == scopes.ENDING:
        return None
    name = below.removesuffix(scopes.ENDING)
    # What is global is read by no chat: the bot finds it on the command line only.
    return Place(Kind.LONG_TERM, Tier.GLOBAL if name == scopes.GLOBAL else Tier.CHAT, name)


def _in_workspace(parts: list[str]) -> Place | None:
    match parts:
        case [name] if name in IDENTITY:
            return Place(Kind.IDENTITY, Tier.GLOBAL)
        case ["memory", "MEMORY.md"]:
            return Place(Kind.LONG_TERM, Tier.GLOBAL)
        case ["memory", name] if day := _day(name):
            return Place(Kind.DAILY, Tier.GLOBAL, day=day)
        case ["memory", "session-state", name] if scope := _stem(name):
            return Place(Kind.TRANSCRIPT, Tier.CHAT, scope, editable=False, keeps_history=False, holds_facts=False)
        # Mirrors repeat what all chats and users said, so nothing in them is a fact that a chat may be shown.
        case ["memory", "semantic", name] if _stem(name):
            return Place(Kind.TOPIC, Tier.GLOBAL, holds_facts=False)
        case ["memory", "episodic", name] if _stem(name):
            return Place(Kind.DAILY if _day(name) else Kind.TOPIC, Tier.GLOBAL, day=_day(name), holds_facts=False)
        case ["memory", "procedural", name] if _stem(name):
            return Place(Kind.TOPIC, Tier.GLOBAL)
    return None


def _stem(name: str) -> str:
    return name.removesuffix(".md") if name.endswith(".md") else ""


def _day(name: str) -> str:
    stem = _stem(name)
    return stem if _DAY.fullmatch(stem) else ""


def path_of(kind: Kind, scope: str) -> str | None:
    """Where a document of this kind lies; None for what a nanobot does not keep."""
    match kind:
        case Kind.LONG_TERM:
            return entries_path(scope) if scope else LEGACY
        case Kind.TRANSCRIPT if scope and ":" not in scope:
            return f"{STATES}/{scope}.md"
    return None


def entries_path(scope: str) -> str:
    """Where the entries of a scope lie, by its name."""
    return f"@{DATABASE}/{scope}{scopes.ENDING}"


def recognises(names: Collection[str]) -> bool:
    """Whether a directory that holds these names is a nanobot's workspace: its session states or its mirrors are there."""
    return any(name == own or name.startswith(f"{own}/") for name in names for own in _OWN)


def session_id_problem(session_id: str) -> str | None:
    """Why a session id cannot name documents, for people; None if it can."""
    if not session_id:
        return "The session id is empty."
    if "\0" in session_id or "/" in session_id or session_id in (".", ".."):
        return "The session id is no name of a chat in this memory: it holds a slash or a NUL, or names a directory."
    if any("\ud800" <= sign <= "\udfff" for sign in session_id):
        return "The session id is no valid text, so no document can be named after it."
    if len(session_id.encode()) + _SUFFIX > 255:
        return f"The session id is longer than the {255 - _SUFFIX} bytes that leave room for a name."
    return None
