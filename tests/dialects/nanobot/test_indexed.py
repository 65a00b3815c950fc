"""Entries leave the bot's search index, wherever in it they are by now."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing

import pytest

from memory.dialects.nanobot.database import indexed
from tests.dialects.nanobot import golden
from tests.support.amounts import times

MANY = 60


@pytest.fixture
def db(tmp_path):
    rows = [golden.row(f"entry {n} about tea", "0" * 16, n=n) for n in range(MANY)]
    with closing(sqlite3.connect(golden.make(tmp_path / "longterm.db", rows))) as found:
        found.row_factory = sqlite3.Row
        yield found


def said(db, some=None):
    found = dict(db.execute("SELECT id, content_norm FROM memory_entries").fetchall())
    return {name: found[name] for name in (found if some is None else some)}


def there(db):
    return {row["entry_id"] for row in db.execute("SELECT entry_id FROM memory_entries_fts")}


def lay_anew(db, dice):
    """As if the bot had written all of them again, in another order: each number is another entry's."""
    rows = [tuple(row) for row in db.execute("SELECT entry_id, content FROM memory_entries_fts")]
    dice.shuffle(rows)
    db.execute("DELETE FROM memory_entries_fts")
    db.executemany("INSERT INTO memory_entries_fts (entry_id, content) VALUES (?, ?)", rows)


@pytest.mark.parametrize("seed", range(times(4, 10)))
def test_those_and_no_others_leave_it_though_their_rows_are_elsewhere_by_now(db, seed):
    dice, left = random.Random(seed), there(db)
    while left:
        some = dice.sample(sorted(left), min(dice.choice([1, 2, 5, 9]), len(left)))
        indexed.unindex(db, said(db, some))
        left -= set(some)
        assert there(db) == left
        if dice.random() < 0.5:
            lay_anew(db, dice)


def test_one_that_says_other_words_there_leaves_it_too(db):
    db.execute("UPDATE memory_entries_fts SET content = 'coffee'")
    for some in (sorted(there(db))[:1], sorted(there(db))[1:9], sorted(there(db))[9:10]):
        indexed.unindex(db, said(db, some))
        assert not there(db) & set(some)
    assert len(there(db)) == MANY - 10


def test_an_entry_that_stands_there_twice_leaves_it_wholly(db):
    name = min(there(db))
    db.execute(
        "INSERT INTO memory_entries_fts (entry_id, content) SELECT entry_id, content FROM memory_entries_fts WHERE entry_id = ?",
        [name],
    )
    indexed.unindex(db, said(db, sorted(there(db))[:5]))
    assert name not in there(db)
    assert len(there(db)) == MANY - 5
