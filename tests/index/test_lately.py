"""A long document of entries is compared with its rows only where it changed, and its rows are those of an index made anew."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from contextlib import closing, suppress
from copy import copy

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import index
from memory.dialects.nanobot import entries
from memory.index import recent_versions
from memory.models import Document, Fact, FactAttributes
from tests.dialects.nanobot import golden
from tests.support.amounts import times

pytestmark = pytest.mark.django_db
MANY = recent_versions.LONG + 50
PATH = "@database/telegram_123.jsonl"
ALIKE = "run {} of the nightly job"
REWORD = "UPDATE memory_entries SET content = content || ' and milk', updated_at = ? WHERE content LIKE ?"
SAID = (
    "updated_at = '2026-03-{:02}T10:00:00+00:00', importance = 0.9{}",
    "expires_at = NULL, updated_at = '2026-04-{:02}T00:00:00'",
)


def named(number):
    return "".join("abcdefghij"[int(digit)] for digit in str(number))


@pytest.fixture
def there(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    workspace = tmp_path / ".nanobot" / "workspace"
    (workspace / "memory" / "session-state").mkdir(parents=True)
    of = golden.workspace_id(workspace)
    texts = (ALIKE.format(n) if n % 50 < 8 else f"entry {named(n)} is about tea" for n in range(MANY))
    rows = [golden.row(text, of, n=n, kind=("fact", "decision")[n % 2]) for n, text in enumerate(texts)]
    return workspace, golden.make(tmp_path / ".nanobot" / "memory" / "longterm.db", rows), of


def told():
    """All that the index says of the entries, without the keys of rows."""
    facts = {}
    for row in Fact.objects.values():
        facts[row.pop("id")] = {
            name: value for name, value in row.items() if name not in ("id", "bot_id", "document_id")
        }
    rows = {row.pop("fact_id"): row for row in FactAttributes.objects.values()}
    documents = {
        row.path: (row.size, row.sha256, row.tokens, row.facts_count, row.ctime_ns) for row in Document.objects.all()
    }
    assert rows.keys() <= facts.keys()
    kept = ("kind", "whose", "source", "importance", "confidence", "created", "updated", "expires")
    merged = [{**fact, "row": [rows.get(pk, {}).get(name) for name in kept]} for pk, fact in facts.items()]
    return documents, sorted(merged, key=lambda one: (one["ordinal"], one["key"], one["nth"]))


def anew(bot):
    """The same of an index that is made of the files with nothing remembered."""
    forget()
    index.reindex(bot)
    return told()


def forget():
    """As another process would come to it."""
    recent_versions._saved.clear()
    entries._last.clear()
    entries._read.cache_clear()


def add(db, row):
    with suppress(sqlite3.IntegrityError):
        golden.insert(db, row)


def edit(db, of, dice, step):
    """Something that the bot or somebody with SQL does to a few rows, anywhere."""
    some = [
        name for (name,) in db.execute("SELECT id FROM memory_entries WHERE is_deleted = 0 ORDER BY created_at, id")
    ]
    one = dice.choice(some)
    match dice.choice(["add", "add", "say again", "reword", "alike", "forget", "double", "early", "kind", "many"]):
        case "add":
            add(db, golden.row(f"added {step}", of, day="2026-02-01", n=step))
        case "say again":
            db.execute(
                f"UPDATE memory_entries SET {dice.choice(SAID).format(step % 28 + 1, step % 10)} WHERE id = ?", [one]
            )
        case "reword":
            db.execute(
                "UPDATE memory_entries SET content = ?, content_hash = ? WHERE id = ?",
                [f"new words {step}", str(step), one],
            )
        case "alike":
            at = dice.randrange(len(some) - 4)
            for n, name in enumerate(some[at : at + 4]):
                text = ALIKE.format(1000 + step * 10 + n)
                db.execute("UPDATE memory_entries SET content = ?, content_hash = ? WHERE id = ?", [text, text, name])
        case "forget":
            db.execute("UPDATE OR IGNORE memory_entries SET is_deleted = 1 WHERE id = ?", [one])
        case "double":
            (text,) = db.execute("SELECT content FROM memory_entries WHERE id = ?", [one]).fetchone()
            day = dice.choice(["2025-01-01", "2026-02-02"])
            add(db, golden.row(text, of, kind="episodic", day=day, n=step))
        case "early":
            add(db, golden.row(f"before all {step}", of, day="2025-01-01", n=step))
        case "kind":
            db.execute("UPDATE OR IGNORE memory_entries SET kind = 'preference' WHERE id = ?", [one])
        case "many":
            gone = json.dumps(dice.sample(some, 20))
            db.execute("DELETE FROM memory_entries WHERE id IN (SELECT value FROM json_each(?))", [gone])


@pytest.mark.parametrize("seed", range(times(2, 4)))
@pytest.mark.slow
def test_what_is_compared_in_part_is_what_an_index_made_anew_says(bot, there, seed):
    dice = random.Random(seed)
    for step in range(10):
        with closing(sqlite3.connect(there[1])) as db:
            for number in range(dice.randint(1, 3)):
                edit(db, there[2], dice, step * 3 + number)
            db.commit()
        index.refresh(bot, patience=5)
        found = told()
        if step % 3 == 2:
            assert found == anew(bot)


@pytest.fixture
def one_more(there):
    """The bot adds an entry."""
    with closing(sqlite3.connect(there[1])) as db:
        add(db, golden.row("one more", there[2], day="2026-02-01"))
        db.commit()


@pytest.mark.parametrize("remembers", [True, False])
def test_one_more_entry_is_compared_with_few_rows_and_leaves_the_others(bot, one_more, remembers):
    """What this process does not remember, because another one saved it, the history does."""
    before = dict(Fact.objects.values_list("text", "pk"))
    if not remembers:
        forget()
    with CaptureQueriesContext(connection) as asked:
        index.refresh(bot, patience=5)
    after = dict(Fact.objects.values_list("text", "pk"))
    assert after.items() > before.items()
    assert after.keys() - before.keys() == {"one more"}
    bounds = [int(first) for one in asked for first in re.findall(r'"memory_fact"."ordinal" >= (\d+)', one["sql"])]
    assert bounds
    assert min(bounds) >= MANY - 10
    assert told() == anew(bot)


@pytest.mark.parametrize("remembers", [True, False])
def test_a_look_at_a_very_large_document_takes_in_what_is_little(bot, one_more, monkeypatch, remembers):
    monkeypatch.setitem(index.look.__globals__, "BYTES_AT_A_LOOK", 10_000)
    if not remembers:
        forget()
    index.look_all(bot, [PATH])
    assert Fact.objects.filter(text="one more").exists()
    assert told() == anew(bot)


def test_a_look_at_a_very_large_document_notes_once_what_is_much(bot, there, monkeypatch):
    monkeypatch.setitem(index.look.__globals__, "BYTES_AT_A_LOOK", 10_000)
    with closing(sqlite3.connect(there[1])) as db:
        for number in range(MANY // 2):
            add(db, golden.row(f"of many {named(number)}", there[2], day="2026-02-01", n=number))
        db.commit()
    found = index.look(bot, PATH)
    assert b"of many" in found.data
    assert not Fact.objects.filter(text__startswith="of many").exists()
    bot.refresh_from_db()
    before = bot.indexed
    with CaptureQueriesContext(connection) as asked:
        index.look_all(bot, [PATH])
        assert index.look(bot, PATH).sha256 == found.sha256
    assert not [one["sql"] for one in asked if "memory_document" in one["sql"] and not one["sql"].startswith("SELECT")]
    bot.refresh_from_db()
    assert bot.indexed == before
    index.refresh(bot, patience=5)
    assert told() == anew(bot)


def test_rows_that_are_lost_meanwhile_are_made_anew(bot, one_more):
    Fact.objects.filter(text__contains="tea").first().delete()
    index.refresh(bot, patience=5)
    assert told() == anew(bot)


def test_what_another_process_saved_since_is_not_taken_for_what_is_remembered_here(bot, there):
    """Here is remembered the version before; the index has one between."""
    remembered = copy(recent_versions._saved._all)
    for step in range(2):
        with closing(sqlite3.connect(there[1])) as db:
            db.execute(REWORD, [f"2026-05-0{step + 1}", f"entry {'bc'[step]}%"])
            db.commit()
        recent_versions._saved._all = copy(remembered)
        index.refresh(bot, patience=5)
    assert told() == anew(bot)
