"""What a path is to a bot."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What sort of document a file is."""

    LONG_TERM = "long-term"
    DAILY = "daily"
    ARCHIVE = "archive"  # what compaction took out of the bot's sight; Kenoweb's own, the bot never reads it
    WORKING = "working"
    CONTEXT = "context"  # what a chat is about
    PATTERNS = "patterns"  # what the bot found to work
    IDENTITY = "identity"
    TRANSCRIPT = "transcript"
    TOPIC = "topic"  # notes on one matter, by no day
    TEXT = "text"  # a text in a directory that holds no notes: a skill's, a project's; no facts are read out of it
    HISTORY = "history"  # what happened, one stamped entry after the other
    CACHE = "cache"  # another tool's index, which it can make anew
    OTHER = "other"  # a file that is no note: listed, never opened


LOGS = (Kind.DAILY, Kind.ARCHIVE)  # what may be a log, where it has a day: an archived one is read as before


class Tier(StrEnum):
    """How far a memory reaches."""

    GLOBAL = "global"
    CHAT = "chat"
    WORKING = "working"


@dataclass(frozen=True, slots=True)
class Place:
    """What a path is to the bot. `scope` is the chat's session id or ""; `day` is what the name says, "" if it names none."""

    kind: Kind
    tier: Tier
    scope: str = ""
    day: str = ""
    editable: bool = True
    keeps_history: bool = True  # transcripts and caches have no revisions
    holds_facts: bool = True
    is_read: bool = True  # False: it is listed by name and size, and never opened
    has_attributes: bool = False  # its facts have
    # False: its bytes are no lines, which nobody edits, compares or merges; its family alone reads them
    is_text: bool = True
