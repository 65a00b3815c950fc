"""nanobot's table of entries, behind an open connection: the rows of a scope as text, and a text's difference as rows."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

from memory.dialects.nanobot import lines, scopes
from memory.dialects.nanobot.database import odd
from memory.dialects.nanobot.database.indexed import INDEX, unindex
from memory.domain.errors import Overtaken, Unreadable, WriteFailed
from memory.text.sentences import say

ENTRIES, META = "memory_entries", "memory_meta"
NEWER = "memory2_nodes"
_UNSAID = frozenset(("workspace_id", "scope_key", "content_norm", "content_hash", "last_accessed_at", "is_deleted"))
COLUMNS = _UNSAID.union(lines.COLUMNS)
MARK = "kenoweb:"  # begins the keys of what we note down while a write is not settled

# What the bot's indexes hold of a row beside its scope: so they change with whatever the bot and Kenoweb do, but for a row that
# somebody rewrites without saying when, or that only says another number.
_INDEXED = (("kind", "is_deleted", "updated_at"), ("kind", "is_deleted", "content_hash"))

READ_ONLY = say("This database is from a newer nanobot. It can be read but not changed here. Nothing was changed.")
SAME_TWICE = say("This chat or user already has an entry that says the same. Nothing was changed.")
WRONG_SCOPE = say("An entry has a different scope from its file. Nothing was changed.")
NAMELESS = say("An entry has no ID, so only the bot can forget or change it. Nothing was changed.")
TAKEN = say("An entry with this ID already exists. Nothing was changed.")

_SCOPE = "scope_key = CAST(? AS TEXT)"  # a key may be no UTF-8
_TOMBSTONES = f"""
    DELETE FROM {ENTRIES} WHERE id IN (
        SELECT old.id FROM {ENTRIES} live JOIN {ENTRIES} old
            ON old.workspace_id = live.workspace_id AND old.scope_key = live.scope_key AND old.kind = live.kind
            AND old.content_hash = live.content_hash AND old.is_deleted = 1
        WHERE live.is_deleted = 0 AND live.id IN (SELECT value FROM json_each(?))
    )
"""
_FORGET = f"UPDATE {ENTRIES} SET is_deleted = 1, updated_at = ? WHERE id IN (SELECT value FROM json_each(?))"
_REINDEX = f"INSERT INTO {INDEX} (entry_id, content) SELECT id, content_norm FROM {ENTRIES} WHERE id = ?"
_INDEX = f"INSERT INTO {INDEX} (entry_id, content) VALUES (?, ?)"
_STATES = f"""
    SELECT id, is_deleted, workspace_id, content, content_hash, updated_at FROM {ENTRIES}
    WHERE id IN (SELECT value FROM json_each(?))
"""
_ACCESS = f"UPDATE {ENTRIES} SET last_accessed_at = ? WHERE id = ? AND IFNULL(last_accessed_at, '') < ?"


class Mark(NamedTuple):
    """How many live entries a scope has, and a digest that is another one if the bot's indexes say anything else of its rows."""

    live: int
    digest: bytes


