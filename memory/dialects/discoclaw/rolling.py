"""The summary of a conversation as the bot keeps it: its text, and how many turns there were since it was made."""

from __future__ import annotations

from typing import Any

from memory.dialects.discoclaw import javascript
from memory.dialects.discoclaw.durable import Malformed


def read(data: bytes) -> dict[str, Any]:
    """A summary with what else stands in its file. Raises Malformed."""
    try:
        found = javascript.read(data.decode())
    except ValueError:
        raise Malformed from None
    if not isinstance(found, dict) or not isinstance(found.get("summary"), str):
        raise Malformed
    return found


def turns(found: dict[str, Any]) -> int:
    """How many turns there were since it was made."""
    count = found.get("turnsSinceUpdate")
    return int(count) if isinstance(count, int | float) and count >= 0 else 0


def after_turn(found: dict[str, Any], now: int) -> dict[str, Any]:
    """The same after one more turn."""
    return {**found, "updatedAt": now, "turnsSinceUpdate": turns(found) + 1}
