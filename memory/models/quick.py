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
