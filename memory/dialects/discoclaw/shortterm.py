"""What a user did lately on a server as the bot keeps it: one entry for each turn in a channel that everybody may read."""

from __future__ import annotations

from typing import Any

from memory.dialects.discoclaw import javascript
from memory.dialects.discoclaw.budget import BudgetLine
from memory.dialects.discoclaw.durable import Malformed, parsed
from memory.text.markdown.tags import JS_SPACE

_ASKED, _ANSWERED = 100, 100  # units of a message and of a reply that an entry keeps
_MINUTE, _HOUR = 60_000, 3_600_000

Entry = dict[str, Any]


def read(data: bytes) -> dict[str, Any]:
    """A store as the bot parses it. Raises Malformed."""
    found = parsed(data)
    if not isinstance(found, dict) or "version" not in found or not isinstance(found.get("entries"), list):
        raise Malformed
    return found


def loaded(data: bytes, *, is_later: bool) -> dict[str, Any]:
    """A store as the bot has it in hand; one of March 2026 knows one version. Raises Malformed."""
    store = read(data)
    if is_later and store["version"] != 1:
        raise Malformed
    return store


def new() -> dict[str, Any]:
    """The store of a user who did nothing yet."""
    return {"version": 1, "entries": []}


def entries(store: dict[str, Any]) -> list[tuple[int, Entry]]:
    """The entries with a time, with their numbers; anything else is passed over."""
    return [(at, one) for at, one in enumerate(store["entries"]) if isinstance(one, dict) and _is_number(one)]


def append(store: dict[str, Any], entry: Entry, now: int, most: int, age: float) -> None:
    """One entry more; what is `age` milliseconds old goes, and of the rest the newest stay."""
    store["entries"].append(entry)
    store["entries"] = [one for _, one in fresh(store, now, age)][-most:]


def fresh(store: dict[str, Any], now: int, age: float) -> list[tuple[int, Entry]]:
    """The entries that the bot still reads."""
    return [(at, one) for at, one in entries(store) if now - one["timestamp"] < age]


def excerpt(message: str, reply: str) -> str:
    """A turn in short."""
    asked = javascript.cut(message, _ASKED).strip(JS_SPACE)
    return f"User: {asked} | Bot: {javascript.cut(reply, _ANSWERED).strip(JS_SPACE)}"


def lines(store: dict[str, Any], now: int, age: float) -> list[BudgetLine]:
    """What is read now as lines, the newest first."""
    newest = sorted(fresh(store, now, age), key=lambda one: one[1]["timestamp"], reverse=True)
    return [BudgetLine(at, _line(one, now)) for at, one in newest]


def _line(entry: Entry, now: int) -> str:
    return f"- {_ago(now - entry['timestamp'])} in #{entry.get('channelName')}: {entry.get('summary')}"


def _ago(milliseconds: float) -> str:
    if milliseconds < _HOUR:
        return f"{int(milliseconds // _MINUTE)} min ago"
    hours = int(milliseconds // _HOUR)
    return f"{hours} hr ago" if hours == 1 else f"{hours} hrs ago"


def _is_number(entry: Entry) -> bool:
    return isinstance(entry.get("timestamp"), int | float)
