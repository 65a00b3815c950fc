"""A database as a whole: what it holds, the mark of its import, and a search index that is mended while the bot goes on."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from memory.dialects.nanobot.database import whole
from memory.dialects.nanobot.database.vault import RowsVault
from memory.domain.errors import WriteFailed
from tests.dialects.nanobot import golden

INDEX = "memory_entries_fts"


def tell(file, *statements):
    with closing(sqlite3.connect(file)) as db:
        for sql in statements:
            db.execute(sql)
        db.commit()


def test_what_it_holds(vault, file, of):
    with closing(sqlite3.connect(file)) as db:
        golden.insert(db, golden.row("gone", of, n=9, is_deleted=1))
        golden.insert(db, {**golden.row("odd", of, n=10), "scope_key": "elsewhere"})
        db.commit()
    found = whole.holding(vault)
    assert (found.active, found.deleted, found.elsewhere, found.marker) == (6, 1, 1, "")
    assert found.kinds == {"decision": 2, "fact": 3, "preference": 1}
    assert found.scopes == {"chat": 2, "global": 1, "other": 1, "user": 2}
    assert found.is_writable
    assert whole.forgotten(vault) == {("fact", "gone")}


def test_the_mark_of_an_import_is_set_once(vault, file, of):
    assert whole.mark_taken_in(vault)
    assert golden.meta(file) == {f"workspace:{of}:backfill:v1": "done"}
    before = file.read_bytes()
    assert not whole.mark_taken_in(vault)
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("damage", "mended"),
    [
        ((f"DELETE FROM {INDEX}",), 6),
        ((f"DELETE FROM {INDEX} WHERE content LIKE '%postgres'",), 1),
        ((f"UPDATE {INDEX} SET content = 'nothing' WHERE content LIKE '%postgres'",), 1),
        ((f"INSERT INTO {INDEX} SELECT entry_id, content FROM {INDEX} LIMIT 2",), 2),
        ((f"INSERT INTO {INDEX} VALUES ('nobody', 'of no entry')",), 1),
        (("UPDATE memory_entries SET is_deleted = 1 WHERE kind = 'decision'",), 2),
    ],
)
def test_an_index_that_says_something_else_is_mended(vault, file, damage, mended):
    tell(file, *damage)
    assert whole.refill(vault, portion=2) == whole.Refilled(6 if "is_deleted" not in damage[0] else 4, mended, False)
    golden.check(file)
    assert whole.refill(vault).mended == 0


@pytest.mark.parametrize("table", ["data", "docsize"])
def test_an_index_that_is_broken_is_made_anew(vault, file, table):
    tell(file, f"UPDATE {INDEX}_{table} SET {'block' if table == 'data' else 'sz'} = zeroblob(20) WHERE id > 1")
    assert whole.refill(vault) == whole.Refilled(6, 0, True)
    golden.check(file)


def test_a_sound_index_is_not_touched(vault, file):
    before = {path.name: path.read_bytes() for path in file.parent.iterdir()}
    assert whole.refill(vault) == whole.Refilled(6, 0, False)
    assert {path.name: path.read_bytes() for path in file.parent.iterdir()} == before


def test_a_bot_that_stays_in_its_transaction_is_waited_for_and_said(file, of):
    tell(file, f"DELETE FROM {INDEX}")
    with closing(sqlite3.connect(file)) as db:
        db.execute("BEGIN IMMEDIATE")
        with pytest.raises(WriteFailed, match="the bot was writing to it for too long"):
            whole.refill(RowsVault(file, of, patience=0.1))
    assert whole.refill(RowsVault(file, of)).mended == 6
