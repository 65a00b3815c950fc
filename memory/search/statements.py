"""Statements of the search: written out, since building queries would cost more than running them."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from django.db import connection


def rows(sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """What a statement finds."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found


def ids(sql: str, values: Sequence[Any] = ()) -> list[Any]:
    """The first column of what a statement finds."""
    return [row[0] for row in rows(sql, values)]


def placeholders(values: Collection[object]) -> str:
    """As many place holders as there are values."""
    return ", ".join(["%s"] * len(values))


def id_table(wanted: Collection[int | str], kind: str = "bigint") -> tuple[str, str | list[int | str]]:
    """Ids or others as a table `wanted (value)`, and its value: one statement for any number of them, which is prepared once."""
    if connection.vendor == "postgresql":
        return f"UNNEST(%s::{kind}[]) AS wanted (value)", list(wanted)
    return "json_each(%s) AS wanted", json.dumps(list(wanted))
