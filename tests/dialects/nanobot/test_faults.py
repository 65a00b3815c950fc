"""What can go wrong around a bot's database while Kenoweb is at it: a clear sentence, nothing lost, nothing half."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from memory import index, journal, registry
from memory.access import api_tokens
from memory.curation import acts, adding, facts as fact_edits
from memory.curation.writing import Written
from memory.dialects.nanobot.database.vault import RowsVault
from memory.domain.attributes import Draft
from memory.domain.changes import digest
from memory.domain.errors import RootGone, WriteFailed
from memory.domain.outcomes import Refused
from memory.journal import Applied, By
from memory.models import Bot, ChangeSet, Document, Fact, Root
from memory.registry import survey
from memory.storage import WriteDone
from tests.dialects.nanobot import golden, home
from tests.dialects.nanobot.test_vault import line
from tests.hostile.conftest import fill, mount, unmount
from tests.support.crash import in_child
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ME = By("ana")
CHAT = "@database/telegram_123.jsonl"
FRIDAYS = "we decided to deploy on Fridays"
HOLD = """
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN EXCLUSIVE")
db.execute("UPDATE memory_entries SET importance = 0.91 WHERE content LIKE '%Postgres for the shop'")
print("held", flush=True)
sys.stdin.readline()
time.sleep(float(sys.argv[2]))
db.execute("COMMIT")
"""


@pytest.fixture
def bot(there):
    found = registry.add(there[0])
    index.refresh(found, patience=5)
    journal.settle(found)
    return found


@pytest.fixture
def file(there):
    return there[1]


def one(text=FRIDAYS):
    fact = Fact.objects.select_related("document").get(text=text)
    return fact.document.path, fact.key, fact.nth


def add(bot, text):
    said = Draft("decision", text, 0.8, 1.0, {"channel": "telegram", "chat_id": "123"})
    return adding.add(bot, "telegram_123", said, ME)


def nothing_open(bot):
    return not ChangeSet.objects.filter(bot=bot, state__in=["writing", "settling"]).exists()


@contextmanager
def held(file, seconds=0):
    """The bot is in a transaction until it is told to go on, and so much longer."""
    words = [sys.executable, "-c", HOLD, str(file), str(seconds)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"held\n"
        yield process.stdin
        process.stdin.close()


def test_a_bot_that_holds_its_database_for_three_seconds_is_waited_for(bot, file):
    with held(file, 3) as bots_turn:
        assert index.look(bot, CHAT).error == ""
        begun, wanted = time.monotonic(), one()
        bots_turn.write(b"go on\n")
        bots_turn.flush()
        done = fact_edits.edit(bot, *wanted, "we decided to deploy on Thursdays", ME)
        assert time.monotonic() - begun > 3
    assert isinstance(done, acts.Done), done
    now = {row["content"]: row["importance"] for row in golden.entries(file, "is_deleted = 0").values()}
    assert now["let's use Postgres for the shop"] == 0.91
    assert "we decided to deploy on Thursdays" in now
    golden.check(file)


@pytest.mark.parametrize("wal", [True, False])
def test_one_that_holds_it_for_longer_is_named_and_nothing_is_changed(tmp_path, wal):
    file = golden.make(tmp_path / "db", home.rows("w"), wal=wal)
    vault = RowsVault(file, "w", patience=0.3)
    before = vault.read("telegram_123.jsonl").data
    with held(file):
        for act in (
            lambda: vault.append("telegram_123.jsonl", line("i am in Oslo")),
            lambda: vault.replace("telegram_123.jsonl", "s-0", before + line("i am in Oslo"), digest(before)),
            lambda: vault.sweep(".kenoweb-s-0.note"),
        ):
            with pytest.raises(WriteFailed, match=r"the bot was writing to it for too long\. Nothing was changed"):
                act()
        if wal:
            assert vault.read("telegram_123.jsonl").data == before
        else:
            with pytest.raises(RootGone, match="the bot was writing to it for too long"):
                vault.read("telegram_123.jsonl")
            with pytest.raises(RootGone, match="the bot was writing to it for too long"):
                list(vault.scan())
    assert b'"importance": 0.91' in vault.read("telegram_123.jsonl").data
    golden.check(file)


def test_a_walk_past_a_held_database_keeps_its_rows_and_says_so(bot, file, there):
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA journal_mode=DELETE")
    before = set(Fact.objects.values_list("text", flat=True))
    with held(file):
        walked = index.refresh(bot, patience=5)
    assert "the bot was writing to it for too long" in walked.trouble
    assert set(Fact.objects.values_list("text", flat=True)) == before
    assert index.refresh(bot, patience=5).trouble == ""


def test_a_program_is_told_to_call_again_while_the_database_is_locked(bot, file):
    path, key, nth = one()
    token = api_tokens.make(bot, "a program", "write").text
    reworded = {"path": path, "key": key, "nth": nth, "text": "we decided to deploy on Mondays"}
    told = {"content_type": "application/json", "headers": {"Authorization": f"Bearer {token}"}}
    with held(file):
        answer = Client().patch(f"/api/v1/bots/{bot.slug}/facts", reworded, **told)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "busy")
    assert answer["Retry-After"] == "1"
    assert FRIDAYS in golden.live(file)
    assert Client().patch(f"/api/v1/bots/{bot.slug}/facts", reworded, **told).status_code == 200


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A nanobot's home on a disk of its own, and a way to fill it."""
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    target = tmp_path / "disk"
    target.mkdir()
    mount("tmpfs", target, "tmpfs", data="size=2m")
    yield target
    unmount(target)


