"""What lies where in a workspace: MEMORY.md, notes by day and by topic, who the bot is, its history, and what is not for us."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from memory.dialects.workspace.dated import day_of
from memory.domain.changes import is_safe_path, split_path
from memory.domain.places import Kind, Place, Tier

LONG_TERM = "MEMORY.md"
INSIDE = "memory"
SESSIONS = "sessions"
APART = "@sessions"  # the root of the sessions that lie beside a workspace
IDENTITY = (
    *("AGENTS", "SOUL", "IDENTITY", "USER", "TOOLS", "HEARTBEAT", "BOOTSTRAP", "BOOT", "CLAUDE", "CLAUDE.LOCAL"),
    *("AGENT", "GEMINI", "PERSONA", "SYSTEM"),
)
ENDINGS = (".md", ".markdown", ".txt")
TEXTS = (".md", ".markdown")  # what is opened also where no notes lie
CACHES = (
    ".sqlite",
    ".sqlite3",
    ".db",
    ".sqlite-wal",
    ".sqlite-shm",
    ".db-wal",
    ".db-shm",
    ".sqlite-journal",
    ".db-journal",
)
# Directories of a workspace that hold its notes; in others are its skills, projects and programs.
NOTES = frozenset(
    (
        *(
            "memory",
            "memories",
            "journal",
            "journals",
            "diary",
            "diaries",
            "daily",
            "dailies",
            "notes",
            "logs",
            "history",
        ),
        *("archive", "archives", "knowledge", "topics", "people", "entities", "summaries", "reflections"),
    )
)
# what lies in them is looked up, and neither loaded nor old enough for anything
ARCHIVES = frozenset(("archive", "archives"))
PASSED_OVER = frozenset(("node_modules", "__pycache__", "venv", "site-packages"))
_DAY_ALONE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\.md")
_PERIOD = re.compile("[0-9]{4}(?:[-_.]?[0-9]{2})?")  # `2026`, `2026-01`
_SUFFIX = len(".jsonl")


def passes_over(name: str) -> bool:
    """Whether a directory of this name holds no memory and is not walked."""
    return name.startswith(".") or name in PASSED_OVER


@lru_cache(maxsize=10_000)  # every request asks for each log of a bot, and 3,650 of them took longer than the page
def describe(path: str) -> Place | None:
    """Which kind of document a path is; None for files that are no part of the bot's memory."""
    root, below = split_path(path)
    if root not in ("memory", SESSIONS) or not is_safe_path(path):
        return None
    *directories, name = below.split("/")
    if name.startswith(".") or any(passes_over(directory) for directory in directories):
        return None
    if root == SESSIONS:
        return _session(name) if not directories else None
    if directories == [SESSIONS] and (session := _session(name)):
        return session
    return _document(tuple(directories), name)


def _session(name: str) -> Place | None:
    """A transcript; None for what else lies beside them."""
    if name.endswith(".jsonl") and len(name) > _SUFFIX:
        return _bots_own(Kind.TRANSCRIPT, Tier.CHAT, name[:-_SUFFIX])
    return None


def _document(directories: tuple[str, ...], name: str) -> Place | None:
    stem, ending = _split(name)
    is_note = ending in ENDINGS
    lived = tuple(one for one in directories if one.lower() not in ARCHIVES)
    day = day_of(stem, lived) if is_note else ""
    if day:
        return Place(Kind.DAILY if lived == directories else Kind.ARCHIVE, Tier.GLOBAL, "", day)
    if directories and directories[0].lower() not in NOTES and not _PERIOD.fullmatch(directories[0]):
        return Place(Kind.TEXT, Tier.GLOBAL, holds_facts=False) if ending in TEXTS else None
    if not is_note:
        return _no_note(directories, name, ending)
    if directories in ((), (INSIDE,)):
        special = _special(stem.upper(), ending, inside=bool(directories))
        if special:
            return Place(special, Tier.GLOBAL)
    return Place(Kind.TOPIC, Tier.GLOBAL)


def _special(stem: str, ending: str, *, inside: bool) -> Kind | None:
    """What a note is by its name, at the top of the workspace or in its `memory`."""
    if ending != ".md":
        return None
    if stem == "MEMORY":
        return Kind.LONG_TERM
    if stem == "HISTORY":
        return Kind.HISTORY
    if stem == "ARCHIVE":
        return Kind.ARCHIVE
    return Kind.IDENTITY if stem in IDENTITY and not inside else None


def _no_note(directories: tuple[str, ...], name: str, ending: str) -> Place:
    if name.lower() == "history.jsonl" and directories in ((), (INSIDE,)):
        return Place(Kind.HISTORY, Tier.GLOBAL)
    kind = Kind.CACHE if ending in CACHES else Kind.OTHER
    return Place(kind, Tier.GLOBAL, editable=False, keeps_history=False, holds_facts=False, is_read=False)


def _bots_own(kind: Kind, tier: Tier, scope: str) -> Place:
    return Place(kind, tier, scope, editable=False, keeps_history=False, holds_facts=False)


def _split(name: str) -> tuple[str, str]:
    """A name without its ending, and the ending in lower case."""
    stem, _, ending = name.rpartition(".")
    return (stem, f".{ending.lower()}") if stem else (name, "")


def recognises(names: Collection[str]) -> bool:
    """Whether a directory that holds these names (top-level, and one level below `memory`) is a workspace and no KenoBot's memory
    nor the home of one: those keep the same files beside directories of their own."""
    tops = {name for name in names if "/" not in name}
    inside = {name.removeprefix("memory/") for name in names if name.startswith("memory/")}
    if (tops | inside) & {"chats", "working", "procedural"}:
        return False
    kinds = {place.kind for name in tops if (place := describe(name))}
    kinds_inside = {place.kind for name in inside if (place := describe(f"memory/{name}"))}
    if INSIDE in tops:
        known = {Kind.LONG_TERM, Kind.IDENTITY} & kinds and {Kind.LONG_TERM, Kind.DAILY} & (kinds | kinds_inside)
        return bool(known) or Kind.HISTORY in kinds_inside
    return _alone(tops, kinds)


def _alone(tops: Collection[str], kinds: Collection[Kind]) -> bool:
    """Whether names without a `memory` among them are a workspace's: a KenoBot's memory has nothing beside MEMORY.md and logs
    that are called by their day alone."""
    if Kind.HISTORY in kinds or Kind.LONG_TERM not in kinds:
        return Kind.HISTORY in kinds
    dated = {name for name in tops if (place := describe(name)) and place.kind is Kind.DAILY}
    theirs = {name for name in dated if _DAY_ALONE.fullmatch(name)}
    periods = any(_PERIOD.fullmatch(name) for name in tops)
    return (
        Kind.IDENTITY in kinds
        or LONG_TERM not in tops
        or dated != theirs
        or periods
        or (Kind.TOPIC in kinds and not theirs)
    )