class Table:
    """The entries of one workspace. Raises Unreadable for a database that holds none of nanobot's tables."""

    def __init__(self, db: sqlite3.Connection, workspace: str) -> None:
        self.db = db
        self.workspace = workspace
        self.columns = self._columns(ENTRIES)
        # A newer bot leaves the old table behind, so the newer one counts first.
        newer = self._columns(NEWER)
        self.name = NEWER if newer else ENTRIES
        self.columns = newer or self.columns
        if not {"id", "workspace_id", "scope_key", "content"} <= set(self.columns):
            raise Unreadable(say("This database isn’t a nanobot memory."))
        self.has_index = {"entry_id", "content"} == set(self._columns(INDEX))
        self.is_writable = set(self.columns) == COLUMNS and self.has_index
        self._live = " AND is_deleted = 0" if "is_deleted" in self.columns else ""
        self._order = ", ".join([*(["created_at"] if "created_at" in self.columns else []), "id"])
        said = lines.in_order(tuple(name for name in self.columns if name not in _UNSAID))
        self._said, self._line = ", ".join(said), lines.writer(said)
        unchanging = tuple(name for name in said if name != odd.CHANGED)
        self._kept, self._kept_line = ", ".join(unchanging), lines.writer(unchanging)

    def _columns(self, table: str) -> list[str]:
        return [str(found["name"]) for found in self.db.execute(f"PRAGMA table_info({table})")]

    def keys(self) -> list[str]:
        """The scope keys of all live entries."""
        sql = f"SELECT DISTINCT scope_key FROM {self.name} WHERE workspace_id = ?{self._live}"
        return [str(found[0]) for found in self.db.execute(sql, [self.workspace])]

    def elsewhere(self) -> int:
        """How many live entries belong to other workspaces."""
        sql = f"SELECT COUNT(*) FROM {self.name} WHERE workspace_id <> ?{self._live}"
        return int(self.db.execute(sql, [self.workspace]).fetchone()[0])

    def key(self, name: str) -> str | None:
        """The scope key that a document's name stands for."""
        if not name.startswith("~"):
            return scopes.key_of(name, self.workspace)
        # Whose entries were all forgotten is meant too: they may come back.
        sql = f"SELECT DISTINCT scope_key FROM {self.name} WHERE workspace_id = ?"
        known = (str(found[0]) for found in self.db.execute(sql, [self.workspace]))
        return next((key for key in known if scopes.name_of(key, self.workspace) == name), None)

    def text(self, key: str) -> bytes:
        """The live entries of a scope, one a line, oldest first."""
        sql = f"SELECT {self._said} FROM {self.name} WHERE workspace_id = ? AND {_SCOPE}{self._live}"
        cursor = self.db.cursor()
        cursor.row_factory = None
        return b"".join(map(self._line, cursor.execute(f"{sql} ORDER BY {self._order}", [self.workspace, as_sql(key)])))

    def said(self, key: str | None) -> set[bytes]:
        """What the rows of a scope say, forgotten ones too, but for when each was changed."""
        return set(self._all_said(_SCOPE, as_sql(key))) if key is not None else set()

    def _all_said(self, where: str, *values: object) -> Iterator[bytes]:
        cursor = self.db.cursor()
        cursor.row_factory = None
        sql = f"SELECT {self._kept} FROM {self.name} WHERE workspace_id = ? AND {where}"
        return map(self._kept_line, cursor.execute(sql, [self.workspace, *values]))

    def marks(self) -> dict[str, Mark]:
        """What tells of each scope whether its rows changed, by what the bot's own two indexes say of them: no row is read."""
        digests: defaultdict[str, list[bytes]] = defaultdict(list)
        counts: dict[str, int] = {}
        live = "TOTAL(is_deleted = 0)" if self._live else "COUNT(*)"
        for names in _INDEXED:
            told = " || '|' || ".join(f"IFNULL({name}, '')" for name in names if name in self.columns) or "''"
            sql = (
                f"SELECT scope_key, {live}, CAST(group_concat({told}) AS BLOB) FROM {self.name} WHERE workspace_id = ?"
            )
            for key, count, said in self.db.execute(f"{sql} GROUP BY scope_key", [self.workspace]):
                counts[str(key)] = int(count)
                digests[str(key)].append(blake2b(said, digest_size=16).digest())
        return {key: Mark(counts[key], b"".join(said)) for key, said in digests.items()}

    def changed(self, key: str) -> str:
        """When a scope was last changed, as the bot writes times; forgetting an entry is a change too."""
        if "updated_at" not in self.columns:
            return ""
        sql = f"SELECT MAX(updated_at) FROM {self.name} WHERE workspace_id = ? AND {_SCOPE}"
        return str(self.db.execute(sql, [self.workspace, as_sql(key)]).fetchone()[0] or "")

    def change(self, key: str, before: bytes, after: bytes, now: str) -> None:
        """Make the entries of a scope that said `before` say `after`, and nothing else. Raises WriteFailed."""
        old, new = odd.named(before), odd.named(after)
        changed = [checked(line) for name, line in new.items() if name in old and old[name] != line]
        gone = [name for name in old if name not in new]
        if any(old[name].decode("utf-8", "surrogateescape") == name for name in gone):
            raise WriteFailed(NAMELESS)
        try:
            self._forget(gone, now)
            self._change(changed)
            self.insert(key, [row for name, line in new.items() if name not in old and (row := self._fresh(key, line))])
        except sqlite3.IntegrityError:
            raise Overtaken(SAME_TWICE) from None

    def _fresh(self, key: str, line: bytes) -> dict[str, object] | None:
        """The row of a line that was not there; None for one that the bot would not write, but was there once and is again."""
        try:
            return lines.check(line)
        except ValueError:
            row = lines.loose(line)
            if not odd.is_text(row.get("id")) or not self._is_forgotten(key, str(row["id"]), line):
                return checked(line)
        if odd.is_text(row[odd.CHANGED]):
            self._set(str(row["id"]), {odd.CHANGED: row[odd.CHANGED]})
        self._set(str(row["id"]), {"is_deleted": 0})
        self.db.execute(_REINDEX, [row["id"]])
        return None

    def _is_forgotten(self, key: str, name: str, line: bytes) -> bool:
        """Whether a forgotten row of the scope says this line."""
        where = f"{_SCOPE} AND is_deleted <> 0 AND id = ?"
        return odd.said(line) in self._all_said(where, as_sql(key), name)

    def append(self, key: str, rows: Sequence[Mapping[str, object]]) -> None:
        """New entries of a scope. One whose id is known was added before, whatever became of it. Raises WriteFailed."""
        known = {str(state["id"]) for state in self._states(str(row["id"]) for row in rows)}
        try:
            self.insert(key, [row for row in rows if row["id"] not in known])
        except sqlite3.IntegrityError:
            raise Overtaken(SAME_TWICE) from None

    def insert(self, key: str, rows: Sequence[Mapping[str, object]]) -> None:
        """New entries of a scope; one that was forgotten is the same entry again. Raises WriteFailed and IntegrityError."""
        known = {str(state["id"]): state for state in self._states(str(row["id"]) for row in rows)}
        for row in rows:
            content = str(row["content"])
            state = known.get(str(row["id"]))
            if state is not None and (not state["is_deleted"] or state["workspace_id"] != self.workspace):
                raise WriteFailed(TAKEN)
            if row["scope_type"] != (scopes.parts(key, self.workspace).sort or row["scope_type"]):
                raise WriteFailed(WRONG_SCOPE)
            values = {**row, "workspace_id": self.workspace, "scope_key": key, "is_deleted": 0}
            values |= _derived(content)
            if state is not None:
                self._set(str(row["id"]), values)
            else:
                names = ", ".join(values)
                marks = ", ".join(["?"] * len(values))
                self.db.execute(f"INSERT INTO {ENTRIES} ({names}) VALUES ({marks})", list(values.values()))
            self.db.execute(_INDEX, [row["id"], lines.normal(content)])

    def _forget(self, ids: Sequence[str], now: str) -> None:
        if ids:
            wanted = json.dumps(ids)
            # The bot's unique index counts forgotten entries too: it takes one of them for each text.
            self.db.execute(_TOMBSTONES, [wanted])
            self.db.execute(_FORGET, [now, wanted])
            unindex(self.db, {str(state["id"]): lines.normal(str(state["content"])) for state in self._states(ids)})

    def _change(self, rows: Sequence[Mapping[str, object]]) -> None:
        if not rows:
            return
        states = {str(state["id"]): state for state in self._states(str(row["id"]) for row in rows)}
        for name in states:  # two entries may take each other's text
            self._set(name, {"content_hash": MARK + name})
        reworded = []
        for row in rows:
            name, content = str(row["id"]), str(row["content"])
            if states[name]["content"] == content:
                self._set(name, {**row, "content_hash": states[name]["content_hash"]})
                self._note_said(name, str(states[name]["updated_at"]), str(row["updated_at"]))
            else:
                self._set(name, {**row, **_derived(content)})
                reworded.append((name, lines.normal(content)))
        unindex(self.db, {name: lines.normal(str(states[name]["content"])) for name, _ in reworded})
        self.db.executemany(_INDEX, reworded)

    def _note_said(self, name: str, before: str, now: str) -> None:
        """What is said again counts as read, too, as the bot has it."""
        if now > before:
            self.db.execute(_ACCESS, [now, name, now])

    def _states(self, ids: Iterable[str]) -> list[sqlite3.Row]:
        return self.db.execute(_STATES, [json.dumps(list(ids))]).fetchall()

    def _set(self, name: str, values: Mapping[str, object]) -> None:
        to = ", ".join(f"{column} = ?" for column in values)
        self.db.execute(f"UPDATE {ENTRIES} SET {to} WHERE id = ?", [*values.values(), name])

    def lies_at(self, place: str) -> None:
        """Remember where the workspace lies ("" for unknown): once it is moved its entries are found by nobody, and this tells
        whose they were."""
        if place:
            key = f"workspace:{self.workspace}:path"
            self.db.execute(
                f"INSERT OR IGNORE INTO {META} (key, value) VALUES (?, CAST(? AS TEXT))", [key, as_sql(place)]
            )

    def note(self, slot: str, value: str) -> None:
        """Remember, in the same transaction, that a write took place."""
        self.db.execute(f"INSERT OR REPLACE INTO {META} (key, value) VALUES (?, ?)", [MARK + slot, value])

    def noted(self) -> list[str]:
        """The slots of which something is noted."""
        found = self.db.execute(f"SELECT key FROM {META} WHERE key GLOB ?", [f"{MARK}*"]) if self.is_writable else ()
        return [str(row[0]).removeprefix(MARK) for row in found]

    def clear(self, slot: str) -> None:
        self.db.execute(f"DELETE FROM {META} WHERE key = ?", [MARK + slot])


def checked(line: bytes) -> dict[str, object]:
    """The row of a line that is to be written. Raises WriteFailed."""
    try:
        return lines.check(line)
    except ValueError as error:
        raise WriteFailed(
            say("A line isn’t a row the bot could have written: %(error)s. Nothing was changed.", error=str(error))
        ) from None


def as_sql(key: str) -> bytes:
    """A text that may be no UTF-8, to be cast."""
    return key.encode("utf-8", "surrogateescape")


def _derived(content: str) -> dict[str, object]:
    return {"content_norm": lines.normal(content), "content_hash": lines.content_hash(content)}