@pytest.mark.parametrize("is_open", [True, False], ids=["the bot has it open", "nobody has it open"])
def test_a_full_disk_changes_nothing_and_is_said(small, is_open):
    workspace, file = home.make(small / ".nanobot")
    bot = registry.add(workspace)
    index.refresh(bot, patience=5)
    journal.settle(bot)
    with closing(sqlite3.connect(file)) as other:
        if is_open:
            other.execute("SELECT COUNT(*) FROM memory_entries").fetchone()
        before, mirrors = golden.entries(file), (workspace / "memory/semantic/decisions.md").read_bytes()
        fill(small)
        for done in (
            add(bot, "we ship on Thursdays " + "and so on " * 40_000),
            fact_edits.edit(bot, *one(), "let's say " + "much " * 100_000, ME),
        ):
            assert isinstance(done, Refused), done
            assert "disk" in done.reason
        (small / "ballast").unlink()
        journal.settle_and_recover(bot, 5)
        assert golden.entries(file) == before
        assert (workspace / "memory/semantic/decisions.md").read_bytes() == mirrors
        golden.check(file)
        assert isinstance(add(bot, "we ship on Thursdays"), Written)
    assert "we ship on Thursdays" in golden.live(file)
    assert nothing_open(bot) or journal.settle(bot) is None


def test_a_database_that_is_taken_away_is_missed_and_goes_on_when_it_is_back(bot, file, there, owner):
    desk, before = Visitor(bot, there[0], owner), golden.entries(file)
    facts = set(Fact.objects.values_list("text", flat=True))
    wanted = one()
    file.rename(file.with_suffix(".away"))
    assert "The bot’s database is missing." in index.refresh(bot, patience=5).trouble
    assert "The bot’s database is missing." in desk.get().text
    assert set(Fact.objects.values_list("text", flat=True)) == facts
    for done in (add(bot, "we ship on Thursdays"), fact_edits.forget(bot, [wanted], ME)):
        assert isinstance(done, Refused), done
        assert "The bot’s database is missing." in done.reason
    assert not file.exists()
    assert desk.get("entries/").status == desk.get("prompt/?chat=telegram_123&q=deploy").status == 200
    file.with_suffix(".away").rename(file)
    assert index.refresh(bot, patience=5).trouble == ""
    assert golden.entries(file) == before
    assert isinstance(fact_edits.forget(bot, [wanted], ME), acts.Done)
    golden.check(file)


@pytest.mark.parametrize("moment", ["before", "staged"])
def test_another_database_in_its_place_gets_nothing_that_was_not_meant_for_it(bot, file, there, moment, monkeypatch):
    """A backup is put back while an edit is on its way."""
    backup = shutil.copy(file, file.with_suffix(".backup"))
    with closing(sqlite3.connect(backup)) as db:
        db.execute("DELETE FROM memory_entries WHERE content LIKE '%Fridays'")
        db.execute("DELETE FROM memory_entries_fts WHERE content LIKE '%fridays'")
        db.commit()
    before, wanted, stage = golden.entries(backup), one(), RowsVault.stage

    def late(self, *args):
        stage(self, *args)
        os.replace(backup, file)

    if moment == "staged":
        monkeypatch.setattr(RowsVault, "stage", late)
    else:
        os.replace(backup, file)
    done = fact_edits.edit(bot, *wanted, "we decided to deploy on Thursdays", ME)
    assert isinstance(done, Refused), done
    assert golden.entries(file) == before
    monkeypatch.undo()
    journal.settle_and_recover(bot, 5)
    assert golden.entries(file) == before
    assert golden.meta(file) == {}


def test_an_undo_in_another_database_takes_back_nothing_there(bot, file):
    backup = shutil.copy(file, file.with_suffix(".backup"))
    done = fact_edits.edit(bot, *one(), "we decided to deploy on Thursdays", ME)
    os.replace(backup, file)
    before = golden.entries(file)
    outcome = journal.undo(bot, done.change_set, ME)
    assert golden.entries(file) == before
    assert not isinstance(outcome, Applied) or outcome.change_set is None


