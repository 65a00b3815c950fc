"""What people type in a chat about its session: how it stands, that it be compacted, that it begin anew."""

from __future__ import annotations

import re
from dataclasses import dataclass

STATUS, COMPACT, NEW = "status", "compact", "new"
KEEP, MOST = 10, 100  # messages that `/compact` keeps
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class ChatCommand:
    """One command; `keep` says how many messages a compaction leaves."""

    name: str
    keep: int = KEEP


def parse(message: str) -> ChatCommand | None:
    """The command of a message; None for one that goes to the model."""
    name, *words = message.split() or [""]
    if not name.startswith("/") or (name := name.removeprefix("/")) not in (STATUS, COMPACT, NEW):
        return None
    return ChatCommand(name, _kept(words[0]) if name == COMPACT and words else KEEP)


def _kept(word: str) -> int:
    return max(1, min(int(word), MOST)) if _NUMBER.fullmatch(word) else KEEP
