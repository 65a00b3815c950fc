"""The contract of every vault, kept by one that is a database."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from memory.dialects.nanobot import home, lines, scopes
from memory.dialects.nanobot.database.vault import RowsVault
from memory.domain.changes import digest
from memory.domain.errors import RootGone, Unreadable, WriteFailed
from memory.storage import Moved, Slot, Stashed, WriteDone, sqlite
from tests.dialects.nanobot import golden
from tests.index.test_any_tree import seen
from tests.storage.conftest import opened

CHAT, USER = "telegram_123.jsonl", "telegram:user:55.jsonl"


def said(vault, path=CHAT):
    found = vault.read(path)
    return [lines.row(line)["content"] for line in lines.split(found.data)] if found else None


def line(content, *, id="11111111-2222-4333-8444-555555555555", at="2026-03-01T00:00:00+00:00", **more):
    return lines.line(
        {
            **{"id": id, "kind": "fact", "content": content, "importance": 0.8, "confidence": 1.0, "created_at": at},
            **{"updated_at": at, "expires_at": None, "source": "manual", "scope_type": "chat", **more},
        }
    )


def save(vault, path, slot, data, before=None):
    vault.stage(path, slot, data, None)
    return vault.replace(path, slot, data, None if before is None else digest(before))


def test_a_document_for_each_scope_and_none_of_other_workspaces(vault):
    found = {one.path: one for one in vault.scan()}
    assert sorted(found) == ["global.jsonl", USER, CHAT]
    assert all(one.stat == vault.stat(path) and not one.error for path, one in found.items())
    assert sorted(one.path for one in vault.listed("")) == sorted(found)
    assert vault.listed("chats") == []
    assert said(vault) == ["let's use Postgres", "we will use HTMX"]
    assert said(vault, "global.jsonl") == ["a blob of MEMORY.md"]
    assert vault.elsewhere() == 1


def test_a_line_says_all_that_the_bot_knows_of_a_row_and_nothing_it_notes_by_reading(vault, file):
    row = next(iter(golden.entries(file, "content = 'a blob of MEMORY.md'").values()))
    said_row = lines.row(vault.read("global.jsonl").data)
    assert said_row == {name: row[name] for name in lines.COLUMNS}
    before = vault.read(CHAT)
    with closing(sqlite3.connect(file)) as db:
        db.execute("UPDATE memory_entries SET last_accessed_at = '2026-05-05T00:00:00+00:00'")
        db.commit()
    assert vault.read(CHAT) == before


def test_reading_leaves_no_trace(vault, file):
    before, data = seen(file.parent), file.read_bytes()
    list(vault.scan())
    assert vault.read("nobody_1.jsonl") is None
    assert seen(file.parent) == before
    assert file.read_bytes() == data


def is_locked(file):
    """Whether another process can begin no write now."""
    begin = (
        "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None).execute('BEGIN IMMEDIATE')"
    )
    done = subprocess.run([sys.executable, "-c", begin, str(file)], capture_output=True, text=True)
    assert done.returncode == 0 or "database is locked" in done.stderr, done.stderr
    return done.returncode != 0


def test_a_look_gives_up_no_lock_of_a_write_that_is_under_way(vault, file):
    """Whoever closes a file gives up every lock that this process has on it; the bot would write into the middle of ours."""
    with sqlite.transaction(file, 5):
        assert said(vault) == ["let's use Postgres", "we will use HTMX"]
        list(vault.scan())
        assert is_locked(file)
    assert not is_locked(file)


def test_nor_does_whoever_names_the_database_to_add_a_bot_or_reads_it_by_another_name(file, of, tmp_path):
    link = tmp_path / "link.db"
    link.symlink_to(file)
    elsewhere = tmp_path / "hard.db"
    elsewhere.hardlink_to(file)
    with sqlite.transaction(file, 5):
        for name in (file, link, elsewhere):
            assert home.is_database(name)
            assert said(RowsVault(name, of)) == ["let's use Postgres", "we will use HTMX"]
        assert is_locked(file)
    assert home.is_database(file)


def test_what_the_bot_has_not_checkpointed_is_read(vault, file, of):
    with closing(sqlite3.connect(file)) as bot:
        golden.insert(bot, golden.row("a late word", of, n=50))
        bot.commit()
        assert said(vault)[-1] == "a late word"
        golden.insert(bot, golden.row("not committed", of, n=51))
        assert said(vault)[-1] == "a late word"
    assert said(vault)[-1] == "a late word"


def test_a_replacement_changes_just_the_rows_that_differ(vault, file):
    before = vault.read(CHAT).data
    rows = golden.entries(file)
    after = before.replace(b"Postgres", b"SQLite") + line("i am in Oslo")
    done = save(vault, CHAT, "s-0", after, before)
    assert done == WriteDone(vault.stat(CHAT), True)
    assert vault.read(CHAT).data == after
    golden.check(file)
    now = golden.entries(file)
    assert {key for key in rows if rows[key] != now[key]} == {
        key for key, row in rows.items() if row["content"] == "let's use Postgres"
    }
    assert len(now) == len(rows) + 1


def test_rows_that_are_left_out_are_forgotten_softly_and_can_come_back(vault, file):
    before = vault.read(CHAT).data
    first, second = lines.split(before)
    save(vault, CHAT, "s-0", second, before)
    golden.check(file)
    (gone,) = golden.entries(file, "is_deleted = 1").values()
    assert gone["content"] == "let's use Postgres"
    assert gone["updated_at"] > "2026-01-02"
    save(vault, CHAT, "s-1", before, second)
    assert vault.read(CHAT).data == before
    assert first in before
    golden.check(file)
    assert not golden.entries(file, "is_deleted = 1")


def test_an_entry_can_be_forgotten_added_and_forgotten_again(vault, file):
    for number in range(3):
        now = vault.read(CHAT)
        before = now.data
        one = line(
            "twice said", id=f"0000000{number}-2222-4333-8444-555555555555", at=f"2026-03-0{number + 1}T00:00:00+00:00"
        )
        vault.append(CHAT, one)
        assert save(vault, CHAT, f"s-{number}", before, before + one)
        golden.check(file)
    assert len(golden.entries(file, "is_deleted = 1")) == 1


def test_two_entries_may_take_each_others_text(vault, file):
    before = vault.read(CHAT).data
    after = before.replace(b"let's use Postgres", b"@").replace(b"we will use HTMX", b"let's use Postgres")
    after = after.replace(b"@", b"we will use HTMX")
    save(vault, CHAT, "s-0", after, before)
    assert said(vault) == ["we will use HTMX", "let's use Postgres"]
    golden.check(file)


def test_what_moved_on_is_not_overwritten(vault, file, of):
    before = vault.read(CHAT).data
    with closing(sqlite3.connect(file)) as bot:
        bot.execute("UPDATE memory_entries SET importance = 0.95 WHERE content LIKE '%Postgres'")
        bot.commit()
    assert save(vault, CHAT, "s-0", b"", before) == Moved(vault.read(CHAT))
    assert vault.replace(CHAT, "s-0", line("x y z"), None) == Moved(vault.read(CHAT))
    assert vault.remove("telegram_9.jsonl", "s-0", digest(before)) == Moved(None)
    assert len(said(vault)) == 2


def test_what_the_bot_added_meanwhile_stays(vault, file, of):
    before = vault.read(CHAT).data
    with closing(sqlite3.connect(file)) as bot:
        golden.insert(bot, golden.row("a late word", of, n=50))
        bot.commit()
    after = next(lines.split(before))
    vault.stage(CHAT, "s-0", after, None)
    assert isinstance(vault.replace(CHAT, "s-0", after, digest(before)), Moved)
    assert isinstance(vault.replace(CHAT, "s-0", after, digest(before), len(before)), WriteDone)
    assert said(vault) == ["let's use Postgres", "a late word"]
    assert isinstance(vault.remove(CHAT, "s-1", digest(after), len(after)), WriteDone)
    assert said(vault) == ["a late word"]
    golden.check(file)


def test_an_append_says_where_its_row_stands_and_is_made_once(vault, file):
    before = vault.read(CHAT)
    one = line("i am in Oslo")
    added = vault.append(CHAT, one)
    assert (added.offset, added.created, added.stat) == (before.stat.size, False, vault.stat(CHAT))
    vault.append(CHAT, one)
    assert said(vault)[2:] == ["i am in Oslo"]
    new = vault.append("telegram_9.jsonl", line("i am in Bergen", id="2" * 8))
    assert (new.offset, new.created) == (0, True)
    golden.check(file)


def test_what_says_the_same_is_refused_with_nothing_changed(vault, file):
    rows = golden.entries(file)
    with pytest.raises(WriteFailed, match="says the same"):
        vault.append(CHAT, line("WE WILL use HTMX", kind="decision"))
    before = vault.read(CHAT).data
    with pytest.raises(WriteFailed, match="says the same"):
        save(vault, CHAT, "s-0", before.replace(b"let's use Postgres", b"we will use htmx"), before)
    assert golden.entries(file) == rows
    golden.check(file)


@pytest.mark.parametrize(
    "data",
    [
        b"no json\n",
        b"[]\n",
        b"{}\n",
        line("no end").rstrip(b"\n"),
        line("spaced").replace(b'": ', b'":'),
        line("of no kind", kind="hunch"),
        line("of no time", at="yesterday"),
        line("in the wrong scope", scope_type="user"),
        line("twice") + line("twice"),
        line("unknown", colour="red"),
        b"\xff\n",
    ],
)
def test_what_is_no_row_is_refused_with_nothing_changed(vault, file, data):
    rows, before = golden.entries(file), vault.read(CHAT).data
    with pytest.raises(WriteFailed, match="Nothing was changed"):
        save(vault, CHAT, "s-0", before + data, before)
    with pytest.raises(WriteFailed, match="Nothing was changed"):
        vault.append(CHAT, data)
    assert golden.entries(file) == rows


def test_rows_stand_by_age(vault):
    before = vault.read(CHAT).data
    old = line("an old word", at="2020-01-01T00:00:00+00:00")
    with pytest.raises(WriteFailed, match=r"The rows of telegram_123\.jsonl would be out of order\."):
        vault.stage(CHAT, "s-0", before + old, None)
    assert vault.as_stored(CHAT, before + old) == old + before


def test_a_crash_is_told_from_a_write_by_the_note_in_the_transaction(vault, file):
    before = vault.read(CHAT).data
    after = before + line("i am in Oslo")
    vault.stage(CHAT, "s-0", after, None)
    assert vault.inspect(CHAT, "s-0", vault.stat(CHAT), digest(after)) is Slot.UNTOUCHED
    vault.replace(CHAT, "s-0", after, digest(before))
    assert vault.inspect(CHAT, "s-0", None, digest(after)) is Slot.DONE
    assert list(vault.leftovers()) == [(".kenoweb-s-0.note", "s-0")]
    assert vault.settle(CHAT, "s-0").outcome is Stashed.NONE
    vault.discard(CHAT, "s-0")
    assert list(vault.leftovers()) == []
    assert golden.meta(file) == {}
    save(vault, CHAT, "s-1", before, after)
    vault.sweep(".kenoweb-s-1.note")
    assert golden.meta(file) == {}


def test_a_bot_in_the_middle_of_a_transaction_is_waited_for_and_then_said(file, of):
    vault = RowsVault(file, of, patience=0.2)
    before = vault.read(CHAT).data
    with closing(sqlite3.connect(file, isolation_level=None)) as bot:
        bot.execute("BEGIN IMMEDIATE")
        with pytest.raises(WriteFailed, match="the bot was writing to it for too long"):
            vault.append(CHAT, line("i am in Oslo"))
        assert vault.read(CHAT).data == before
        bot.execute("ROLLBACK")
    vault.append(CHAT, line("i am in Oslo"))


@pytest.mark.parametrize(
    "key",
    [
        "channel:telegram:chat:123",
        "channel:telegram:user:123",
        "channel:a_b:chat:c",
        "channel:a:chat:b_c",
        "channel:a:chat:b:c",
        "channel:x:chat:",
        "channel:x:user:",
        "channel:x:chat: 1",
        "channel:x:chat:a/b",
        "channel:x:chat:a%2Fb",
        "channel:x:chat:..",
        "channel:x:chat:é\n\0",
        "channel:x:chat:" + "ü" * 300,
        "channel:x:chat:" + "ü" * 299,
        "contact:7",
        "channel:foo",
        "",
        "global",
        "channel:..:chat:x",
        "channel:a:chat:b:user:c",
        "channel:\udce9:chat:\udce9",
        "channel:~x:chat:y",
        "channel:=x:user:y",
        "channel:a\u2028b:chat:y",
        "channel:x:chat:y ",
        "channel:x.jsonl:chat:y.jsonl",
        "channel:x:chat:é",
        "channel:x:chat:e\u0301",
    ],
)
def test_scopes_have_documents_of_their_own_whatever_they_are_called(tmp_path, of, key):
    kept = [golden.row("mine", of), golden.row("also", of, n=2)]
    odd = {**golden.row("odd", of, n=3), "scope_key": key, "scope_type": "x"}
    key_bytes = key.encode("utf-8", "surrogateescape")
    file = golden.make(tmp_path / "db", [*kept, {**odd, "scope_key": "later"}])
    with closing(sqlite3.connect(file)) as db:
        db.execute("UPDATE memory_entries SET scope_key = CAST(? AS TEXT) WHERE content = 'odd'", [key_bytes])
        db.commit()
    vault = RowsVault(file, of)
    found = {one.path for one in vault.scan()}
    if key == "channel:telegram:chat:123":
        assert found == {CHAT}
        return
    (path,) = found - {CHAT}
    assert said(vault, path) == ["odd"]
    assert len(path.encode()) <= 255
    path.encode()
    name = path.removesuffix(".jsonl")
    assert scopes.key_of(name, of) == (None if name.startswith("~") else key)
    assert isinstance(vault.remove(path, "s-0", digest(vault.read(path).data)), WriteDone)


def test_names_of_scopes_never_meet():
    odd = [
        "",
        "a",
        "a_b",
        "a:b",
        "a/b",
        "a%2Fb",
        " a",
        "a ",
        ".a",
        "~a",
        "=a",
        "é",
        "chat",
        "user",
        "a:chat:b",
        "a:user:b",
    ]
    keys = [scopes.chat_key(one, two) for one in odd for two in odd]
    keys += [scopes.user_key(one, two, "z") for one in odd for two in odd]
    keys += [f"{one}{two}" for one in ("", "channel:", "contact:") for two in odd]
    names = {}
    for key in keys:
        assert names.setdefault(scopes.name_of(key, "w"), key) == key
    assert scopes.user_key("x", "  ", "7") == "channel:x:user:7"


def test_a_missing_database_is_said_and_never_made(tmp_path, of):
    for file in (tmp_path / "none.db", tmp_path / "no" / "none.db", tmp_path):
        vault = RowsVault(file, of)
        for act in (
            lambda vault=vault: list(vault.scan()),
            lambda vault=vault: vault.read(CHAT),
            lambda vault=vault: vault.append(CHAT, line("x y z")),
            lambda vault=vault: list(vault.leftovers()),
        ):
            with pytest.raises(RootGone) as raised:
                act()
            assert str(tmp_path) not in str(raised.value)
    assert [one.name for one in tmp_path.iterdir()] == ["workspace"]


def test_what_is_no_memory_is_unreadable_and_never_empty(tmp_path, of):
    (tmp_path / "text.db").write_text("no database at all" * 100)
    with closing(sqlite3.connect(tmp_path / "other.db")) as db:
        db.execute("CREATE TABLE memory_entries (id TEXT)")
    (tmp_path / "empty.db").write_bytes(b"")
    for name in ("text.db", "other.db", "empty.db"):
        with pytest.raises(Unreadable):
            list(RowsVault(tmp_path / name, of).scan())
    assert (tmp_path / "empty.db").read_bytes() == b""


def test_a_newer_database_is_read_and_not_written(tmp_path, of):
    file = tmp_path / "memory.db"
    with closing(sqlite3.connect(file)) as db:
        db.executescript(golden.NEWER)
        at = "2026-01-01T00:00:00+00:00"
        values = (
            "7",
            of,
            "channel:telegram:chat:123",
            "note",
            "semantic",
            "likes tea",
            0.5,
            0.9,
            "en",
            at,
            None,
            at,
            at,
            0,
        )
        db.execute(f"INSERT INTO memory2_nodes VALUES ({', '.join('?' * 14)})", values)
        db.commit()
    vault = RowsVault(file, of)
    assert [one.path for one in vault.scan()] == [CHAT]
    assert b'"likes tea"' in vault.read(CHAT).data
    assert not vault.is_writable()
    before = file.read_bytes()
    for act in (
        lambda: vault.append(CHAT, line("x y z")),
        lambda: vault.stage(CHAT, "s-0", line("x y z"), None),
        lambda: vault.remove(CHAT, "s-0", digest(vault.read(CHAT).data)),
    ):
        with pytest.raises(WriteFailed, match="newer nanobot"):
            act()
    assert file.read_bytes() == before


@pytest.mark.parametrize("path", ["", "/", "../x.jsonl", "a//b", "./a", "a\0b", "@x/y.jsonl", "é" * 128])
def test_impossible_paths_are_unreadable_everywhere(vault, path):
    for act in (
        lambda: vault.stat(path),
        lambda: vault.read(path),
        lambda: vault.stage(path, "s", b"", None),
        lambda: vault.replace(path, "s", b"", None),
        lambda: vault.remove(path, "s", digest(b"")),
        lambda: vault.append(path, b""),
        lambda: vault.settle(path, "s"),
        lambda: vault.inspect(path, "s", None, digest(b"x")),
    ):
        with pytest.raises(Unreadable, match="isn’t a valid file name"):
            act()


def test_rows_that_are_no_text_are_read_byte_for_byte_and_left_alone(vault, file):
    with closing(sqlite3.connect(file)) as db:
        db.execute("UPDATE memory_entries SET content = CAST(x'ff41' AS TEXT) WHERE content LIKE '%Postgres'")
        db.commit()
    before = vault.read(CHAT).data
    assert b"\xffA" in before
    second = list(lines.split(before))[1]
    assert isinstance(save(vault, CHAT, "s-0", before.replace(b"HTMX", b"Datastar"), before), WriteDone)
    assert b"\xffA" in vault.read(CHAT).data
    assert second not in vault.read(CHAT).data


def test_tail_and_part(vault):
    data = vault.read(CHAT).data
    assert vault.tail(CHAT, 9) == data[-9:]
    assert vault.tail(CHAT, 10**6) == data
    assert vault.part(CHAT, 3, 4) == data[3:7]
    assert vault.tail("telegram_9.jsonl", 4) is vault.part("telegram_9.jsonl", 0, 4) is None


def test_nothing_stays_open(vault, file):
    vault.append(CHAT, line("i am in Oslo"))
    list(vault.scan())
    with pytest.raises(WriteFailed):
        vault.append(CHAT, b"x\n")
    assert opened(file.parent) == []


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        "a",
        'q"\\/\b\t\n\x00\x1f\x7f\x85\u2028é\U0001f600\udcff',
        0,
        -7,
        2**70,
        True,
        0.1,
        1e22,
        5e-324,
        1.0,
        b"\0\xff",
    ],
)
def test_a_row_has_one_line_whatever_its_values_are(value):
    row = {**lines.LEFT_OUT, "id": "1", "importance": value, "content": value, "zeal": value}
    said = lines.line(row)
    assert said.count(b"\n") == 1
    assert len(said.splitlines()) == 1
    again = json.loads(said.decode("utf-8", "surrogateescape"))
    expected = {"hex": value.hex()} if isinstance(value, bytes) else value
    assert again == dict.fromkeys(("importance", "content", "zeal"), expected) | {"id": "1"}
    assert list(again) == ["id", "content", "importance", "zeal"]
    assert lines.line(dict(reversed(row.items()))) == said
