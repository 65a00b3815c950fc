"""A database that is not as expected: rows the bot never writes, scopes with endless names, no file at all."""

from __future__ import annotations

import hashlib
import os
import socket
import sqlite3
import time
from contextlib import closing

import pytest
from django.contrib.auth.models import User

from memory import index, journal, registry
from memory.curation import adding, facts, pruning
from memory.curation.acts import Done
from memory.curation.pruning import PruneSelection
from memory.curation.writing import Written
from memory.dialects.nanobot import maintenance
from memory.domain.attributes import Draft
from memory.domain.changes import digest
from memory.domain.errors import Refusal, WriteFailed
from memory.domain.outcomes import Refused
from memory.journal import Applied, By
from memory.models import ChangeSet, Fact
from tests.dialects.nanobot import golden, home
from tests.dialects.nanobot.bot import Bot
from tests.web.conftest import Visitor

ME = By("ana")
CHAT = "@database/telegram_123.jsonl"
FRIDAYS = "we decided to deploy on Fridays"
pytestmark = pytest.mark.django_db


@pytest.fixture
def file(there):
    return there[1]


def one(text):
    fact = Fact.objects.select_related("document").get(text=text)
    return fact.document.path, fact.key, fact.nth


@pytest.mark.slow
def test_a_busy_bot_is_waited_for_once(bot, file):
    wanted = one(FRIDAYS)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        begun = time.monotonic()
        done = facts.forget(bot, [wanted], ME)
        took = time.monotonic() - begun
    assert isinstance(done, Refused), done
    assert "the bot was writing to it for too long. Nothing was changed." in done.reason
    assert took < 9
    assert list(ChangeSet.objects.filter(kind=ChangeSet.Kind.EDIT).values_list("state", flat=True)) == ["failed"]
    assert isinstance(facts.forget(bot, [wanted], ME), Done)


@pytest.mark.parametrize(
    ("sort", "name"),
    [
        *((sort, "longterm.db") for sort in ("fifo", "socket", "directory")),
        *(("fifo", f"longterm.db-{ending}") for ending in ("wal", "journal")),
    ],
)
def test_what_is_no_file_is_never_opened(bot, desk, file, sort, name, monkeypatch):
    wanted = one(FRIDAYS)
    monkeypatch.chdir(file.parent)
    if name == file.name:
        file.unlink()
    with socket.socket(socket.AF_UNIX) as listening:
        make = {"fifo": os.mkfifo, "socket": listening.bind, "directory": os.mkdir}[sort]
        make(name)
        walked = index.refresh(bot, patience=5)
        done = facts.forget(bot, [wanted], ME)
        page = desk.get()
    for said in (walked.trouble, getattr(done, "reason", "")):
        assert "isn’t a regular file. It wasn’t opened. Nothing was changed." in said, (walked.trouble, done)
    assert page.status == 200
    assert "isn’t a regular file. It wasn’t opened. Nothing was changed." in page.text


@pytest.mark.parametrize("name", ["config.json", "memory/longterm.db"])
def test_a_workspace_is_added_beside_what_is_no_file(tmp_path, monkeypatch, name):
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    workspace, _ = home.make(tmp_path / ".nanobot")
    (tmp_path / ".nanobot" / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / ".nanobot" / name)
    found = registry.add(workspace)
    walked = index.refresh(found, patience=5)
    assert ("isn’t a regular file. It wasn’t opened. Nothing was changed." in walked.trouble) == (name != "config.json")


def test_a_database_is_never_asked_for_where_a_pipe_is(tmp_path):
    os.mkfifo(tmp_path / "longterm.db")
    with pytest.raises(Refusal):
        registry.add(tmp_path / "longterm.db")


