"""Rows written by statements that are put together once: many at once without a model for each, as a first index writes them, and
those of each call, most of whose time the ORM would take (see docs/benchmarks.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import Field, Model

T = TypeVar("T")

VALUES_AT_ONCE = 30_000  # of one statement: SQLite takes 32,766, PostgreSQL's driver 65,535

PORTIONS = (1024, 256, 64, 16, 4, 1)  # rows of one statement


def batches(some: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """These values in their order, as many at a time as one statement takes."""
    return (some[start : start + size] for start in range(0, len(some), size))


def _quoted(name: str | None) -> str:
    return connection.ops.quote_name(name or "")


def _columns(model: type[Model]) -> dict[str, str]:
    return {name: _quoted(field.column) for name, field in _fields(model).items()}


def _named(model: type[Model]) -> tuple[str, str]:
    return _quoted(model._meta.db_table), _quoted(model._meta.pk.column)


@cache
def _upsert_of(
    model: type[Model], names: tuple[str, ...], same: tuple[str, ...], vendor: str, *, changed: bool
) -> tuple[str, str]:
    """What stands before the rows, and after them."""
    columns = _columns(model)
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
    columns = _columns(model)
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


def save(row: Model, *names: str) -> None:
    """Save a row as `save` does, or of one that is there only these fields. A row that is gone stays so. Sends no signals."""
    model, fields = type(row), _fields(type(row))
    key = model._meta.pk.name
    if row.pk is not None:
        update(
            model, {key: row.pk}, {name: getattr(row, fields[name].attname) for name in names or fields if name != key}
        )
        return
    given = [
        field.get_db_prep_save(field.pre_save(row, True), connection) for field in fields.values() if field.name != key
    ]
    with connection.cursor() as cursor:
        cursor.execute(_insert_of(model), given)
        row.pk = cursor.fetchone()[0]
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


def update(
    model: type[Model], same: Mapping[str, Any], given: Mapping[str, Any], more: Mapping[str, int] | None = None
) -> int:
    """Write these fields of the rows that say the `same`, in which nothing is None, and add `more` to theirs; how many there were.
    Another row is given as its key. Sends no signals."""
    more = more or {}
    with connection.cursor() as cursor:
        cursor.execute(
            _update_of(model, tuple(same), tuple(given), tuple(more)),
            [*_prepared(model, given), *more.values(), *_prepared(model, same)],
        )
        return int(cursor.rowcount)


def _prepared(model: type[Model], values: Mapping[str, Any]) -> Iterable[Any]:
    fields = _fields(model)
    return (fields[name].get_db_prep_save(value, connection) for name, value in values.items())


def _fields(model: type[Model]) -> dict[str, Field[Any, Any]]:
    return {field.name: field for field in model._meta.local_concrete_fields}


@cache
def _insert_of(model: type[Model]) -> str:
    table, key = _named(model)
    columns = [column for column in _columns(model).values() if column != key]
    marks = ", ".join(["%s"] * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks}) RETURNING {key}"  # noqa: S608


@cache
def _update_of(model: type[Model], same: tuple[str, ...], given: tuple[str, ...], more: tuple[str, ...]) -> str:
    columns = _columns(model)
    fresh = [f"{columns[name]} = %s" for name in given] + [f"{columns[name]} = {columns[name]} + %s" for name in more]
    where = " AND ".join(f"{columns[name]} = %s" for name in same)
    return f"UPDATE {_named(model)[0]} SET {', '.join(fresh)} WHERE {where}"  # noqa: S608


def let_go() -> None:
    """Give the connection back for as long as something else than the database is waited for: a pool has fewer than wait."""
    database = connections[DEFAULT_DB_ALIAS]
    if database.vendor != "sqlite" and not database.in_atomic_block:
        database.close()
