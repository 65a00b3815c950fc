"""A scan costs what changed: it reads the rows of scopes of which the bot's own indexes say something else."""

from __future__ import annotations

import math
import os
import random
import shutil
import sqlite3
from contextlib import closing
from types import SimpleNamespace

import pytest

from memory.dialects.nanobot.database import looks
from memory.dialects.nanobot.database.table import Table
from memory.dialects.nanobot.database.vault import RowsVault
from memory.domain.changes import digest
from memory.storage import Content, Stat
from tests.dialects.nanobot import golden
from tests.dialects.nanobot.golden import tell
from tests.support.amounts import times

CHAT, USER = "telegram_123.jsonl", "telegram:user:55.jsonl"
TEXT = "UPDATE memory_entries SET content = 'LET''S use Postgres' WHERE content = 'let''s use Postgres'"


def stats(vault):
    return {one.path: one.stat for one in vault.scan()}


def tick(file):
    """Wait until a write would leave another time: file systems count in ticks."""
    probe = file.parent.with_name("clock")
    while probe.touch() or probe.stat().st_mtime_ns <= file.stat().st_mtime_ns:
        pass


def changed(before, after):
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


@pytest.fixture
def read(monkeypatch):
    """The scopes whose rows were read, by key."""
    found, text = [], Table.text

    def noting(self, key):
        found.append(key)
        return text(self, key)

    monkeypatch.setattr(Table, "text", noting)
    return found


@pytest.mark.parametrize(
    ("sql", "path"),
    [
        (
            "UPDATE memory_entries SET importance = 0.99, updated_at = '2026-05-05T00:00:00+00:00' WHERE kind = 'decision'",
            CHAT,
        ),
        (
            "UPDATE memory_entries SET is_deleted = 1, updated_at = '2026-05-05T00:00:00+00:00' WHERE content LIKE 'i p%'",
            USER,
        ),
        ("UPDATE memory_entries SET is_deleted = 1 WHERE content LIKE 'i p%'", USER),
        ("DELETE FROM memory_entries WHERE content LIKE 'i p%'", USER),
        ("DELETE FROM memory_entries WHERE scope_type = 'user'", USER),
        (
            "UPDATE memory_entries SET content = 'x', content_norm = 'x', content_hash = 'y' WHERE content LIKE 'i p%'",
            USER,
        ),
        ("UPDATE memory_entries SET kind = 'episodic' WHERE content LIKE 'i p%'", USER),
        ("UPDATE memory_entries SET workspace_id = 'elsewhere' WHERE scope_type = 'global'", "global.jsonl"),
        (
            "INSERT INTO memory_entries SELECT 'new', workspace_id, scope_type, 'channel:x:chat:1', channel, chat_id, sender_id,"
            " kind, content, content_norm, content_hash, importance, confidence, source, source_message_id, source_role,"
            " meta_json, created_at, updated_at, last_accessed_at, expires_at, 0 FROM memory_entries WHERE content LIKE 'we%'",
            "x_1.jsonl",
        ),
    ],
)
def test_what_the_bot_does_is_seen_at_once_and_no_other_scope_is_read(vault, file, read, sql, path):
    before = stats(vault)
    read.clear()
    tell(file, sql)
    after = stats(vault)
    assert changed(before, after) == {path}
    assert len(read) == (path in after)
    assert after == {name: vault.stat(name) for name in after}


def test_rows_that_move_to_another_scope_change_both(vault, file):
    before = stats(vault)
    tell(file, "UPDATE memory_entries SET scope_key = 'channel:telegram:chat:9' WHERE content = 'we will use HTMX'")
    assert changed(before, stats(vault)) == {CHAT, "telegram_9.jsonl"}


def test_that_a_row_was_read_changes_nothing(vault, file, read):
    before = stats(vault)
    read.clear()
    tell(file, "UPDATE memory_entries SET last_accessed_at = '2026-05-05T00:00:00+00:00'")
    assert stats(vault) == before
    assert read == []


@pytest.mark.parametrize("column", ["content", "importance", "expires_at", "meta_json"])
def test_a_row_that_somebody_rewrites_by_hand_is_seen_when_every_row_is_read_again(file, of, column):
    patient, vault = RowsVault(file, of), RowsVault(file, of, every_row=0)
    before = stats(patient)
    tell(file, f"UPDATE memory_entries SET {column} = '[]' WHERE content = 'let''s use Postgres'")
    assert stats(patient) == before
    assert patient.stat(CHAT) != before[CHAT]
    assert changed(before, stats(vault)) == {CHAT}
    assert changed(before, stats(patient)) == {CHAT}


def test_every_row_is_read_again_only_if_somebody_wrote(vault, file, of, read, monkeypatch):
    monkeypatch.setattr(looks, "_SETTLED_NS", 0)
    hasty = RowsVault(file, of, every_row=0)
    stats(hasty)
    read.clear()
    stats(hasty)
    assert read == []
    tick(file)
    tell(file, TEXT)
    stats(vault)
    assert read == []
    stats(hasty)
    assert len(read) == 3


