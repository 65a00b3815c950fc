"""What status, search and reindex say of a nanobot; and every command over a database that is newer, locked, gone or nowhere."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from functools import partial

import pytest

from memory.dialects.nanobot import family
from memory.dialects.nanobot.database import vault
from memory.models import ChangeSet
from tests.dialects.nanobot import golden
from tests.dialects.nanobot.commands import over

pytestmark = pytest.mark.django_db(transaction=True)

HERE = ("--channel", "telegram", "--chat-id", "123")
WRITING = (
    ("add", "-t", "we ship on Fridays", "-k", "decision"),
    ("prune", "--kind", "decision", "--yes"),
    ("backfill",),
)
READING = (
    ("prune", "--kind", "decision"),
    ("backfill", "--dry-run"),
    ("search", "deploy", "--scope", "all"),
    ("why", "deploy"),
)


def tell(file, *statements):
    with closing(sqlite3.connect(file)) as db:
        for sql in statements:
            db.executescript(sql)
        db.commit()


def test_status_says_what_nanobot_says(commands):
    told = commands.json("status")
    assert told["documents"] > 0
    assert told["nanobot"] == {
        **{"enabled": True, "backend": "sqlite_fts", "wal_enabled": True, "db_path": str(commands.file)},
        **{"state_dir": "memory/session-state", "total_active": 8, "total_deleted": 1, "wal_files": 1},
        **{"backfill_marker": None, "elsewhere": 0, "writable": True},
        "by_kind": {"decision": 4, "fact": 3, "preference": 1},
        "by_scope": {"chat": 4, "global": 1, "user": 3},
    }
    _, _, text = commands.text("status").partition("\n\n")
    assert (
        text
        == f"""Memory Status
enabled: true
backend: sqlite_fts
wal_enabled: true
db_path: {commands.file}
state_dir: memory/session-state
total_active: 8
total_deleted: 1
wal_files: 1
backfill_marker: (not set)

By Kind
decision    4
fact        3
preference  1

