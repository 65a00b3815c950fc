"""Rows written without a model for each: many at once, as a first index writes them, and those of each call, most of whose time the
ORM would take (see docs/benchmarks.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Field, Model

T = TypeVar("T")

VALUES_AT_ONCE = 30_000  # of one statement: SQLite takes 32,766, PostgreSQL's driver 65,535

PORTIONS = (1024, 256, 64, 16, 4, 1)  # rows of one statement


def batches(some: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """These values in their order, as many at a time as one statement takes."""
    return (some[start : start + size] for start in range(0, len(some), size))


@cache
def _fields(model: type[Model], names: tuple[str, ...]) -> Sequence[Field[Any, Any]]:
    """These fields of a model, without names all but its key."""
    every = {one.name: one for one in model._meta.local_concrete_fields}
    return [every[name] for name in names] or [one for one in every.values() if not one.primary_key]


@cache
def _quoted(model: type[Model], names: tuple[str, ...]) -> tuple[str, Mapping[str, str]]:
    """A model's table and the columns of the same fields."""
    quote = connections[DEFAULT_DB_ALIAS].ops.quote_name
    return quote(model._meta.db_table), {one.name: quote(one.column or "") for one in _fields(model, names)}


def upsert_all(
    model: type[Model],
    names: tuple[str, ...],
    same: tuple[str, ...],
    rows: Sequence[tuple[int | float | str, ...]],
) -> None:
    """Insert rows that are given as values of these fields, or write them into the row that is the `same`. A row that is the
    same in all stays. Values are numbers and strings, which both databases take as they are. Sends no signals.

    Many rows go into one statement, since SQLite's full text index is written to disk at the end of each; how many is one of a few
    numbers, since each thread's connection keeps what it has prepared."""
    table, columns = _quoted(model, names)
    known = ", ".join(columns[name] for name in same)
    others = [column for name, column in columns.items() if name not in same]
    does = f"UPDATE SET {', '.join(f'{column} = EXCLUDED.{column}' for column in others)}" if others else "NOTHING"
    _write_all(_into(table, columns), len(names), rows, f" ON CONFLICT ({known}) DO {does}")


def insert_all(
    model: type[Model], names: tuple[str, ...], rows: Sequence[tuple[int | float | str | None, ...]]
) -> None:
    """Insert rows that are given as values of these fields, in their order; each is a new one. Sends no signals."""
    _write_all(_into(*_quoted(model, names)), len(names), rows)


def _into(table: str, columns: Mapping[str, str]) -> str:
    return f"INSERT INTO {table} ({', '.join(columns.values())}) VALUES "  # noqa: S608


def _write_all(before: str, wide: int, rows: Sequence[Sequence[Any]], after: str = "") -> list[tuple[Any, ...]]:
    """What the statements returned, where they return anything."""
    found: list[tuple[Any, ...]] = []
    marks = f"({', '.join(['%s'] * wide)})"
    start = 0
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        for size in (one for one in PORTIONS if one * wide <= VALUES_AT_ONCE):
            while start + size <= len(rows):
                sql = before + ", ".join([marks] * size) + after
                cursor.execute(sql, [value for row in rows[start : start + size] for value in row])
                found += cursor.fetchall() if cursor.description else []
                start += size
    return found


def save(row: Model, *names: str) -> None:
    """Save a row as `save` does, or of one that is there only these fields. A row that is gone stays so. Sends no signals."""
    save_all([row], *names)


def save_all(rows: Sequence[Model], *names: str) -> None:
    """The same of several rows of a model, which are all new or all there."""
    if not rows:
        return
    model, fresh = type(rows[0]), rows[0].pk is None
    fields, (table, columns) = _fields(model, names), _quoted(model, names)
    (key,) = _quoted(model, (model._meta.pk.name,))[1].values()
    database = connections[DEFAULT_DB_ALIAS]  # itself: what stands for it in a thread is asked anew for each field
    values = [[field.get_db_prep_save(field.pre_save(row, fresh), database) for field in fields] for row in rows]
    if not fresh:
        given = ", ".join(f"{column} = %s" for column in columns.values())
        with database.cursor() as cursor:
            said = [(*some, row.pk) for some, row in zip(values, rows, strict=True)]
            cursor.executemany(f"UPDATE {table} SET {given} WHERE {key} = %s", said)  # noqa: S608
        return
    made = _write_all(_into(table, columns), len(fields), values, f" RETURNING {key}")
    for row, (number,) in zip(rows, made, strict=True):
        row.pk = number
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


def let_go() -> None:
    """Give the connection back for as long as something else than the database is waited for: a pool has fewer than wait."""
    database = connections[DEFAULT_DB_ALIAS]
    if database.vendor != "sqlite" and not database.in_atomic_block:
        database.close()
