"""Many rows in at once without a model for each, which is most of the work of a first index (see docs/benchmarks.md)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import Model

VALUES_AT_ONCE = 30_000  # of one statement: SQLite takes 32,766, PostgreSQL's driver 65,535

PORTIONS = (1024, 256, 64, 16, 4, 1)  # rows of one statement


def _quoted(name: str | None) -> str:
    return connection.ops.quote_name(name or "")


def _named(model: type[Model]) -> tuple[str, str]:
    return _quoted(model._meta.db_table), _quoted(model._meta.pk.column)


@cache
def _upsert_of(
    model: type[Model], names: tuple[str, ...], same: tuple[str, ...], vendor: str, *, changed: bool
) -> tuple[str, str]:
    """What stands before the rows, and after them."""
    columns = {field.name: _quoted(field.column) for field in model._meta.local_concrete_fields}
    given = ", ".join(columns[name] for name in names)
    known = ", ".join(columns[name] for name in same)
    fresh = ", ".join(f"{columns[name]} = EXCLUDED.{columns[name]}" for name in names if name not in same)
    table, does = _named(model)[0], f"UPDATE SET {fresh}" if fresh else "NOTHING"
    others = " OR ".join(f"{table}.{columns[name]} <> EXCLUDED.{columns[name]}" for name in names if name not in same)
    after = f" ON CONFLICT ({known}) DO {does}" + (f" WHERE {others}" if changed else "")
    return f"INSERT INTO {table} ({given}) VALUES ", after  # noqa: S608


def upsert_all(
    model: type[Model],
    names: tuple[str, ...],
    same: tuple[str, ...],
    rows: Sequence[tuple[int | float | str, ...]],
    *,
    changed: bool = False,
) -> None:
    """Insert rows that are given as values of these fields, or write them into the row that is the `same`; with `changed` only
    where that says something else. A row that is the same in all stays. Values are numbers and strings, which both
    databases take as they are. Sends no signals.

    Many rows go into one statement, since SQLite's full text index is written to disk at the end of each; how many is one of a few
    numbers, since each thread's connection keeps what it has prepared."""
    vendor = connections[DEFAULT_DB_ALIAS].vendor
    _write_all(len(names), *_upsert_of(model, names, same, vendor, changed=changed), rows)


def insert_all(
    model: type[Model], names: tuple[str, ...], rows: Sequence[tuple[int | float | str | None, ...]]
) -> None:
    """Insert rows that are given as values of these fields, in their order; each is a new one. Sends no signals."""
    columns = {field.name: _quoted(field.column) for field in model._meta.local_concrete_fields}
    given = ", ".join(columns[name] for name in names)
    _write_all(len(names), f"INSERT INTO {_named(model)[0]} ({given}) VALUES ", "", rows)  # noqa: S608


def _write_all(wide: int, before: str, after: str, rows: Sequence[tuple[int | float | str | None, ...]]) -> None:
    marks = f"({', '.join(['%s'] * wide)})"
    start = 0
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        for size in (one for one in PORTIONS if one * wide <= VALUES_AT_ONCE):
            while start + size <= len(rows):
                sql = before + ", ".join([marks] * size) + after
                cursor.execute(sql, [value for row in rows[start : start + size] for value in row])
                start += size


def let_go() -> None:
    """Give the connection back for as long as something else than the database is waited for: a pool has fewer than wait."""
    database = connections[DEFAULT_DB_ALIAS]
    if database.vendor != "sqlite" and not database.in_atomic_block:
        database.close()
