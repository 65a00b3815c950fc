"""The facts of a user as the bot keeps them: one object with `items`, added to, marked as forgotten, and dropped over a cap."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from memory.dialects.discoclaw import javascript, later
from memory.dialects.discoclaw.budget import BudgetLine, selected
from memory.text.sentences import say
from memory.text.utf16 import count_units, well_formed

ACTIVE, FORGOTTEN = "active", "deprecated"
KINDS = ("preference", "fact", "project", "constraint", "person", "tool", "workflow")
BROKEN = say("The file isn’t valid: it is not the JSON the bot writes. Repair it first. Nothing was changed.")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ENOUGH = 0.6  # of a text that a needle must be long

Item = dict[str, Any]


class Malformed(ValueError):
    """A file that the bot would take for none, and replace at its next write."""

    def __init__(self) -> None:
        super().__init__(BROKEN)


def parsed(data: bytes) -> Any:
    """What stands in a file of the bot's. Raises Malformed."""
    try:
        return javascript.read(data.decode())
    except ValueError:
        raise Malformed from None


def read(data: bytes) -> dict[str, Any]:
    """A store as the bot parses it: any version, and what it does not know stays. Raises Malformed."""
    found = parsed(data)
    if not isinstance(found, dict) or "version" not in found or not isinstance(found.get("items"), list):
        raise Malformed
    return found


def loaded(data: bytes, *, is_later: bool) -> dict[str, Any]:
    """A store as the bot has it in hand: one of March 2026 knows two versions, and makes the second of the first. Raises
    Malformed."""
    store = read(data)
    if is_later:
        if not later.is_known(store):
            raise Malformed
        later.upgraded(store)
    return store


def new() -> dict[str, Any]:
    """The store of a user of whom nothing is known."""
    return {"version": 1, "updatedAt": 0, "items": []}


def item_id(kind: str, text: str) -> str:
    """What the bot tells items by."""
    told = f"{kind}:{same(text)}"
    return "durable-" + hashlib.sha256(well_formed(told).encode()).hexdigest()[:8]


def same(text: str) -> str:
    """What two texts have in common that the bot takes for one."""
    return javascript.collapsed(text.lower())


def items(store: dict[str, Any]) -> Iterator[tuple[int, Item]]:
    """The items of a store with their numbers; what is no object is passed over."""
    return ((at, one) for at, one in enumerate(store["items"]) if isinstance(one, dict))


def active(store: dict[str, Any]) -> Iterator[tuple[int, Item]]:
    """Those that the bot reads."""
    return ((at, one) for at, one in items(store) if one.get("status") == ACTIVE)


def add(
    store: dict[str, Any],
    text: str,
    source: dict[str, str],
    now: int,
    most: int,
    kind: str = "fact",
    *,
    is_later: bool = False,
) -> None:
    """Say something once more, or for the first time; a forgotten item of the same words stays beside the new one."""
    own = item_id(kind, text)
    known = next((one for _, one in active(store) if one.get("id") == own), None)
    said = {"kind": kind, "text": text, "source": source, "updatedAt": now}
    if known is not None:
        known |= said
    else:
        told = {"kind": kind, "text": text, "tags": [], "status": ACTIVE, "source": source}
        hits = {"hitCount": 0, "lastHitAt": 0} if is_later else {}
        store["items"].append({"id": own, **told, "createdAt": now, "updatedAt": now, **hits})
        _drop(store, most, (lambda item: later.rank(item, now)) if is_later else _age)
    store["updatedAt"] = now
    if is_later:
        cool(store, now)


def cool(store: dict[str, Any], now: int) -> None:
    """Forget what is too much for a bot of March 2026, what it reads least first."""
    forget(store, later.going(list(active(store)), lines(store) or [], now), now)


def hit(store: dict[str, Any], numbers: list[int], now: int) -> None:
    """These items were read by a bot of March 2026, which then forgets what is too much."""
    for at in numbers:
        later.hit(store["items"][at], now)
    if numbers:
        store["updatedAt"] = now
    cool(store, now)


def _drop(store: dict[str, Any], most: int, rank: Callable[[Item], Any]) -> None:
    """Take out what is over the cap: forgotten items first, of each the one with the lowest rank."""
    over = max(0, len(store["items"]) - most)
    known = [(at, one) for at, one in items(store) if one.get("status") in (FORGOTTEN, ACTIVE)]
    known.sort(key=lambda one: (one[1]["status"] == ACTIVE, rank(one[1])))
    gone = {at for at, _item in known[:over]}
    store["items"] = [one for at, one in enumerate(store["items"]) if at not in gone]


def _age(item: Item) -> float:
    try:
        return _number(item.get("updatedAt"))
    except ValueError:
        return 0


def matches(store: dict[str, Any], needle: str) -> list[int]:
    """The active items that the bot would forget for these words: they must be most of the text."""
    return [at for at, one in active(store) if is_meant(one.get("text"), needle)]


def is_meant(text: object, needle: str) -> bool:
    """Whether the bot would take these words for this text."""
    if not isinstance(text, str):
        return False
    said = needle.lower()
    return said in text.lower() and count_units(said) >= count_units(text) * _ENOUGH


def forget(store: dict[str, Any], numbers: list[int], now: int) -> None:
    """Mark some items as forgotten."""
    for at in numbers:
        store["items"][at] |= {"status": FORGOTTEN, "updatedAt": now}
    if numbers:
        store["updatedAt"] = now


def chosen(
    store: dict[str, Any], budget: int, *, is_later: bool = False, query: str = "", now: int = 0
) -> list[BudgetLine] | None:
    """The lines that are read, as many as fit; None where one of them keeps the bot from reading any."""
    found = lines(store)
    if found is None or not is_later:
        return found and selected(found, budget)
    gone, by_number = set(later.going(list(active(store)), found, now)), {line.at: line for line in found}
    kept = [one for one in active(store) if one[0] not in gone]
    return selected([by_number[at] for at, _item in later.ordered(kept, query, now)], budget, skips=True)


def lines(store: dict[str, Any]) -> list[BudgetLine] | None:
    """Every active item as a line, the newest first; None where one of them keeps the bot from reading any."""
    try:
        newest = sorted(active(store), key=lambda one: _number(one[1].get("updatedAt", "")), reverse=True)
        return [BudgetLine(at, _line(one)) for at, one in newest]
    except ValueError:
        return None


def _line(item: Item) -> str:
    source = item.get("source")
    if not isinstance(source, dict):
        raise ValueError("no source")
    day = f"{moment(item.get('updatedAt', '')):%Y-%m-%d}"
    channel = f", #{_shown(source, 'channelName')}" if source.get("channelName") else ""
    kind, text = _shown(item, "kind"), _shown(item, "text")
    return f"- [{kind}] {text} (src: {_shown(source, 'type')}{channel}, updated {day})"


def moment(value: object) -> datetime:
    """A time of the bot's. Raises ValueError for what is none."""
    try:
        return _EPOCH + timedelta(milliseconds=_number(value))
    except OverflowError as error:
        raise ValueError("no date") from error


def _number(value: object) -> float:
    """A number as JavaScript takes it. Raises ValueError."""
    if value is None:
        return 0
    if not isinstance(value, int | float):
        raise ValueError("no date")
    return value


def _shown(item: Item, name: str) -> str:
    """A value as a template of JavaScript shows it."""
    value = item.get(name, "undefined")
    return value if isinstance(value, str) else javascript.written(value).decode().strip()
