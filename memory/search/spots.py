"""Where what was found stands: in which tier, what kind of document, which chat, on which day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from memory.search.engines import engine
from memory.search.shapes import Wish
from memory.search.statements import listed, rows

COUNTED = 20_000  # facts: as many are counted in some hundredths of a second


class Counts(NamedTuple):
    """How many facts there are by what filters ask of one: `scope` is the chat whose it is, `day` (YYYY-MM-DD) when it was told,
    each "" for none."""

    tier: Counter[str]
    kind: Counter[str]
    scope: Counter[str]
    day: Counter[str]

    def total(self) -> int:
        """How many there are."""
        return self.tier.total()


def spots(found: Collection[int]) -> Counts:
    """How many of these facts (ids) stand where."""
    if not found:
        return _counted(())
    table, value = listed(found)
    sql = f"""
        SELECT d.tier, d.kind, d.scope, d.day, COUNT(*)
        FROM {table} CROSS JOIN memory_fact AS f CROSS JOIN memory_document AS d
        WHERE f.id = wanted.value AND d.id = f.document_id GROUP BY 1, 2, 3, 4
    """  # noqa: S608
    return _counted(rows(sql, [value]))


class Spots(NamedTuple):
    """How many facts stand where; `cut`: only the newest rows were counted."""

    counts: Counts
    cut: bool = False


def all_spots(wish: Wish) -> Spots:
    """Where all stand that hold any of what is looked for, also those that no search ranks."""
    held = dict(engine().by_document(wish, COUNTED))
    table, value = listed(held)
    sql = f"SELECT d.tier, d.kind, d.scope, d.day, d.id FROM {table} CROSS JOIN memory_document AS d WHERE d.id = wanted.value"  # noqa: S608
    counts = _counted((*place, held[document]) for *place, document in rows(sql, [value]))
    return Spots(counts, counts.total() == COUNTED)


def _counted(found: Iterable[tuple[Any, ...]]) -> Counts:
    """Of (tier, kind, scope, day, how many)."""
    counts = Counts(Counter(), Counter(), Counter(), Counter())
    for tier, kind, scope, day, number in found:
        counts.tier[tier] += number
        counts.kind[kind] += number
        counts.scope[scope] += number
        counts.day[day] += number
    return counts