By Scope
chat    4
global  1
user    3
"""
    )
    commands.text("backfill")
    assert "backfill_marker: done" in commands.text("status")


def test_status_reads_the_bots_own_file(there):
    said = {"memory": {"enabled": False, "backend": "reserved_hybrid", "wal": {"enabled": False}}}
    (there[0].parent / "config.json").write_text(json.dumps(said))
    told = over(*there).json("status")["nanobot"]
    assert (told["enabled"], told["backend"], told["wal_enabled"]) == (False, "reserved_hybrid", False)


def test_status_of_another_bot_says_nothing_of_it(tmp_path, commands):
    (tmp_path / "keno").mkdir()
    (tmp_path / "keno" / "MEMORY.md").write_text("- Likes tea\n")
    other = over(tmp_path / "keno", commands.file)
    assert "nanobot" not in other.json("status")
    assert "own_index" not in other.json("reindex")
    for words in (*WRITING, *READING):
        refused = other.refused(*words)
        if words[0] in ("add", "backfill", "why"):
            said = f"`memory {words[0]}` is for bots of the type nanobot (SQLite memory), and this bot isn’t one. One that is"
            assert refused == f"{said}: --bot {commands.bot.slug}."
        else:
            assert refused == f"This bot doesn’t keep entries. A bot that does: --bot {commands.bot.slug}."


def test_search_in_named_scopes_ranks_as_the_bot_does(commands):
    told = commands.json("search", "-q", "deploy", *HERE)
    found = {hit["text"]: hit for hit in told["hits"]}
    assert set(found) == {
        *("we decided to deploy on Fridays", "do not deploy on Mondays", "my name is Ana, and I deploy ships"),
    }
    best = told["hits"][0]
    parts = 0.65 * best["fit"] + 0.2 * best["importance"] + 0.15 * best["recency"]
    assert best["score"] == pytest.approx(parts, abs=1e-3)
    assert {"path", "line", "text", "score", "why"} <= best.keys()
    assert [hit["text"] for hit in told["hits"] if hit["expired"]] == ["do not deploy on Mondays"]
    assert [hit["score"] for hit in told["hits"]] == sorted((hit["score"] for hit in told["hits"]), reverse=True)


def test_the_table_of_a_search(commands):
    head, *found = commands.text("search", "--query", "postgres", "--scope", "all").splitlines()
    assert head.split() == ["SCORE", "KIND", "SCOPE", "UPDATED", "CONTENT"]
    assert sorted(row.split(maxsplit=4)[1:] for row in found) == [
        ["decision", "chat", "2026-01-01T10:00:01", "let's use Postgres for the shop"],
        ["fact", "global", "2026-01-01T10:00:08", "a blob about Postgres"],
    ]
    assert commands.text("search", "-q", "nothing-like-it", "--scope", "all") == "No memory hits.\n"


@pytest.mark.parametrize(
    ("words", "scopes"),
    [
        (("--scope", "all"), {"chat", "user", "global"}),
        (("--scope", "chat", *HERE), {"chat"}),
        (("--scope", "global"), {"global"}),
        (("--kind", "preference"), {"user"}),
        (("--scope", "user", *HERE), {"user"}),
        ((*HERE,), {"chat", "user", "global"}),
    ],
)
def test_which_scopes_a_search_looks_through(commands, words, scopes):
    told = commands.json("search", "short", "postgres", "deploy", "-n", "100", *words)
    assert {hit["scope_type"] for hit in told["hits"]} == scopes
    if "telegram" in words:
        assert not [hit for hit in told["hits"] if "secret" in hit["text"]]


def test_search_elsewhere_is_as_for_every_bot(commands):
    told = commands.json("search", "postgres")
    assert told == commands.json("search", "-q", "postgres")
    assert {hit["path"] for hit in told["hits"]} == {"@database/telegram_123.jsonl", "@database/global.jsonl"}
    assert all(hit["why"]["said"] == "says postgres" for hit in told["hits"])
    assert len(commands.json("search", "postgres", "-n", "1")["hits"]) == 1
    assert "once" in commands.refused("search")
    assert "once" in commands.refused("search", "tea", "-q", "tea")
    for words in ((), ("--scope", "all"), ("--channel", "telegram", "--chat-id", "123")):
        assert "1 to 100" in commands.refused("search", "tea", "-n", "101", *words)
        commands.json("search", "tea", "-n", "100", *words)
    assert "can’t be combined with" in commands.refused("search", "tea", "--chat", "telegram_123", "--scope", "all")
    assert "need --channel" in commands.refused("search", "tea", "--chat-id", "123")


@pytest.mark.parametrize(
    "words",
    [("--scope", "chat"), ("--scope", "user"), ("--scope", "chat", "--channel", "telegram", "--sender-id", "5")],
)
def test_a_search_refuses_the_scope_of_nobody_in_particular_as_prune_does(commands, words):
    refused = commands.refused("search", "deploy", *words)
    assert "without them" in refused
    assert commands.refused("prune", *words) == f"{refused} Nothing was changed."


def test_reindex_mends_the_bots_own_index_and_says_so_in_the_history(commands):
    before = commands.file.read_bytes()
    told = commands.json("reindex")
    assert told["own_index"] == {"entries": 8, "mended": 0, "was_damaged": False}
    assert commands.file.read_bytes() == before
    assert not ChangeSet.objects.filter(kind="edit").exists()
    tell(commands.file, "DELETE FROM memory_entries_fts WHERE content LIKE '%deploy%'")
    text = commands.text("reindex")
    assert text.endswith("The bot's search index holds 8 entries; 3 had to be repaired.\n")
    golden.check(commands.file)
    made = ChangeSet.objects.get(kind="edit")
    assert made.why == "Repaired 3 entries in the bot’s search index"
    assert made.by == "command line"
    assert commands.text("undo", made.pk) == "Nothing had to change.\n"


def test_a_newer_database_is_read_and_not_written(commands):
    at = "'2026-01-01T00:00:00+00:00'"
    of = golden.workspace_id(commands.workspace)
    of_chat = f"'{of}', 'channel:telegram:chat:123', 'decision', 'semantic'"
    tell(
        commands.file,
        golden.NEWER,
        f"INSERT INTO memory2_nodes VALUES ('n', {of_chat}, 'to deploy', 0.5, 0.9, 'en', {at}, NULL, {at}, {at}, 0)",
    )
    before = golden.entries(commands.file)
    for words in WRITING:
        assert "newer nanobot" in commands.refused(*words)
    assert commands.json("prune", "--kind", "decision")["entries"] == 1
    assert commands.json("search", "deploy", "--kind", "decision")["hits"][0]["text"] == "to deploy"
    told = commands.json("status")["nanobot"]
    assert (told["total_active"], told["writable"], told["by_kind"]) == (1, False, {"decision": 1})
    assert "reads it but doesn’t write to it" in commands.text("status")
    done = commands("reindex", "--json")
    assert (done.code, done.json["own_index"]["entries"]) == (1, None)
    assert "newer nanobot" in done.err
    assert golden.entries(commands.file) == before


def test_a_bot_that_stays_in_its_transaction_is_waited_for_and_said(commands, monkeypatch):
    monkeypatch.setattr(family, "RowsVault", partial(vault.RowsVault, patience=0.2))
    tell(commands.file, "DELETE FROM memory_entries_fts")
    before = golden.entries(commands.file)
    with closing(sqlite3.connect(commands.file)) as db:
        db.execute("BEGIN IMMEDIATE")
        for words in (*WRITING, ("reindex",)):
            said = commands.refused(*words)
            assert "the bot was writing to it for too long" in said
            assert "Nothing was changed" in said
        for words in (*READING, ("status",)):
            commands.text(*words)
    assert golden.entries(commands.file) == before
    assert commands.json("reindex")["own_index"]["mended"] == 8


def test_a_database_that_is_gone_is_said(commands):
    commands.file.unlink()
    for words in (*WRITING, *READING, ("reindex",), ("status",)):
        assert "The bot’s database is missing. Its disk may not be mounted." in commands.refused(*words)
    done = commands("status", "--json")
    assert (done.json["documents"] > 0, done.json["nanobot"]["total_active"]) == (True, None)


def test_a_file_that_is_no_database_is_said(commands):
    commands.file.write_bytes(b"no database at all, but long enough to be read as one" * 40)
    for words in (*WRITING, *READING, ("reindex",), ("status",)):
        said = commands.refused(*words)
        assert "it is damaged or not an SQLite database" in said


def test_a_workspace_of_which_no_database_is_known(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    workspace = tmp_path / "alone"
    (workspace / "memory/semantic").mkdir(parents=True)
    (workspace / "memory/semantic/facts.md").write_text("# Facts\n\n- [2026-01-01 10:00:00 UTC] my name is Ana\n")
    commands = over(workspace, tmp_path / "none")
    assert commands.bot.dialect == "nanobot"
    for words in (*WRITING, *READING, ("reindex",), ("status",)):
        assert "No database found for this bot" in commands.refused(*words)
