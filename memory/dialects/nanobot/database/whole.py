"""A nanobot's database as a whole: how much it holds, the mark of its import, and its search index kept true to its entries."""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial

from memory.dialects.nanobot import lines, scopes
from memory.dialects.nanobot.database.indexed import INDEX
from memory.dialects.nanobot.database.table import ENTRIES, META, READ_ONLY, Table
from memory.dialects.nanobot.database.vault import RowsVault
from memory.domain.errors import WriteFailed

PORTION = 2000  # entries that one transaction indexes anew: some tenths of a second, a fraction of the bot's patience
DONE = "done"

_AMONG = "IN (SELECT value FROM json_each(?))"
_CHECK = f"INSERT INTO {INDEX} ({INDEX}) VALUES ('integrity-check')"
_REBUILD = f"INSERT INTO {INDEX} ({INDEX}) VALUES ('rebuild')"
_UNINDEX = f"DELETE FROM {INDEX} WHERE entry_id {_AMONG}"
_REINDEX = f"""
    INSERT INTO {INDEX} (entry_id, content) SELECT id, content_norm FROM {ENTRIES} WHERE is_deleted = 0 AND id {_AMONG}
"""


@dataclass(frozen=True, slots=True)
class Holding:
    """What a database holds of a workspace: how many live entries by kind and by sort of scope, how many that were forgotten, and
    whether the bot has taken in the workspace's files (`marker`, "" for never). `elsewhere`: live entries of other workspaces."""

    active: int
    deleted: int
    kinds: dict[str, int]
    scopes: dict[str, int]
    marker: str
    elsewhere: int
    is_writable: bool


@dataclass(frozen=True, slots=True)
class Refilled:
    """A search index that says what the entries say: of how many, and how many of them it had missing or wrong. `was_damaged`: its
    own structure was."""

    entries: int
    mended: int
    was_damaged: bool


def holding(vault: RowsVault) -> Holding:
    """Raises RootGone and Unreadable."""
    return vault.ask(_holding)


def forgotten(vault: RowsVault) -> set[tuple[str, str]]:
    """(kind, content as the bot compares it) of the entries that were forgotten. Raises RootGone and Unreadable."""
    return vault.ask(_forgotten)


def mark_taken_in(vault: RowsVault) -> bool:
    """Note, as the bot does, that the workspace's files were taken in, so that it does not do it again when it starts. Returns
    whether that was news. Raises RootGone, Unreadable and WriteFailed."""
    return vault.ask(_marker) != DONE and vault.tell(_mark)


def refill(vault: RowsVault, portion: int = PORTION) -> Refilled:
    """Make the bot's search index say what the live entries say, of all workspaces: only what differs is written, some of it at a
    time, and the bot gets its turn in between. Raises RootGone, Unreadable and WriteFailed."""
    was_damaged = vault.ask(_is_damaged)
    if was_damaged:
        vault.tell(lambda table: table.db.execute(_REBUILD))
    count, wrong = vault.ask(_differences)
    for start in range(0, len(wrong), portion):
        some = wrong[start : start + portion]
        begun = time.monotonic()
        vault.tell(partial(_index, ids=some))
        if start + portion < len(wrong):
            time.sleep(time.monotonic() - begun)
    return Refilled(count, len(wrong), was_damaged)


def _holding(table: Table) -> Holding:
    of_workspace = f"FROM {table.name} WHERE workspace_id = ?"
    can_forget = "is_deleted" in table.columns
    live = " AND is_deleted = 0" if can_forget else ""
    kinds: Counter[str] = Counter()
    sorts: Counter[str] = Counter()
    sql = f"SELECT kind, scope_key, COUNT(*) {of_workspace}{live} GROUP BY kind, scope_key"
    for kind, key, count in table.db.execute(sql, [table.workspace]):
        kinds[str(kind)] += count
        sorts[scopes.parts(str(key), table.workspace).sort or "other"] += count
    gone = (
        table.db.execute(f"SELECT COUNT(*) {of_workspace} AND is_deleted <> 0", [table.workspace])
        if can_forget
        else None
    )
    return Holding(
        active=kinds.total(),
        deleted=int(gone.fetchone()[0]) if gone else 0,
        kinds=dict(sorted(kinds.items())),
        scopes=dict(sorted(sorts.items())),
        marker=_marker(table),
        elsewhere=table.elsewhere(),
        is_writable=table.is_writable,
    )


def _forgotten(table: Table) -> set[tuple[str, str]]:
    if not table.is_writable:
        return set()
    sql = f"SELECT kind, content FROM {ENTRIES} WHERE workspace_id = ? AND is_deleted <> 0"
    return {(str(kind), lines.normal(str(content))) for kind, content in table.db.execute(sql, [table.workspace])}


def _marker(table: Table) -> str:
    if not table.db.execute(f"PRAGMA table_info({META})").fetchall():
        return ""
    found = table.db.execute(f"SELECT value FROM {META} WHERE key = ?", [_mark_key(table)]).fetchone()
    return str(found[0]) if found else ""


def _mark(table: Table) -> bool:
    table.db.execute(f"INSERT OR REPLACE INTO {META} (key, value) VALUES (?, ?)", [_mark_key(table), DONE])
    return True


def _mark_key(table: Table) -> str:
    return f"workspace:{table.workspace}:backfill:v1"


def _is_damaged(table: Table) -> bool:
    """Whether the index is broken in itself. SQLite says so only to who may write, so a copy is asked: nobody is kept waiting, and
    a database that is sound is not touched."""
    if not table.is_writable:
        raise WriteFailed(READ_ONLY)
    with closing(sqlite3.connect(":memory:")) as copy:
        table.db.backup(copy)
        try:
            copy.execute(_CHECK)
        except sqlite3.DatabaseError:
            return True
    return False


def _differences(table: Table) -> tuple[int, Sequence[str]]:
    """(how many entries are live, the ids of which the index does not say the same once)."""
    live = dict(table.db.execute(f"SELECT id, content_norm FROM {ENTRIES} WHERE is_deleted = 0"))
    unmet, wrong = dict.fromkeys(live), dict[str, None]()
    for name, content in table.db.execute(f"SELECT entry_id, content FROM {INDEX}"):
        if name not in unmet or live[name] != content:
            wrong[name] = None
        unmet.pop(name, None)
    return len(live), [*unmet, *(name for name in wrong if name not in unmet)]


def _index(table: Table, ids: Sequence[str]) -> None:
    wanted = [json.dumps(ids)]
    table.db.execute(_UNINDEX, wanted)
    table.db.execute(_REINDEX, wanted)
