"""The bot's own search: what SQLite's FTS5 finds for a message, in its database or among entries that are laid out like it.

Nothing here knows how FTS5 cuts words and weighs them: it is asked.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from memory.dialects.nanobot.database.indexed import INDEX
from memory.dialects.nanobot.database.table import ENTRIES, Table, as_sql

_BEGINS, _ENDS = "\x02", "\x03"
_MARKED = re.compile(f"{_BEGINS}([^{_BEGINS}{_ENDS}]*){_ENDS}")
_TABLE = (
    f"CREATE TABLE {ENTRIES} (id TEXT PRIMARY KEY, workspace_id, scope_key, kind, updated_at, is_deleted DEFAULT 0)"
)
_INDEX = f'CREATE VIRTUAL TABLE {INDEX} USING fts5(entry_id UNINDEXED, content, tokenize="%s")'
# A limit that is none: without one SQLite sorts what fits equally well another way.
_SEARCH = f"""
    SELECT e.id, bm25({INDEX}) AS fits, {INDEX}.rowid FROM {INDEX} JOIN {ENTRIES} e ON e.id = {INDEX}.entry_id
    WHERE e.workspace_id = ? AND e.is_deleted = 0 %s AND {INDEX} MATCH ?
    ORDER BY fits ASC, e.updated_at DESC LIMIT {2**31 - 1}
"""
_TEXT = "CAST(? AS TEXT)"  # a scope's key may be no UTF-8
_WORDS = f"""
    SELECT rowid, highlight({INDEX}, 1, ?, ?) FROM {INDEX}
    WHERE {INDEX} MATCH ? AND rowid IN (SELECT value FROM json_each(?))
"""

PLAIN = "unicode61"  # how the bot's index cuts words
WIDE = "unicode61 remove_diacritics 2 categories 'L* N* M* Co'"  # with the vowels that some scripts write as marks


@dataclass(frozen=True, slots=True)
class Among:
    """Which entries are looked through: those of these scopes (None: of all), by name, and of these kinds (none: of all). At most
    `limit` of them come back."""

    scopes: Sequence[str] | None
    kinds: Sequence[str]
    limit: int


@dataclass(frozen=True, slots=True)
class Match:
    """An entry that was found; the lower `bm25`, the better it fits. `words` are those in it that were looked for."""

    id: str
    bm25: float
    row: int
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Searchable:
    """An entry as the bot would search it."""

    id: str
    scope: str
    kind: str
    updated: str
    said: str


def in_database(table: Table, asked: str, some: Sequence[Among]) -> list[list[Match]] | None:
    """What the bot finds for a query of FTS5 in each of `some`, best first, those beyond the limit too, without words; None for a
    newer bot's database, which is searched another way."""
    if is_newer(table) or not table.has_index:
        return None
    return [_found(table.db, table.workspace, asked, one, _keys(table, one.scopes)) if asked else [] for one in some]


def is_newer(table: Table) -> bool:
    """Whether a newer bot keeps its entries here."""
    return table.name != ENTRIES


def in_entries(entries: Sequence[Searchable], asked: str, some: Sequence[Among], tokenizer: str) -> list[list[Match]]:
    """What `in_database` finds, among these entries, as if they were all that there is."""
    if not asked:
        return [[] for _ in some]
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute(_TABLE)
        db.execute(_INDEX % tokenizer)
        rows = ((one.id, one.scope, one.kind, one.updated) for one in entries)
        db.executemany(f"INSERT OR IGNORE INTO {ENTRIES} VALUES (?, '', ?, ?, ?, 0)", rows)
        db.executemany(f"INSERT INTO {INDEX} VALUES (?, ?)", ((one.id, one.said) for one in entries))
        return [_found(db, "", asked, one, one.scopes) for one in some]


def _keys(table: Table, names: Sequence[str] | None) -> list[str] | None:
    return None if names is None else [key for name in names if (key := table.key(name)) is not None]


def _found(db: sqlite3.Connection, workspace: str, asked: str, among: Among, keys: Sequence[str] | None) -> list[Match]:
    where = {"e.scope_key": keys, "e.kind": among.kinds or None}
    meant = {name: values for name, values in where.items() if values is not None}
    sql = _SEARCH % " ".join(f"AND {name} IN ({', '.join([_TEXT] * len(values))})" for name, values in meant.items())
    rows = db.execute(sql, [workspace, *(as_sql(value) for values in meant.values() for value in values), asked])
    found = [Match(str(name), float(fits), int(row)) for name, fits, row in rows]
    return [*_with_words(db, asked, found[: among.limit]), *found[among.limit :]]


def _with_words(db: sqlite3.Connection, asked: str, found: Sequence[Match]) -> list[Match]:
    rows = db.execute(_WORDS, [_BEGINS, _ENDS, asked, json.dumps([one.row for one in found])])
    marked = {int(row): tuple(dict.fromkeys(_MARKED.findall(str(text)))) for row, text in rows}
    return [replace(one, words=marked.get(one.row, ())) for one in found]