def test_what_we_write_ourselves_is_seen_at_once(vault, file, read):
    before = stats(vault)
    data = vault.read(CHAT).data
    after = data.replace(b'"importance": 0.8', b'"importance": 0.3')
    assert after != data
    vault.stage(CHAT, "s-0", after, None)
    vault.replace(CHAT, "s-0", after, digest(data))
    assert changed(before, stats(vault)) == {CHAT}
    assert vault.read(CHAT).data == after


def test_another_file_in_its_place_is_another_database(vault, file, of, tmp_path):
    before = stats(vault)
    other = golden.make(tmp_path / "other.db", [golden.row("i prefer tabs", of, kind="preference", of="user", n=1)])
    os.replace(other, file)
    after = stats(vault)
    assert list(after) == [USER]
    assert after[USER] != before[USER]
    assert vault.read(CHAT) is None
    shutil.copy(file, other)
    os.replace(other, file)
    assert stats(vault)[USER].inode != after[USER].inode


def test_a_text_is_kept_only_while_nobody_writes(vault, file, monkeypatch, read):
    monkeypatch.setattr(looks, "_SETTLED_NS", 0)
    first = vault.read(CHAT)
    read.clear()
    assert vault.read(CHAT) is first
    assert vault.stat(CHAT) == first.stat
    assert read == []
    tick(file)
    tell(file, TEXT)
    assert b"LET'S" in vault.read(CHAT).data
    assert b"LET'S" in RowsVault(file, vault.workspace).read(CHAT).data


def test_a_file_written_just_now_is_not_trusted(vault, file, read, monkeypatch):
    monkeypatch.setattr(looks, "_SETTLED_NS", 3600 * 10**9)
    monkeypatch.setattr(looks, "_MOMENT", 0.0)
    vault.read(CHAT)
    list(vault.scan())
    read.clear()
    vault.read(CHAT)
    assert len(read) == 1


def test_texts_are_kept_as_far_as_there_is_room():
    kept = looks.Texts(room=10)
    base, state = ("file", "workspace"), ((1, 2, 3, 4),)

    def text(size):
        return Content(b"x" * size, Stat(size, 0, 0, 0, 0))

    for name, size in (("a", 4), ("b", 4), ("a", 5), ("c", 4)):
        kept.put(base, name, looks.Seen(state, math.inf), text(size))
    assert kept.get(base, "b", state) is None
    assert kept.get(base, "a", state).stat.size == 5
    kept.put(base, "d", looks.Seen(state, math.inf), text(11))
    assert [name for name in "abcd" if kept.get(base, name, state)] == ["a", "c"]
    kept.put(base, "e", looks.Seen(state, math.inf), text(10))
    assert kept.get(base, "e", state).stat.size == 10
    assert kept.get(base, "e", (*state, (5, 6, 7, 8))) is None


def test_a_text_is_kept_no_longer_than_a_write_would_be_told(monkeypatch):
    now = 1_800_000_000 * 10**9
    clock = SimpleNamespace(time_ns=lambda: now, monotonic=lambda: now / 1e9)
    monkeypatch.setattr(looks, "time", clock)
    kept, content = looks.Texts(), Content(b"x", Stat(1, 0, 0, 0, 0))
    states = {
        name: ((1, 2, now - age_ns, now - age_ns),)
        for name, age_ns in (("now", 0), ("moment", 10**8), ("long", 3 * 10**9))
    }
    for name, state in states.items():
        kept.put(("file", "workspace"), name, looks.seen(state), content)

    def still():
        return [name for name, state in states.items() if kept.get(("file", "workspace"), name, state)]

    assert still() == ["moment", "long"]
    now += 11 * 10**8
    assert still() == ["long"]


@pytest.mark.parametrize("seed", range(times(7, 20)))
def test_any_writes_are_seen_as_if_all_had_been_read(tmp_path, of, seed):
    """Random work of a bot; after each of it the shortcut says what a look at everything says."""
    chance = random.Random(seed)
    rows = [
        golden.row(f"plan {n}", of, n=n, chat=str(n % 5), of=chance.choice(["chat", "user"]), sender=str(n % 3))
        for n in range(40)
    ]
    file = golden.make(tmp_path / "db", rows, wal=seed % 2 == 0)
    vault = RowsVault(file, of)
    stats(vault)
    for number in range(12):
        one, at = chance.choice(rows)["id"], f"2026-06-01T00:00:{number:02}+00:00"
        what = chance.choice(["say again", "forget", "remove", "new", "reword"])
        match what:
            case "say again":
                tell(file, "UPDATE memory_entries SET importance = 0.9, updated_at = ? WHERE id = ?", at, one)
            case "forget":
                tell(file, "UPDATE memory_entries SET is_deleted = 1, updated_at = ? WHERE id = ?", at, one)
            case "remove":
                tell(file, "DELETE FROM memory_entries WHERE id = ?", one)
            case "reword":
                tell(file, "UPDATE memory_entries SET content = ?, content_hash = ? WHERE id = ?", at, at, one)
            case "new":
                with closing(sqlite3.connect(file)) as db:
                    golden.insert(db, golden.row(f"new {number}", of, chat=str(chance.randrange(7)), n=number))
                    db.commit()
        everything = RowsVault(file, of, every_row=-1)
        told = stats(vault)
        looks.scans.clear()
        assert told == stats(everything), what
