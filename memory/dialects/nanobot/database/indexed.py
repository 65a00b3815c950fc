"""Which rows of the bot's search index are about which entries: there is no way to an id in it but through all of its rows."""

from __future__ import annotations

import json
import sqlite3
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

INDEX = "memory_entries_fts"
MANY = 4  # entries from which on it is shorter to look at all rows once
KEPT = 60.0  # seconds for which where they were is worth trying

_UNINDEX = f"DELETE FROM {INDEX} WHERE entry_id IN (SELECT value FROM json_each(?))"
_UNINDEX_ROWS = f"DELETE FROM {INDEX} WHERE rowid IN (SELECT value FROM json_each(?))"
_STILL = f"SELECT rowid FROM {INDEX} WHERE rowid = ? AND entry_id = ?"
_SAYING = f"""
    SELECT number FROM (SELECT rowid AS number, entry_id FROM {INDEX} WHERE {INDEX} MATCH CAST(? AS TEXT) LIMIT 50)
    WHERE entry_id = ?
"""


@dataclass(frozen=True, slots=True)
class _Met:
    """Which rows were about which entries when all were looked at, in seconds of the monotonic clock."""

    at: float
    rows: Mapping[str, Sequence[int]]


_met: dict[str, _Met] = {}  # by file; of one at a time


def unindex(db: sqlite3.Connection, said: Mapping[str, str]) -> None:
    """Take entries out of the index, by id and what each said there. Each row is looked for where it was when all were looked at,
    else by its words, and by id only where neither finds it."""
    known = _known(db, look=len(said) >= MANY)
    rows = {name: _still(db, name, known.get(name, ())) or _saying(db, name, words) for name, words in said.items()}
    db.execute(_UNINDEX_ROWS, [json.dumps([row for found in rows.values() for row in found])])
    if left := [name for name, found in rows.items() if not found]:
        db.execute(_UNINDEX, [json.dumps(left)])


def _known(db: sqlite3.Connection, *, look: bool) -> Mapping[str, Sequence[int]]:
    """Where rows were a while ago. It is a hint: other rows may have their numbers since."""
    file = str(db.execute("PRAGMA database_list").fetchone()["file"])
    known = _met.get(file)
    if known and time.monotonic() - known.at < KEPT:
        return known.rows
    _met.clear()
    if not look:
        return {}
    rows: defaultdict[str, list[int]] = defaultdict(list)
    for number, name in db.execute(f"SELECT rowid, entry_id FROM {INDEX}"):
        rows[str(name)].append(int(number))
    _met[file] = _Met(time.monotonic(), dict(rows))
    return rows


def _still(db: sqlite3.Connection, name: str, rows: Sequence[int]) -> list[int]:
    return [row for row in rows if db.execute(_STILL, [row, name]).fetchone()]


def _saying(db: sqlite3.Connection, name: str, words: str) -> list[int]:
    phrase = '"' + words.replace('"', '""') + '"'
    try:
        found = db.execute(_SAYING, [phrase.encode("utf-8", "surrogateescape"), name])
        return [int(row[0]) for row in found]
    except sqlite3.OperationalError:  # what it says is no phrase
        return []
