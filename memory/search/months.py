"""In which months what was found was told."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from memory.search.statements import listed, rows


def months(found: Collection[int]) -> Mapping[str, int]:
    """How many of these facts (ids) each month holds (YYYY-MM); those of no day are under ""."""
    if not found:
        return {}
    table, value = listed(found)
    sql = f"""
        SELECT substr(d.day, 1, 7) AS told, COUNT(*) FROM {table} CROSS JOIN memory_fact AS f CROSS JOIN memory_document AS d
        WHERE f.id = wanted.value AND d.id = f.document_id GROUP BY told
    """  # noqa: S608
    return dict(rows(sql, [value]))
