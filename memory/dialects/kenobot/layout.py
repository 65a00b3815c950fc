"""Where a KenoBot keeps what: the directories of the seed's version and of 0.7, and names that can be files."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from memory.dialects.kenobot.settings import V07
from memory.domain.changes import is_safe_path, split_path
from memory.domain.dialect import file_name_problem
from memory.domain.places import Kind, Place, Tier
from memory.domain.prompt import Limit
from memory.text.sentences import say

LONG_TERM = "MEMORY.md"
ARCHIVE = "archive.md"
SESSIONS = "sessions"
PATTERNS = "procedural/patterns.json"
CONTEXT = "context.md"
LIMIT = Limit(10 * 1024)  # what MEMORY.md should stay under, by its own documentation

_DAILY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\.md")
_PUT_AWAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:-[0-9]+)?\.md")


def passes_over(name: str) -> bool:
    """Whether a directory of this name is walked past."""
    return name in (".git", "node_modules")


def describe(path: str) -> Place | None:
    """Which kind of document a path is; None for files that KenoBot knows nothing of."""
    if not is_safe_path(path):
        return None
    root, below = split_path(path)
    parts = below.split("/")
    if root == "memory":
        return _in_memory(parts)
    if root == SESSIONS and len(parts) == 1 and _stem(below, ".jsonl"):
        scope = _stem(below, ".jsonl")
        return Place(Kind.TRANSCRIPT, Tier.CHAT, scope, editable=False, keeps_history=False, holds_facts=False)
    if root == "identity" and len(parts) == 1 and _stem(below, ".md"):
        return Place(Kind.IDENTITY, Tier.GLOBAL)
    return None


def _in_memory(parts: list[str]) -> Place | None:
    match parts:
        case [name]:
            return _notes(name, Tier.GLOBAL, "")
        case ["chats", scope, "context.md"]:
            return Place(Kind.CONTEXT, Tier.CHAT, scope)
        case ["archive", name]:
            return _archived(name, Tier.GLOBAL, "")
        case ["chats", scope, "archive", name]:
            return _archived(name, Tier.CHAT, scope)
        case ["chats", scope, name]:
            return _notes(name, Tier.CHAT, scope)
        case ["working", name] if scope := _stem(name, ".md"):
            return Place(Kind.WORKING, Tier.WORKING, scope)
        case ["procedural", "patterns.json"]:
            return Place(Kind.PATTERNS, Tier.GLOBAL)
        case ["identity", name] if _stem(name, ".md"):
            return Place(Kind.IDENTITY, Tier.GLOBAL)
    return None


def _notes(name: str, tier: Tier, scope: str) -> Place | None:
    if name == LONG_TERM:
        return Place(Kind.LONG_TERM, tier, scope)
    if name == ARCHIVE:
        return Place(Kind.ARCHIVE, tier, scope)
    day = day_of(name)
    return Place(Kind.DAILY, tier, scope, day) if day else None


def _archived(name: str, tier: Tier, scope: str) -> Place | None:
    """A log that was put away whole: the bot looks for logs beside this directory, and never into it."""
    return Place(Kind.ARCHIVE, tier, scope, name[:10]) if _PUT_AWAY.fullmatch(name) else None


def _stem(name: str, suffix: str) -> str:
    return name.removesuffix(suffix) if name.endswith(suffix) else ""


def day_of(name: str) -> str:
    """The day that a daily log's file name says, "" if it is no such name. The calendar is not asked: 2025-13-45 counts."""
    return name[:10] if _DAILY.fullmatch(name) else ""


def directory(scope: str) -> str:
    """Where the notes of a chat lie, "" for the bot's own: put a file name behind it."""
    return f"chats/{scope}/" if scope else ""


def long_term_path(scope: str) -> str:
    return directory(scope) + LONG_TERM


def daily_path(scope: str, day: str) -> str:
    return f"{directory(scope)}{day}.md"


def working_path(scope: str) -> str:
    return f"working/{scope}.md"


def context_path(scope: str) -> str:
    return directory(scope) + CONTEXT


def path_of(kind: Kind, scope: str = "", day: str = "") -> str | None:
    """Where a document of this kind lies; None for what is kept once for each bot, chat or day and is asked for otherwise."""
    match kind:
        case Kind.LONG_TERM:
            return long_term_path(scope)
        case Kind.ARCHIVE:
            return directory(scope) + ARCHIVE
        case Kind.DAILY if day:
            return daily_path(scope, day)
        case Kind.WORKING if scope:
            return working_path(scope)
        case Kind.CONTEXT if scope:
            return context_path(scope)
        case Kind.TRANSCRIPT if scope:
            return f"@{SESSIONS}/{scope}.jsonl"
        case Kind.PATTERNS if not scope:
            return PATTERNS
    return None


def daily_logs(paths: Iterable[str], scope: str) -> list[tuple[str, str]]:
    """(day, path) of a scope's daily logs, oldest first, out of the paths of a memory."""
    below = directory(scope)
    found = ((day_of(path[len(below) :]), path) for path in paths if path.startswith(below))
    return sorted((day, path) for day, path in found if day)


def recognises(names: Collection[str]) -> bool:
    """Whether a directory that holds these names is a KenoBot memory: a MEMORY.md, daily logs or its own directories."""
    tops = {name.split("/", 1)[0] for name in names}
    if "memory" in tops:  # a workspace, or the directory above a memory
        return False
    return bool(tops & {LONG_TERM, "chats", "working", "procedural"}) or any(day_of(name) for name in tops)


def session_id_problem(session_id: str) -> str | None:
    """Why a session id cannot name files, for people; None if it can."""
    if session_id in (".", ".."):
        return say("The chat ID is the name of a directory, not of a chat.")
    if passes_over(session_id):
        return say("The chat ID is the name of a directory that Kenoweb skips, so nothing written there would be seen.")
    if "/" in session_id:
        return say("The chat ID contains a slash, so it would point to another directory.")
    if "\0" in session_id:
        return say("The chat ID contains a NUL character, which file names can’t.")
    return file_name_problem(session_id)


def warnings(version: str) -> tuple[str, ...]:
    """What people should know about the rules of a version, a sentence each."""
    if version != V07:
        return ()
    return (
        say(
            "This version reads by keyword: only sections of MEMORY.md and of the chat’s logs that share a word with "
            "the message. It doesn’t search shared logs or a chat’s MEMORY.md."
        ),
        say(
            "This version deletes logs over 30 days old by itself, compacted or not. This is fixed in the bot; the "
            "retention set here doesn’t change it."
        ),
        say("This version drops working memory after 7 days at most; a higher number has no effect."),
    )
