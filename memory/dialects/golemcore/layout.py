"""What lies where in a GolemCore's workspace: long-term memory, notes and items by day, lasting items, sessions, settings."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal

from memory.domain.changes import is_safe_path, split_path
from memory.domain.places import Kind, Place, Tier

NAME = "golemcore"
MEMORY = "memory"  # what the directory of the memory is called unless the bot is told otherwise
SESSIONS, PREFERENCES, PROMPTS = "sessions", "preferences", "prompts"
ITEMS = "items"
BACKUP = ".bak"
SETTINGS = (f"{MEMORY}.json", "compaction.json")  # of the preferences; others hold keys and passwords
OWN = (f"{PREFERENCES}/", "usage/", "auto/", "models/")  # what the bot keeps there is no memory
ENDINGS = (".pb", ".json")  # of sessions, as the bot writes them today and as it did first

Layer = Literal["episodic", "semantic", "procedural"]
EPISODIC: Layer = "episodic"
SEMANTIC: Layer = "semantic"
PROCEDURAL: Layer = "procedural"
LASTING: tuple[Layer, ...] = (SEMANTIC, PROCEDURAL)

_DAY = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})\.(md|jsonl)")


def describe(path: str, memory: str = MEMORY) -> Place | None:
    """Which kind of document a path is; None for files that are no part of the bot's memory."""
    root, below = split_path(path)
    if root != "memory" or not is_safe_path(path) or any(part.startswith(".") for part in below.split("/")):
        return None
    match below.split("/"):
        case [str(first), *rest] if first == memory and rest:
            return _in_memory(rest)
        case ["sessions", *parts] if parts and (chat := _session("/".join(parts))):
            return Place(Kind.TRANSCRIPT, Tier.CHAT, chat, holds_facts=False, is_text=not below.endswith(".pb"))
        case ["preferences", name] if name in SETTINGS:
            return Place(Kind.TEXT, Tier.GLOBAL, holds_facts=False)
        case ["skills", *_, "SKILL.md"] | ["prompts", _] if below.endswith(".md"):
            return Place(Kind.TEXT, Tier.GLOBAL, holds_facts=False)
    return None


def _in_memory(parts: list[str]) -> Place | None:
    match parts:
        case ["MEMORY.md"]:
            return Place(Kind.LONG_TERM, Tier.GLOBAL)
        case [name] if (day := _DAY.fullmatch(name)) and day[2] == "md":
            return Place(Kind.DAILY, Tier.GLOBAL, day=day[1])
        case ["items", "episodic", name] if (day := _DAY.fullmatch(name)) and day[2] == "jsonl":
            return Place(Kind.DAILY, Tier.GLOBAL, day=day[1], has_attributes=True)
        case ["items", "semantic.jsonl" | "procedural.jsonl"]:
            return Place(Kind.LONG_TERM, Tier.GLOBAL, has_attributes=True)
        case ["items", "semantic.jsonl.bak" | "procedural.jsonl.bak"]:
            return Place(Kind.TEXT, Tier.GLOBAL, editable=False, holds_facts=False)
    return None


def path_of(kind: Kind, scope: str, day: str, memory: str = MEMORY) -> str | None:
    """Where a document of this kind lies; None for a kind that a GolemCore does not keep."""
    match kind:
        case Kind.LONG_TERM if not scope:
            return f"{memory}/MEMORY.md"
        case Kind.DAILY if day and not scope:
            return notes_path(day, memory)
        case Kind.TRANSCRIPT if scope:
            return f"{SESSIONS}/{scope}{ENDINGS[0]}"  # by its ID (`telegram:12345`)
    return None


def notes_path(day: str, memory: str = MEMORY) -> str:
    """The notes of a day."""
    return f"{memory}/{day}.md"


def items_path(layer: Layer, day: str = "", memory: str = MEMORY) -> str:
    """The items of a layer: of a day's events, or all that last."""
    return f"{memory}/{ITEMS}/{layer}/{day}.jsonl" if layer == EPISODIC else f"{memory}/{ITEMS}/{layer}.jsonl"


def layer_of(path: str) -> Layer | None:
    """The layer of a document of items, wherever the memory lies; None for any other document."""
    match path.split("/"):
        case [_, "items", "episodic", _]:
            return EPISODIC
        case [_, "items", "semantic.jsonl"]:
            return SEMANTIC
        case [_, "items", "procedural.jsonl"]:
            return PROCEDURAL
    return None


def session(session_id: str, channel: str, chat_id: str) -> str:
    """The ID that the bot gives the chat of a call."""
    return f"{channel}:{chat_id}" if channel and chat_id else session_id


def recognises(names: Collection[str]) -> bool:
    """Whether a directory that holds these names is a GolemCore's workspace."""
    return f"{MEMORY}/{ITEMS}" in names and bool({SESSIONS, PREFERENCES} & set(names))


def _session(below: str) -> str:
    """The ID of a session's file; a slash in it was one in the chat's own name. "" for any other file."""
    ending = next((one for one in ENDINGS if below.endswith(one)), "")
    return below.removesuffix(ending).replace("/", ":") if ending else ""
