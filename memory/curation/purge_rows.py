"""Every column that holds text, of every table, so that a new one is not forgotten: counted, or written over."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from django.apps import apps
from django.db import OperationalError, connection, models

from memory.models import (
    ApiToken,
    Blob,
    Bot,
    Chat,
    ChatName,
    Claim,
    Day,
    Delivery,
    Document,
    Draft,
    Fact,
    FactAttributes,
    Fetched,
    Finding,
    Head,
    Job,
    Lineage,
    LoginLink,
    Pinned,
    Proposal,
    Purge,
    RecallTest,
    Revision,
    Root,
    Searched,
    Session,
    Use,
    Vector,
    WebhookSecret,
)
from memory.search.sqlite import Sqlite
from memory.text.purging import mask_bytes, mask_json, mask_text
from memory.text.sentences import say

# The index follows the files, versions go by their names, lineage by the keys of their facts; the rest says who may come in and
# which bots there are.
OTHERS: set[type[models.Model]] = {
    Blob,
    Document,
    Fact,
    FactAttributes,
    Claim,
    Use,
    Chat,
    Day,
    Vector,
    Head,
    Lineage,
    Pinned,
    Purge,
}
OTHERS |= {Bot, Root, ApiToken, LoginLink, Session, WebhookSecret}
ROOMS = ("auth", "contenttypes", "sessions")
# Columns, and what JSON calls so, that hold what Kenoweb itself named: a short text stands in many a hash by chance.
NAMES = {"path", "scope", "chat", "session_id", "message_id", "webhook_id", "slot", "token", "before", "after", "base"}
NAMES |= {
    "sha256",
    "body_sha256",
    "session_hash",
    "key",
    "keys",
    "holder",
    "by",
    "day",
    "rule",
    "purpose",
    "fault",
    "object_id",
}
NAMES |= {"task_path", "worker_ids", "queue_name", "backend_name", "exception_class_path"}
PLACES: dict[type[models.Model], str] = {
    Revision: say("added texts"),
    Delivery: say("deliveries"),
    Draft: say("drafts"),
    Fetched: say("served prompts"),
    Proposal: say("suggestions"),
    Job: say("jobs"),
    Finding: say("findings"),
    RecallTest: say("recall tests"),
    ChatName: say("chat names"),
    Searched: say("searches"),
}
ELSEWHERE = say("other rows")
LEFT = say("The database is in use or its disk is full. Purge again to remove the last traces from its file.")
ROWS_AT_ONCE = 400


def count(bot: Bot, sought: re.Pattern[bytes], word: bytes) -> dict[str, int]:
    """In how many rows a text stands, by place. `word` stands in each of them, b"" if none is known."""
    return _through(bot, sought, word, write=False)


def mask(bot: Bot, sought: re.Pattern[bytes], word: bytes) -> dict[str, int]:
    """Write over it; the same counts."""
    return _through(bot, sought, word, write=True)


def _through(bot: Bot, sought: re.Pattern[bytes], word: bytes, *, write: bool) -> dict[str, int]:
    places: Counter[str] = Counter()
    for model, fields in _tables():
        rows = set[Any]()
        for field in fields:
            found = dict(_masked(field, _holding(bot, model, field, word), sought))
            rows.update(found)
            for pk, value in found.items() if write else ():
                _write(model, field, pk, value)
        places[PLACES.get(model, ELSEWHERE)] += len(rows)
    return dict(places)


def _masked(
    field: models.Field[Any, Any], holding: Iterable[tuple[Any, bytes]], sought: re.Pattern[bytes]
) -> Iterator[tuple[Any, bytes | str]]:
    """Of the rows that may hold the text, those that do, with the column as it is without it."""
    for pk, data in holding:
        had: Any = data if isinstance(field, models.BinaryField) else data.decode()
        if isinstance(field, models.JSONField):
            had = json.loads(had)
            if (has := mask_json(had, sought, NAMES)) != had:
                yield pk, json.dumps(has)
        elif (has := mask_bytes(had, sought) if isinstance(had, bytes) else mask_text(had, sought)) != had:
            yield pk, has


def _tables() -> Iterator[tuple[type[models.Model], list[models.Field[Any, Any]]]]:
    for model in apps.get_models():
        if model in OTHERS or model._meta.app_label in ROOMS:
            continue
        yield model, [field for field in model._meta.local_concrete_fields if _holds_text(field)]


def _holds_text(field: models.Field[Any, Any]) -> bool:
    kinds = (models.CharField, models.TextField, models.JSONField, models.BinaryField)
    return isinstance(field, kinds) and not field.primary_key and not field.choices and field.name not in NAMES


def _holding(
    bot: Bot, model: type[models.Model], field: models.Field[Any, Any], word: bytes
) -> Iterator[tuple[Any, bytes]]:
    """The rows whose column has that word, as bytes."""
    table, column, key = _named(model, field)
    if connection.vendor == "sqlite":
        data, has = f"CAST({column} AS BLOB)", "instr({}, %s) > 0"
    elif isinstance(field, models.BinaryField):
        data, has = column, "position(%s in {}) > 0"
    else:
        data, has = f"convert_to({column}::text, 'UTF8')", "position(%s in {}) > 0"
    bots = any(one.name == "bot" for one in model._meta.local_concrete_fields)
    wanted = [f"{column} IS NOT NULL", *([has.format(data)] if word else []), *(["bot_id = %s"] if bots else [])]
    given: list[Any] = [*([word] if word else []), *([bot.pk] if bots else [])]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {key}, {data} FROM {table} WHERE {' AND '.join(wanted)}", given)  # noqa: S608 - our own names
        while some := cursor.fetchmany(ROWS_AT_ONCE):
            yield from ((pk, bytes(found)) for pk, found in some)


def _named(model: type[models.Model], field: models.Field[Any, Any]) -> list[str]:
    """Table, column and key as a statement names them."""
    names = (model._meta.db_table, field.column, model._meta.pk.column)
    return [connection.ops.quote_name(name or "") for name in names]


def _write(model: type[models.Model], field: models.Field[Any, Any], pk: Any, value: bytes | str) -> None:
    cast = "::jsonb" if isinstance(field, models.JSONField) and connection.vendor == "postgresql" else ""
    table, column, key = _named(model, field)
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {table} SET {column} = %s{cast} WHERE {key} = %s", [value, pk])  # noqa: S608 - our own names


def clear_traces() -> str:
    """What was deleted or written over leaves the database's file, too. Why it could not, "" if it did."""
    if connection.vendor != "sqlite":
        return say("PostgreSQL keeps overwritten data until the next vacuum, and in its log and backups.")
    with connection.cursor() as cursor:
        try:
            Sqlite().rebuild()
            cursor.execute("PRAGMA temp_store=FILE")  # in memory it would take as much as the file
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            done = not cursor.fetchone()[0]
        except OperationalError:
            done = False
        finally:
            cursor.execute("PRAGMA temp_store=MEMORY")
    return "" if done else LEFT
