"""What rows of a database say besides their facts is in the index, by difference, and goes with them."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from memory import index, registry
from memory.models import Document, Fact, FactAttributes
from memory.models.index import clear_index
from tests.dialects.nanobot import golden, home

pytestmark = pytest.mark.django_db


@pytest.fixture
def there(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    return home.make(tmp_path / ".nanobot")


def told():
    found = FactAttributes.objects.select_related("fact")
    return {row.fact.text: (row.kind, row.whose, row.source, row.importance, row.confidence) for row in found}


def write(file, change, where, *values):
    """As the bot does it: what it changes says when."""
    with closing(sqlite3.connect(file)) as db:
        at = "updated_at = '2026-02-02T00:00:00+00:00'"
        db.execute(f"UPDATE memory_entries SET {at}, {change} WHERE {where}", values)
        db.commit()


def test_each_entry_has_its_row(bot):
    assert told() == {
        "let's use Postgres for the shop": ("decision", "chat", "auto_heuristic", 0.9, 0.88),
        "we decided to deploy on Fridays": ("decision", "chat", "auto_heuristic", 0.9, 0.88),
        "do not deploy on Mondays": ("decision", "chat", "auto_heuristic", 0.8, 0.88),
        "i prefer short answers": ("preference", "user", "auto_heuristic", 0.85, 0.88),
        "my name is Ana, and I deploy ships": ("fact", "user", "auto_heuristic", 0.8, 0.88),
        "let's use SQLite for the secret plan": ("decision", "chat", "auto_heuristic", 0.8, 0.88),
        "i am in Berlin with a secret": ("fact", "user", "auto_heuristic", 0.8, 0.88),
        "a blob about Postgres": ("fact", "global", "import", 0.8, 0.88),
    }
    assert all(row.document_id == row.fact.document_id for row in FactAttributes.objects.select_related("fact"))


def test_rows_follow_what_the_bot_writes(bot, there):
    before = Fact.objects.get(text="i prefer short answers").pk
    write(
        there[1],
        "importance = 0.99, expires_at = NULL",
        "content LIKE 'i prefer%'",
    )
    write(
        there[1],
        "is_deleted = 1",
        "content LIKE 'we decided%'",
    )
    index.refresh(bot, patience=5)
    row = FactAttributes.objects.get(pk=before)
    assert (row.importance, row.expires) == (0.99, FactAttributes.NEVER)
    assert "we decided to deploy on Fridays" not in told()
    assert FactAttributes.objects.count() == 7


def test_rows_are_made_anew_with_the_index_and_go_with_their_documents(bot, there):
    before = told()
    clear_index(bot)
    assert not FactAttributes.objects.exists()
    index.refresh(bot, patience=5)
    assert told() == before
    write(
        there[1],
        "is_deleted = 1",
        "scope_key LIKE '%user:999'",
    )
    index.refresh(bot, patience=5)
    assert not Document.objects.filter(scope="telegram:user:999").exists()
    assert FactAttributes.objects.count() == 7


def test_what_json_says_and_sql_cannot_is_nothing(bot, there):
    write(
        there[1],
        "importance = 9e999, kind = ?",
        "content LIKE 'i prefer%'",
        "k" * 99,
    )
    index.refresh(bot, patience=5)
    row = FactAttributes.objects.get(fact__text="i prefer short answers")
    assert (row.importance, row.kind) == (0, "k" * 40)


def test_many_entries_of_one_scope_all_have_rows(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    workspace = tmp_path / ".nanobot" / "workspace"
    of = golden.workspace_id(workspace)
    some = [
        golden.row(f"entry {number}", of, n=number % 3600, day=f"2026-01-{number // 3600 + 1:02}")
        for number in range(4100)
    ]
    home.make(tmp_path / ".nanobot", more=some)
    bot = registry.add(workspace)
    index.refresh(bot, patience=5)
    assert (
        FactAttributes.objects.count() == Fact.objects.filter(document__path__startswith="@database/").count() == 4108
    )