def test_a_damaged_page_is_said_and_stays_as_it_is(bot, file):
    data = bytearray(file.read_bytes())
    for page in range(1, len(data) // 4096):
        data[page * 4096 : page * 4096 + 100] = b"\xaa" * 100
    file.write_bytes(data)
    wanted = one()
    assert "damaged" in index.refresh(bot, patience=5).trouble
    for done in (add(bot, "we ship on Thursdays"), fact_edits.forget(bot, [wanted], ME)):
        assert isinstance(done, Refused), done
        assert "damaged" in done.reason
    assert file.read_bytes() == bytes(data)
    assert Fact.objects.filter(text=FRIDAYS).exists()


def test_a_bot_that_grows_newer_tables_meanwhile_is_written_to_no_more(bot, file, monkeypatch):
    stage, before = RowsVault.stage, golden.entries(file)

    def late(self, *args):
        stage(self, *args)
        with closing(sqlite3.connect(file)) as db:
            db.executescript(golden.NEWER)

    monkeypatch.setattr(RowsVault, "stage", late)
    done = fact_edits.edit(bot, *one(), "we decided to deploy on Thursdays", ME)
    assert isinstance(done, Refused), done
    assert "Nothing was changed." in done.reason
    assert "newer nanobot" in add(bot, "we ship on Thursdays").reason
    journal.settle_and_recover(bot, 5)
    assert golden.entries(file) == before
    assert golden.meta(file) == {}
    assert nothing_open(bot)


def test_entries_of_a_workspace_that_moved_belong_to_nobody_and_are_left_alone(bot, file, there, tmp_path):
    workspace, _ = there
    done = fact_edits.edit(bot, *one(), "we decided to deploy on Thursdays", ME)
    journal.settle(bot)
    before = golden.entries(file)
    moved = workspace.rename(tmp_path / ".nanobot" / "moved")
    Root.objects.filter(bot=bot, name="memory").update(path=str(moved))
    bot = Bot.objects.get(pk=bot.pk)
    assert any(
        "other workspaces" in note for note in survey.survey({"memory": moved, "database": file}, "nanobot").notes
    )
    walked = index.refresh(bot, patience=5, accept_vanished=True)
    assert not Document.objects.filter(bot=bot, path__startswith="@database/").exists()
    assert walked.trouble == ""
    assert not isinstance(journal.undo(bot, done.change_set, ME), Applied)
    added = add(bot, "we ship on Thursdays")
    assert isinstance(added, Written), added
    now = golden.entries(file)
    assert {name: row for name, row in now.items() if name in before} == before
    (new,) = (row for name, row in now.items() if name not in before)
    assert new["workspace_id"] == golden.workspace_id(moved)
    golden.check(file)


def children(*acts):
    """Each in a process of its own, all at once."""
    connection.close()
    made = []
    for act in acts:
        child = os.fork()
        if child == 0:
            in_child(act, [], lambda line: None)
        made.append(child)
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in made]


def test_two_kenowebs_of_one_desk_add_and_forget_at_once(bot, file):
    def work(name):
        for number in range(8):
            assert isinstance(add(bot, f"{name} says {number}"), Written)
            index.refresh(bot, patience=20)
            if number % 2:
                done = fact_edits.forget(bot, [one(f"{name} says {number}")], ME)
                assert isinstance(done, acts.Done), done

    assert children(lambda: work("ana"), lambda: work("ben")) == [0, 0]
    index.refresh(bot, patience=5)
    assert {f"{name} says {number}" for name in ("ana", "ben") for number in range(0, 8, 2)} <= golden.live(file)
    assert not {f"{name} says {number}" for name in ("ana", "ben") for number in range(1, 8, 2)} & golden.live(file)
    journal.settle(bot)
    assert golden.meta(file) == {}
    golden.check(file)


def test_two_desks_over_one_database_overwrite_nothing_of_each_other(tmp_path):
    """They share no lock and no history, so each version is compared in the transaction that replaces it."""
    file = golden.make(tmp_path / "db", home.rows("w"))

    def work(name):
        vault = RowsVault(file, "w")
        for number in range(12):
            new = line(f"{name} says {number}", id=f"{name}-{number}", at=f"2026-04-01T00:00:{number:02}+00:00")
            while True:
                now = vault.read("telegram_123.jsonl").data
                after = vault.as_stored("telegram_123.jsonl", now + new)
                vault.stage("telegram_123.jsonl", f"{name}-{number}", after, None)
                if isinstance(vault.replace("telegram_123.jsonl", f"{name}-{number}", after, digest(now)), WriteDone):
                    break
            vault.discard("telegram_123.jsonl", f"{name}-{number}")

    assert children(lambda: work("ana"), lambda: work("ben")) == [0, 0]
    said = [row["content"] for row in golden.entries(file, "is_deleted = 0").values() if " says " in row["content"]]
    assert sorted(said) == sorted(f"{name} says {number}" for name in ("ana", "ben") for number in range(12))
    assert golden.meta(file) == {}
    golden.check(file)


def test_a_database_that_the_bots_configuration_moves_is_another_one(bot, there, tmp_path):
    """The desk goes on with the file it knows until somebody says otherwise; nothing is written to a file it does not know."""
    other = golden.make(tmp_path / ".nanobot" / "other.db")
    (tmp_path / ".nanobot" / "config.json").write_text(json.dumps({"memory": {"dbPath": "other.db"}}))
    before = golden.entries(other)
    assert isinstance(add(bot, "we ship on Thursdays"), Written)
    assert golden.entries(other) == before
    assert User.objects.count() == 0
