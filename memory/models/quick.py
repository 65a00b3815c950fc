"""Rows in and out without building a query each time: on the webhook's path that building is most of the work.

The statements are made once from the model; values go through the model's own fields, so both databases read them alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import Field, Model

Fields = tuple["Field[Any, Any]", ...]
VALUES_AT_ONCE = 30_000  # of one statement: SQLite takes 32,766, PostgreSQL's driver 65,535


@cache
def _insert_of(model: type[Model], vendor: str) -> tuple[str, Fields]:
    fields = tuple(field for field in model._meta.local_concrete_fields if not field.primary_key)
    columns = ", ".join(_quoted(field.column) for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    table, key = _named(model)
    return f"INSERT INTO {table} ({columns}) VALUES ({marks}) RETURNING {key}", fields  # noqa: S608


@cache
def _update_of(model: type[Model], names: tuple[str, ...], vendor: str) -> tuple[str, Fields]:
    by_name = {field.name: field for field in model._meta.local_concrete_fields}
    fields = tuple(by_name[name] for name in names)
    columns = ", ".join(f"{_quoted(field.column)} = %s" for field in fields)
    table, key = _named(model)
    return f"UPDATE {table} SET {columns} WHERE {key} = %s", fields  # noqa: S608


def _quoted(name: str | None) -> str:
    return connection.ops.quote_name(name or "")


def _named(model: type[Model]) -> tuple[str, str]:
    return _quoted(model._meta.db_table), _quoted(model._meta.pk.column)


@cache
def _upsert_of(model: type[Model], names: tuple[str, ...], same: tuple[str, ...], vendor: str) -> tuple[str, str]:
    """What stands before the rows, and after them."""
    columns = {field.name: _quoted(field.column) for field in model._meta.local_concrete_fields}
    given = ", ".join(columns[name] for name in names)
    known = ", ".join(columns[name] for name in same)
    fresh = ", ".join(f"{columns[name]} = EXCLUDED.{columns[name]}" for name in names if name not in same)
    return f"INSERT INTO {_named(model)[0]} ({given}) VALUES ", f" ON CONFLICT ({known}) DO UPDATE SET {fresh}"  # noqa: S608


def upsert_all(
    model: type[Model], names: tuple[str, ...], same: tuple[str, ...], rows: Sequence[tuple[int | float | str, ...]]
) -> None:
    """Insert rows that are given as values of these fields, or write them into the row that is the `same`. Values are numbers
    and strings, which both databases take as they are. Sends no signals.

    Many rows go into one statement, since SQLite's full text index is written to disk at the end of each."""
    database = connections[DEFAULT_DB_ALIAS]
    before, after = _upsert_of(model, names, same, database.vendor)
    marks = f"({', '.join(['%s'] * len(names))})"
    at_once = VALUES_AT_ONCE // len(names)
    with database.cursor() as cursor:
        for start in range(0, len(rows), at_once):
            some = rows[start : start + at_once]
            sql = before + ", ".join([marks] * len(some)) + after
            cursor.execute(sql, [value for row in some for value in row])


def let_go() -> None:
    """Give the connection back for as long as something else than the database is waited for: a pool has fewer than wait."""
    database = connections[DEFAULT_DB_ALIAS]
    if database.vendor != "sqlite" and not database.in_atomic_block:
        database.close()


def insert(row: Model) -> None:
    """Insert one new row and give it its key. Sends no signals."""
    database = connections[DEFAULT_DB_ALIAS]  # the proxy would look this up for every value
    sql, fields = _insert_of(type(row), database.vendor)
    values = [field.get_db_prep_save(field.pre_save(row, True), database) for field in fields]
    with database.cursor() as cursor:
        cursor.execute(sql, values)
        row.pk = cursor.fetchone()[0]
    row._state.adding = False
    row._state.db = database.alias


def update(row: Model, *names: str) -> None:
    """Write these fields of one row. Sends no signals."""
    update_all([row], *names)


def update_all(rows: Sequence[Model], *names: str) -> None:
    """Write these fields of rows of one model. Sends no signals."""
    if not rows:
        return
    database = connections[DEFAULT_DB_ALIAS]
    sql, fields = _update_of(type(rows[0]), names, database.vendor)
    values = [
        [*(field.get_db_prep_save(field.pre_save(row, False), database) for field in fields), row.pk] for row in rows
    ]
    with database.cursor() as cursor:
        cursor.executemany(sql, values)