def test_the_last_entry_of_a_chat_with_an_endless_name_comes_back(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    workspace = tmp_path / ".nanobot" / "workspace"
    secret = golden.row("the only one here", golden.workspace_id(workspace), chat="x" * 300)
    _, file = home.make(tmp_path / ".nanobot", more=[secret])
    bot = registry.add(workspace)
    index.refresh(bot, patience=5)
    before = golden.entries(file)
    done = facts.forget(bot, [one("the only one here")], ME)
    assert "the only one here" not in golden.live(file)
    assert isinstance(journal.undo(bot, done.change_set, ME), Applied)
    assert golden.entries(file) == before
    golden.check(file)


ODD = {
    "no text": {"content": "", "content_norm": "", "content_hash": hashlib.sha256(b"").hexdigest()},
    "bytes for text": {"content": b"\xff\xfe odd"},
    "no UTF-8": {"content": "CAST(x'6f6464ff' AS TEXT)"},
    "a word for a number": {"importance": "high"},
    "no source": {"source": ""},
    "no birthday": {"created_at": ""},
    "bytes for a birthday": {"created_at": b"2026"},
    "bytes for a change": {"updated_at": b"2026"},
    "no id": {"id": None},
    "an empty id": {"id": ""},
    "bytes for an id": {"id": b"\xff"},
}
ITSELF = [
    "a word for a number",
    "no source",
    "no birthday",
    "bytes for a birthday",
    "bytes for a change",
    "an empty id",
]


def raw(file, where="content <> ''"):
    """Rows as bytes."""
    with closing(sqlite3.connect(file)) as db:
        db.text_factory = bytes
        return sorted(map(repr, db.execute(f"SELECT * FROM memory_entries WHERE {where}")))


def put_odd(file, of, name):
    """One odd row beside the others of the chat; returns where it is to be found."""
    said = dict(ODD[name])
    typed = str(said.pop("content")) if name == "no UTF-8" else ""
    with closing(sqlite3.connect(file)) as db:
        golden.insert(db, golden.row("an odd row", of, n=30, source_message_id="odd") | said)
        if typed:
            db.execute(f"UPDATE memory_entries SET content = {typed} WHERE source_message_id = 'odd'")
        db.commit()
    return "source_message_id = 'odd'"


@pytest.mark.parametrize("name", ODD)
def test_an_odd_row_stands_in_nobodys_way(there, name):
    workspace, file = there
    odd = put_odd(file, golden.workspace_id(workspace), name)
    bot, before, every = registry.add(workspace), raw(file, odd), raw(file, "1")
    index.refresh(bot, patience=5)
    acts = [
        lambda: facts.edit(bot, *one(FRIDAYS), "we decided to deploy on Tuesdays", ME),
        lambda: facts.forget(bot, [one("we decided to deploy on Tuesdays")], ME),
        lambda: pruning.prune(bot, pruning.choose(bot, PruneSelection(kinds=("decision",))), ME),
    ]
    sets = []
    for act in acts:
        done = act()
        assert not isinstance(done, Refused), done
        sets.append(done.change_set)
    assert raw(file, odd) == before
    assert not raw(file, "kind = 'decision' AND is_deleted = 0")
    for done in reversed(sets):
        assert isinstance(journal.undo(bot, done, ME), Applied)
    assert raw(file, "1") == every
    again = Draft(kind="decision", text=FRIDAYS, importance=0.8, confidence=1.0, noted={})
    known = adding.add(bot, "telegram_123", again, ME)
    assert isinstance(known, Written), known
    assert not known.told.is_new
    assert raw(file, odd) == before


@pytest.mark.parametrize("name", ITSELF)
def test_an_odd_row_is_forgotten_and_comes_back(there, name):
    workspace, file = there
    odd = put_odd(file, golden.workspace_id(workspace), name)
    bot, every = registry.add(workspace), raw(file, "1")
    index.refresh(bot, patience=5)
    done = facts.forget(bot, [one("an odd row")], ME)
    assert isinstance(done, Done), done
    assert not raw(file, f"{odd} AND is_deleted = 0")
    golden.check(file)
    assert isinstance(journal.undo(bot, done.change_set, ME), Applied)
    if name == "bytes for a change":
        assert raw(file, f"{odd} AND is_deleted = 0")
    else:
        assert raw(file, "1") == every
    golden.check(file)


def test_a_row_without_text_is_forgotten_and_reworded_in_its_document(there):
    workspace, file = there
    odd = put_odd(file, golden.workspace_id(workspace), "no text")
    bot, every = registry.add(workspace), raw(file, "1")
    index.refresh(bot, patience=5)
    desk = Visitor(bot, workspace, User.objects.create_superuser("ana"))
    vault, chat = maintenance.database(bot), CHAT.partition("/")[2]
    data = vault.read(chat).data
    (empty,) = [line for line in data.splitlines(keepends=True) if b'"content": ""' in line]
    assert desk.save(data.replace(empty, b"").decode(), digest(data), CHAT).status == 200
    assert not raw(file, f"{odd} AND is_deleted = 0")
    undone = ChangeSet.objects.filter(kind=ChangeSet.Kind.EDIT).latest("pk")
    assert isinstance(journal.undo(bot, undone, ME), Applied)
    assert raw(file, "1") == every
    worded = data.replace(b'"content": ""', b'"content": "a text at last"').decode()
    assert desk.save(worded, digest(data), CHAT).status == 200
    assert "a text at last" in golden.live(file)
    golden.check(file)


def test_an_odd_row_that_cannot_be_reworded_says_why(there):
    workspace, file = there
    odd = put_odd(file, golden.workspace_id(workspace), "no source")
    bot, before = registry.add(workspace), raw(file, odd)
    index.refresh(bot, patience=5)
    done = facts.edit(bot, *one("an odd row"), "an even row", ME)
    assert done == Refused("This entry can’t be reworded: “source” is missing or isn’t text. Nothing was changed.")
    assert raw(file, odd) == before


def test_a_row_that_is_no_utf8_is_reworded(there):
    workspace, file = there
    put_odd(file, golden.workspace_id(workspace), "no UTF-8")
    bot = registry.add(workspace)
    index.refresh(bot, patience=5)
    fact = Fact.objects.select_related("document").get(text__startswith="odd")
    done = facts.edit(bot, fact.document.path, fact.key, fact.nth, "an even row", ME)
    assert isinstance(done, Done), done
    assert "an even row" in golden.live(file)


def say(file, of, *texts):
    """The bot takes in what it was told once more."""
    bot = Bot(file, of)
    for text in texts:
        bot.save(text, "decision", "chat", "channel:telegram:chat:123")
    bot.db.close()


def test_an_undo_brings_back_all_but_what_is_said_again(bot, desk, there, file):
    before = golden.live(file)
    done = pruning.prune(bot, pruning.choose(bot, PruneSelection(kinds=("decision",))), ME)
    say(file, golden.workspace_id(there[0]), FRIDAYS, "something new")
    assert "+2 lines" in desk.get(f"changes/{done.change_set.pk}").text
    page = desk.post(f"changes/{done.change_set.pk}/undo")
    assert f"“{FRIDAYS}” exists again and was not restored." in page.text
    assert golden.live(file) == {*before, "something new"}
    assert len(golden.entries(file, "content = ? AND is_deleted = 0", FRIDAYS)) == 1
    golden.check(file)
    assert FRIDAYS in ChangeSet.objects.get(kind=ChangeSet.Kind.UNDO).note


def test_an_undo_of_what_is_all_said_again_says_so(bot, there, file):
    done = facts.forget(bot, [one(FRIDAYS)], ME)
    say(file, golden.workspace_id(there[0]), FRIDAYS)
    rows = golden.entries(file)
    undone = journal.undo(bot, done.change_set, ME)
    assert isinstance(undone, journal.Conflict)
    assert undone.reason == f"“{FRIDAYS}” exists again. Nothing to restore."
    assert golden.entries(file) == rows


def test_an_undo_finds_its_text_in_an_entry_that_was_reworded(bot, file):
    done = facts.forget(bot, [one(FRIDAYS), one("do not deploy on Mondays")], ME)
    index.refresh(bot, patience=5)
    facts.edit(bot, *one("let's use Postgres for the shop"), FRIDAYS, ME)
    intended = []
    undone = journal.undo(bot, done.change_set, ME, beside=lambda made: intended.append(made.note))
    assert isinstance(undone, Applied), undone
    assert undone.left == f"“{FRIDAYS}” exists again and was not restored."
    assert intended == [undone.left], "whoever ends it for a dead process says it too"
    assert {FRIDAYS, "do not deploy on Mondays"} < golden.live(file)
    golden.check(file)


def test_an_undo_of_a_rewording_that_is_said_again_changes_nothing(bot, there, file):
    done = facts.edit(bot, *one(FRIDAYS), "we decided to deploy on Tuesdays", ME)
    say(file, golden.workspace_id(there[0]), FRIDAYS)
    rows = golden.entries(file)
    with pytest.raises(WriteFailed, match=r"This chat or user already has an entry that says the same\."):
        journal.undo(bot, done.change_set, ME)
    assert golden.entries(file) == rows


def test_a_chat_that_was_emptied_and_talked_on_gets_the_rest_back(bot, there, file):
    wanted = [one(text) for text in (FRIDAYS, "let's use Postgres for the shop", "do not deploy on Mondays")]
    done = facts.forget(bot, wanted, ME)
    say(file, golden.workspace_id(there[0]), FRIDAYS, "do not deploy on Mondays", "something new")
    before = golden.live(file)
    undone = journal.undo(bot, done.change_set, ME)
    assert isinstance(undone, Applied), undone
    assert undone.left.startswith("2 entries exist again and were not restored, “")
    assert golden.live(file) == {*before, "let's use Postgres for the shop"}
    golden.check(file)


@pytest.mark.parametrize("size", [0, 10, 32, 33, 32 + 24 + 100])
def test_a_log_that_its_writer_died_over_is_read_at_once(there, size):
    """The head of a log is written before anything else: a bot that dies then leaves a log of nothing, and its shared memory."""
    workspace, file = there
    of, before = golden.workspace_id(workspace), golden.live(file)
    with closing(sqlite3.connect(file)) as other:
        golden.insert(other, golden.row("never on the disk", of))
        other.commit()
        beside = {ending: file.with_name(f"{file.name}{ending}") for ending in ("-wal", "-shm")}
        copies = {path: path.read_bytes() for path in beside.values()}
        whole = file.read_bytes()
    file.write_bytes(whole)
    for path, data in copies.items():
        path.write_bytes(data)
    os.truncate(beside["-wal"], size)
    begun = time.monotonic()
    bot = registry.add(workspace)
    assert index.refresh(bot, patience=5).trouble == ""
    assert time.monotonic() - begun < 8
    assert before - {"forgotten"} == set(
        Fact.objects.filter(document__path__startswith="@").values_list("text", flat=True)
    )
    assert isinstance(facts.forget(bot, [one(FRIDAYS)], ME), Done)
    golden.check(file)
