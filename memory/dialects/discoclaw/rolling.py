"""The summary of a conversation as the bot keeps it: its text, and how many turns there were since it was made."""

from __future__ import annotations

import re
from typing import Any

from memory.dialects.discoclaw import javascript
from memory.dialects.discoclaw.durable import Malformed, parsed
from memory.dialects.discoclaw.settings import Settings

_NUMBERS = ("regeneratedAt", "turnsSinceUpdate")
_SENTENCES = re.compile(r"(?<=[.!?…]) +|(?<=[。！？])|\n+")


def read(data: bytes) -> dict[str, Any]:
    """A summary with what else stands in its file. Raises Malformed."""
    found = parsed(data)
    if not isinstance(found, dict) or not isinstance(found.get("summary"), str):
        raise Malformed
    return found


def loaded(data: bytes, *, is_later: bool) -> dict[str, Any]:
    """A summary as the bot has it in hand; one of March 2026 wants numbers for its times and turns. Raises Malformed."""
    found = read(data)
    numbers = [found.get("updatedAt"), *(found[name] for name in _NUMBERS if name in found)]
    if is_later and not all(isinstance(one, int | float) and not isinstance(one, bool) for one in numbers):
        raise Malformed
    return found


def turns(found: dict[str, Any]) -> int:
    """How many turns there were since it was made."""
    count = found.get("turnsSinceUpdate")
    return int(count) if isinstance(count, int | float) and count >= 0 else 0


def read_or_none(data: bytes | None, *, is_later: bool = False) -> dict[str, Any] | None:
    """A summary as `loaded` has it; None where there is none, or none that can be read."""
    try:
        return None if data is None else loaded(data, is_later=is_later)
    except Malformed:
        return None


def shown(found: dict[str, Any], settings: Settings) -> str:
    """What of a summary is read: all, or as much as a bot of March 2026 cuts it to."""
    said = str(found["summary"])
    return javascript.cut(said, settings.summary_chars) if settings.is_later and settings.summary_chars else said


def renewed(found: dict[str, Any], text: str, now: int, counted: int, *, is_later: bool) -> dict[str, Any]:
    """A new summary in the last one's place (`found`, empty where there was none); turns beyond those that were `counted` when it
    was asked for are counted on. What else stands in the file stays."""
    later = {"regeneratedAt": now} if is_later else {}
    return {**found, "summary": text, "updatedAt": now, **later, "turnsSinceUpdate": max(0, turns(found) - counted)}


def by_sentence(text: str) -> str:
    """A summary with each sentence in a line of its own, for people who compare two."""
    return "".join(f"{one}\n" for one in _SENTENCES.split(text) if one)


def after_turn(found: dict[str, Any], now: int) -> dict[str, Any]:
    """A summary after one more turn."""
    return {**found, "updatedAt": now, "turnsSinceUpdate": turns(found) + 1}
