"""Where a nanobot keeps what: its database as one document a scope, and the files of its workspace."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from memory.dialects.nanobot import scopes
from memory.domain.changes import is_safe_path, split_path
from memory.domain.places import Kind, Place, Tier
from memory.text.sentences import say

NAME = "nanobot"  # of the family, as rows have it
DATABASE = "database"
STATES = "memory/session-state"
LEGACY = "memory/MEMORY.md"
SEMANTIC, EPISODIC, PROCEDURAL = "semantic", "episodic", "procedural"
IDENTITY = frozenset(("AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "IDENTITY.md"))

_CACHE = re.compile(r"\.sqlite3?(-wal|-shm|-journal)?$")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_OWN = (STATES, f"memory/{SEMANTIC}", f"memory/{EPISODIC}")
_SUFFIX = len(scopes.ENDING)
_COLON = "%3A"  # of a scope's name, in a file's
_LONGEST = 255  # bytes of a file's name

Whose = Callable[[str], str]  # the name of the chat that a state file is of, by its path; "" where that is not known


def nobodys(path: str) -> str:
    """For whoever cannot look into state files."""
    return ""


def describe(path: str, states: str = STATES, whose: Whose = nobodys) -> Place | None:
    """Which kind of document a path is; None for files that a nanobot knows nothing of. `states` is where it notes its sessions,
    "" if that is not in the workspace; `whose` says which chat's a state file is, by what stands in it."""
    if not is_safe_path(path):
        return None
    root, below = split_path(path)
    if root == DATABASE:
        return _in_database(below)
    return (_in_workspace(below.split("/")) or _state(below, states, whose)) if root == "memory" else None


def _in_database(below: str) -> Place | None:
    if "/" in below or not below.endswith(scopes.ENDING) or below == scopes.ENDING:
        return None
    name = below.removesuffix(scopes.ENDING)
    # What is global is read by no chat: the bot finds it on the command line only.
    tier = Tier.GLOBAL if name == scopes.GLOBAL else Tier.CHAT
    return Place(Kind.LONG_TERM, tier, name, has_attributes=True)


def _in_workspace(parts: list[str]) -> Place | None:
    match parts:
        case [name] if name in IDENTITY:
            return Place(Kind.IDENTITY, Tier.GLOBAL)
        case ["memory", "MEMORY.md"]:
            return Place(Kind.LONG_TERM, Tier.GLOBAL)
        case ["memory", name] if day := _day(name):
            return Place(Kind.DAILY, Tier.GLOBAL, day=day)
        # Mirrors repeat what all chats and users said, so nothing in them is a fact that a chat may be shown.
        case ["memory", "semantic", name] if _stem(name):
            return Place(Kind.TOPIC, Tier.GLOBAL, holds_facts=False)
        case ["memory", "episodic", name] if _stem(name):
            return Place(Kind.DAILY if _day(name) else Kind.TOPIC, Tier.GLOBAL, day=_day(name), holds_facts=False)
        case ["memory", "procedural", name] if _stem(name):
            return Place(Kind.TOPIC, Tier.GLOBAL)
        # What OpenClaw leaves in a workspace. The bot's own database ends otherwise, and may lie here too.
        case [*_, name] if _CACHE.search(name):
            return Place(Kind.CACHE, Tier.GLOBAL, editable=False, keeps_history=False, holds_facts=False, is_read=False)
    return None


def _state(below: str, states: str, whose: Whose) -> Place | None:
    directory, _, name = below.rpartition("/")
    if not states or directory != states or not (scope := _stem(name).replace(_COLON, ":")):
        return None
    if ":" not in scope and scope.count("_") > 1:  # the bot writes it for a colon, too
        scope = whose(below) or scope
    return Place(Kind.TRANSCRIPT, Tier.CHAT, scope, editable=False, keeps_history=False, holds_facts=False)


def _stem(name: str) -> str:
    return name.removesuffix(".md") if name.endswith(".md") else ""


def _day(name: str) -> str:
    stem = _stem(name)
    return stem if _DAY.fullmatch(stem) else ""


def path_of(kind: Kind, scope: str, states: str = STATES, whose: Whose = nobodys) -> str | None:
    """Where a document of this kind lies; None for what a nanobot does not keep."""
    match kind:
        case Kind.LONG_TERM:
            return entries_path(scope) if scope else LEGACY
        case Kind.TRANSCRIPT if scope and states:
            return _state_path(scope, states, whose)
    return None


def _state_path(scope: str, states: str, whose: Whose) -> str | None:
    """Where the turns of a chat are noted: in the file that the bot names so wherever that name can be of this chat only or the
    file is this chat's, else in one that the bot does not make. A user's scope has none."""
    if ":" in scope:
        chat = scopes.chat_of(scope)
        if chat is None:
            return None
        own = f"{states}/{scopes.session_file(f'{chat.channel}:{chat.who}')}.md"
        if whose(own) == scope:
            return own
    name = scope.replace(":", _COLON) + ".md"
    return f"{states}/{name}" if len(name.encode("utf-8", "surrogatepass")) <= _LONGEST else None


def states_of(directory: str) -> str:
    """Where sessions are noted, as a path in the workspace; "" for a directory elsewhere."""
    parts = [part for part in directory.split("/") if part not in ("", ".")]
    path = "/".join(parts)
    is_inside = path and ".." not in parts and not directory.startswith(("/", "~", "@")) and is_safe_path(path)
    return path if is_inside else ""


def entries_path(scope: str) -> str:
    """Where the entries of a scope lie, by its name."""
    return f"@{DATABASE}/{scope}{scopes.ENDING}"


def recognises(names: Collection[str]) -> bool:
    """Whether a directory that holds these names is a nanobot's workspace: its session states or its mirrors are there."""
    return any(name == own or name.startswith(f"{own}/") for name in names for own in _OWN)


def session_id_problem(session_id: str) -> str | None:
    """Why a session id cannot name documents, for people; None if it can."""
    if not session_id:
        return say("The chat ID is empty.")
    if "\0" in session_id or "/" in session_id or session_id in (".", ".."):
        return say("The chat ID isn’t valid here: it contains a slash or a NUL character, or names a directory.")
    if any("\ud800" <= sign <= "\udfff" for sign in session_id):
        return say("The chat ID isn’t valid text, so it can’t be a file name.")
    if len(session_id.encode()) + _SUFFIX > 255:
        return say("The chat ID is longer than %(limit)s bytes, too long for a name.", limit=255 - _SUFFIX)
    return None
