"""Where what was found stands: in which tier, what kind of document, which chat, on which day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

from memory.search.engines import engine
from memory.search.shapes import Wish
from memory.search.statements import listed, rows

COUNTED = 20_000  # facts: as many are counted in some hundredths of a second


class Spot(NamedTuple):
    """What filters ask of a fact: `scope` is the chat whose it is, `day` (YYYY-MM-DD) when it was told, each "" for none."""

    tier: str
    kind: str
    scope: str
    day: str


def spots(found: Collection[int]) -> Counter[Spot]:
    """How many of these facts (ids) stand where."""
    if not found:
        return Counter()
    table, value = listed(found)
    sql = f"""
        SELECT d.tier, d.kind, d.scope, d.day, COUNT(*)
        FROM {table} CROSS JOIN memory_fact AS f CROSS JOIN memory_document AS d
        WHERE f.id = wanted.value AND d.id = f.document_id GROUP BY 1, 2, 3, 4
    """  # noqa: S608
    return Counter({Spot(*place): number for *place, number in rows(sql, [value])})


class Spots(NamedTuple):
    """How many facts stand where; `cut`: only the newest rows were counted."""

    counts: Counter[Spot]
    cut: bool = False


def all_spots(wish: Wish) -> Spots:
    """Where all stand that hold any of what is looked for, also those that no search ranks."""
    held = dict(engine().by_document(wish, COUNTED))
    table, value = listed(held)
    sql = f"SELECT d.id, d.tier, d.kind, d.scope, d.day FROM {table} CROSS JOIN memory_document AS d WHERE d.id = wanted.value"  # noqa: S608
    counts = Counter[Spot]()
    for document, *place in rows(sql, [value]):
        counts[Spot(*place)] += held[document]
    return Spots(counts, sum(held.values()) == COUNTED)
