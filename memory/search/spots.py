"""Where what was found stands: in which tier, what kind of document, which chat, on which day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from memory.search.engines import engine
from memory.search.shapes import EngineQuery, PlaceKey
from memory.search.statements import id_table, rows

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


def count_spots(found: Collection[int]) -> Counts:
    """How many of these facts (ids) stand where."""
    if not found:
        return _counted(())
    table, value = id_table(found)
    sql = f"""
        SELECT d.tier, d.kind, d.scope, d.day FROM {table} CROSS JOIN memory_fact AS f CROSS JOIN memory_document AS d
        WHERE f.id = wanted.value AND d.id = f.document_id
    """  # noqa: S608
    return _counted(rows(sql, [value]))


class Spots(NamedTuple):
    """How many facts stand where; `cut`: only the newest rows were counted."""

    counts: Counts
    cut: bool = False


def all_spots(query: EngineQuery) -> Spots:
    """Where all stand that hold any of what is looked for, also those that no search ranks."""
    found = engine().places(query, COUNTED)
    return Spots(_counted(found), len(found) == COUNTED)


def _counted(found: Sequence[PlaceKey]) -> Counts:
    return Counts(*map(Counter, zip(*found, strict=True))) if found else Counts(*(Counter() for _ in Counts._fields))
