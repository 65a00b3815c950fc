"""What bots of March 2026 do otherwise: they count how often a fact is read, read first what was read often or fits the message,
and forget what is read least."""

from __future__ import annotations

import re
from typing import Any

from memory.dialects.discoclaw.budget import BudgetLine
from memory.text.utf16 import count_units

Item = dict[str, Any]
VERSIONS = (1, 2)
HOT_ITEMS, HOT_CHARS = 25, 2000  # active facts of a user, and characters of their lines
_DAY, _MONTH = 86_400_000, 30
_HIT, _ASKED = 0.5, 2.0  # what hits and words of the message weigh
_LEAST = 3  # letters of a word
_APART = re.compile("[^a-z0-9]+")
# Words that say nothing of what a message is about; all of the bot's that have three letters or more.
_EMPTY = re.compile(
    "about|and|are|been|being|but|can|could|did|does|for|from|had|has|have|her|his|how|into|its|may|might|not|our|shall|should|that|the|"
    "their|then|this|was|were|what|when|where|which|who|why|will|with|would|your"
)


def is_known(store: dict[str, Any]) -> bool:
    """Whether such a bot reads a store at all; any other it takes for an empty one."""
    return store.get("version") in VERSIONS and all(_is_number(store.get(name)) for name in ("version", "updatedAt"))


def upgraded(store: dict[str, Any]) -> None:
    """Make a store of the first version one of the second."""
    if store["version"] == 1:
        store["version"] = 2
        for item in store["items"]:
            if isinstance(item, dict):
                item |= {name: 0 for name in ("hitCount", "lastHitAt") if item.get(name) is None}


def ordered(items: list[tuple[int, Item]], query: str, now: int) -> list[tuple[int, Item]]:
    """Active items as they are read, the first first."""
    asked = words(query)
    scores = {at: _recent(item.get("updatedAt"), now) + _HIT * value(item, now) for at, item in items}
    most = max(scores.values(), default=0)

    def score(one: tuple[int, Item]) -> float:
        at, item = one
        told = " ".join([str(item.get("text")), *_tags(item)])
        shared = len(asked & words(told)) / len(asked) if asked else 0
        return (scores[at] / most if most > 0 else 0) + _ASKED * shared

    return sorted(items, key=score, reverse=True)


def _tags(item: Item) -> list[str]:
    tags = item.get("tags")
    return [one for one in tags if isinstance(one, str)] if isinstance(tags, list) else []


def words(text: str) -> frozenset[str]:
    """The words by which a fact is found for a message: of Latin letters and digits only."""
    found = _APART.split(text.lower())
    return frozenset(word for word in found if len(word) >= _LEAST and not _EMPTY.fullmatch(word))


def value(item: Item, now: int) -> float:
    """How often and how lately an item was read."""
    return _number(item, "hitCount") * _recent(item.get("lastHitAt"), now)


def rank(item: Item, now: int) -> tuple[Any, ...]:
    """Of several the one with the lowest goes first: never read before ever read, then by worth and age."""
    ages = (_number(item, name) for name in ("hitCount", "lastHitAt", "updatedAt", "createdAt"))
    return (_number(item, "hitCount") > 0, value(item, now), *ages, str(item.get("id")))


def going(items: list[tuple[int, Item]], lines: list[BudgetLine], now: int) -> list[int]:
    """The active items that are too many for such a bot, which forgets them; `lines` are theirs, in any order."""
    sizes = {line.at: count_units(line.text) for line in lines}
    left = sorted(items, key=lambda one: rank(one[1], now))
    size, gone = sum(sizes.values()) + len(sizes) - 1, 0
    while len(left) - gone > HOT_ITEMS or (gone < len(left) and size > HOT_CHARS):
        size -= sizes.get(left[gone][0], 0) + 1
        gone += 1
    return [at for at, _item in left[:gone]]


def hit(item: Item, now: int) -> None:
    """An item was read."""
    item |= {"hitCount": int(_number(item, "hitCount")) + 1, "lastHitAt": now}


def _recent(at: object, now: int) -> float:
    days = max(0, now - at) / _DAY if isinstance(at, int | float) else float("inf")
    return 1 / (1 + days / _MONTH)


def _number(item: Item, name: str) -> float:
    found = item.get(name)
    return float(found) if isinstance(found, int | float) and _is_number(found) else 0


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
