"""A database that is not as expected: rows the bot never writes, scopes with endless names, no file at all."""

from __future__ import annotations

import os
import socket
import sqlite3
import time
from contextlib import closing

import pytest
from django.contrib.auth.models import User

from memory import curation, journal, library, roster
from memory.editing import Refused
from memory.journal import Applied, By
from memory.models import ChangeSet, Fact
from tests.views.conftest import Visitor

from . import golden, home

ME = By("ana")
CHAT = "@database/telegram_123.jsonl"
FRIDAYS = "we decided to deploy on Fridays"
pytestmark = [pytest.mark.django_db, pytest.mark.timeout(60)]


@pytest.fixture
def file(there):
    return there[1]


@pytest.fixture
def bot(there):
    found = roster.add(there[0])
    library.refresh(found, patience=5)
    return found


@pytest.fixture
def desk(bot, there):
    return Visitor(bot, there[0], User.objects.create_superuser("ana"))


def one(text):
    fact = Fact.objects.select_related("document").get(text=text)
    return fact.document.path, fact.key, fact.nth


def test_a_busy_bot_is_waited_for_once(bot, file):
    wanted = one(FRIDAYS)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        begun = time.monotonic()
        done = curation.forget(bot, [wanted], ME)
        took = time.monotonic() - begun
    assert isinstance(done, Refused), done
    assert "did not finish in time. Nothing was changed." in done.reason
    assert took < 9
    assert list(ChangeSet.objects.filter(kind=ChangeSet.Kind.EDIT).values_list("state", flat=True)) == ["failed"]
    assert isinstance(curation.forget(bot, [wanted], ME), curation.Done)


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
        walked = library.refresh(bot, patience=5)
        done = curation.forget(bot, [wanted], ME)
        page = desk.get()
    for said in (walked.trouble, getattr(done, "reason", "")):
        assert "is no regular file" in said, (walked.trouble, done)
    assert page.status == 200
    assert "is no regular file" in page.text


@pytest.mark.parametrize("name", ["config.json", "memory/longterm.db"])
def test_a_workspace_is_added_beside_what_is_no_file(tmp_path, monkeypatch, name):
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    workspace, _ = home.make(tmp_path / ".nanobot")
    (tmp_path / ".nanobot" / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / ".nanobot" / name)
    found = roster.add(workspace)
    walked = library.refresh(found, patience=5)
    assert ("is no regular file" in walked.trouble) == (name != "config.json")


def test_a_database_is_never_asked_for_where_a_pipe_is(tmp_path):
    os.mkfifo(tmp_path / "longterm.db")
    with pytest.raises(roster.Refused):
        roster.add(tmp_path / "longterm.db")


def test_the_last_entry_of_a_chat_with_an_endless_name_comes_back(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    workspace = tmp_path / ".nanobot" / "workspace"
    secret = golden.row("the only one here", golden.workspace_id(workspace), chat="x" * 300)
    _, file = home.make(tmp_path / ".nanobot", more=[secret])
    bot = roster.add(workspace)
    library.refresh(bot, patience=5)
    before = golden.entries(file)
    done = curation.forget(bot, [one("the only one here")], ME)
    assert "the only one here" not in golden.live(file)
    assert isinstance(journal.undo(bot, done.change_set, ME), Applied)
    assert golden.entries(file) == before
    golden.check(file)
