"""Entries added, reworded, forgotten and taken back through the same acts as facts of files, beside the running bot."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from memory import index, journal
from memory.bots import open_bot
from memory.curation import documents, facts, lineage
from memory.curation.acts import Done
from memory.dialects.nanobot.database.vault import RowsVault
from memory.domain.errors import WriteFailed
from memory.journal import Applied, By, How, versions
from memory.models import ChangeSet, Fact, Tally
from memory.numbers import tallies
from memory.web.base.fact_rows import fact_name
from tests.dialects.nanobot import golden
from tests.dialects.nanobot.bot import Bot
from tests.dialects.nanobot.golden import tell
from tests.web.conftest import Visitor

ME = By("ana")
CHAT = "@database/telegram_123.jsonl"
pytestmark = pytest.mark.django_db


@pytest.fixture
def file(there):
    return there[1]


def one(text):
    fact = Fact.objects.select_related("document").get(text=text)
    return fact.document.path, fact.key, fact.nth


def row(file, content):
    (found,) = golden.entries(file, "content = ?", content).values()
    return found


def test_an_entry_is_reworded_and_taken_back(bot, file):
    before = golden.entries(file)
    done = facts.edit(bot, *one("we decided to deploy on Fridays"), "we decided to   deploy on\nThursdays", ME)
    assert isinstance(done, Done), done
    golden.check(file)
    changed = row(file, "we decided to deploy on Thursdays")
    old = before[changed["id"]]
    told = {"content", "content_norm", "content_hash"}
    assert {name for name in old if old[name] != changed[name]} == told
    assert isinstance(journal.undo(bot, done.change_set, ME), Applied)
    assert golden.entries(file) == before
    golden.check(file)


@pytest.mark.parametrize("undos", [1, 3])
def test_an_entry_whose_end_was_undone_keeps_its_life_and_counts_as_nothing(bot, undos):
    bot.refresh_from_db()
    assert tallies.count(bot)
    counted = set(Tally.objects.values_list("source", "learned", "forgotten"))
    path, key, nth = one("let's use Postgres for the shop")
    said = lineage.lineage_of(bot, path, key).steps
    made = facts.forget(bot, [(path, key, nth)], ME).change_set
    for _ in range(undos):
        index.refresh(bot, patience=5)
        made = journal.undo(bot, made, ME).change_set
    index.refresh(bot, patience=5)
    steps = lineage.lineage_of(bot, path, key).steps
    assert steps[: len(said)] == said
    assert [step.how for step in steps[len(said) :]] == [How.FORGOTTEN, How.RETURNED] * ((undos + 1) // 2)
    assert tallies.count(bot)
    assert set(Tally.objects.values_list("source", "learned", "forgotten")) == {*counted, ("edits", 0, 0)}


def test_an_entry_is_forgotten_softly_and_taken_back(bot, file):
    before = golden.entries(file)
    done = facts.forget(bot, [one("let's use Postgres for the shop")], ME)
    golden.check(file)
    gone = row(file, "let's use Postgres for the shop")
    assert gone["is_deleted"] == 1
    journal.undo(bot, done.change_set, ME)
    assert golden.entries(file) == before
    journal.settle(bot)
    assert golden.meta(file) == {}
    golden.check(file)


def test_the_last_entry_of_a_scope_is_forgotten_and_comes_back(bot, file):
    path, key, nth = one("let's use SQLite for the secret plan")
    done = facts.forget(bot, [(path, key, nth)], ME)
    assert index.look(bot, path).data is None
    assert isinstance(journal.undo(bot, done.change_set, ME), Applied)
    assert "let's use SQLite for the secret plan" in golden.live(file)
    golden.check(file)


def test_an_entry_is_added_as_the_bot_adds_one_by_hand(bot, file):
    done = facts.add(bot, CHAT, "  the shop opens\nat nine ", ME)
    assert isinstance(done, Done), done
    found = row(file, "the shop opens at nine")
    assert (found["scope_type"], found["scope_key"]) == ("chat", "channel:telegram:chat:123")
    assert (found["channel"], found["chat_id"], found["sender_id"]) == ("telegram", "123", None)
    assert (found["kind"], found["importance"], found["confidence"], found["source"]) == ("fact", 0.8, 1.0, "manual")
    assert found["created_at"].endswith("+00:00")
    created, expires = (datetime.fromisoformat(found[name]) for name in ("created_at", "expires_at"))
    assert expires - created == timedelta(days=3650)
    golden.check(file)
    journal.undo(bot, done.change_set, ME)
    assert "the shop opens at nine" not in golden.live(file)
    again = facts.add(bot, CHAT, "THE SHOP opens at nine", ME)
    assert isinstance(again, Done), again
    golden.check(file)


def test_what_is_remembered_already_is_refused(bot, file):
    before = golden.entries(file)
    refused = facts.edit(bot, *one("we decided to deploy on Fridays"), "LET'S use Postgres for the shop", ME)
    assert "says the same" in refused.reason
    assert golden.entries(file) == before


def test_what_the_bot_did_meanwhile_stays_when_ours_is_taken_back(bot, file, there):
    of = golden.workspace_id(there[0])
    done = facts.edit(bot, *one("we decided to deploy on Fridays"), "we decided to deploy on Thursdays", ME)
    with closing(sqlite3.connect(file)) as db:
        golden.insert(db, golden.row("i am in Oslo", of, day="2026-03-03"))
        db.execute(
            "UPDATE memory_entries SET importance = 0.99, updated_at = '2026-03-04T00:00:00+00:00' WHERE content LIKE '%Postgres%'"
        )
        db.commit()
    assert isinstance(journal.undo(bot, done.change_set, ME), Applied)
    assert {"i am in Oslo", "we decided to deploy on Fridays"} <= golden.live(file)
    assert row(file, "let's use Postgres for the shop")["importance"] == 0.99
    golden.check(file)


def test_what_both_changed_is_for_a_person_to_decide(bot, file):
    done = facts.edit(bot, *one("we decided to deploy on Fridays"), "we decided to deploy on Thursdays", ME)
    tell(file, "UPDATE memory_entries SET importance = 0.5 WHERE content = ?", "we decided to deploy on Thursdays")
    outcome = journal.undo(bot, done.change_set, ME)
    assert not isinstance(outcome, Applied)
    assert row(file, "we decided to deploy on Thursdays")["importance"] == 0.5


def test_history_tells_rows_as_lines(bot, file):
    done = facts.edit(bot, *one("we decided to deploy on Fridays"), "we decided to deploy on Thursdays", ME)
    before, after = versions.sides(done.change_set.revisions.get())
    changed = [(old, new) for old, new in zip(before.splitlines(), after.splitlines(), strict=True) if old != new]
    ((old, new),) = changed
    assert b"Fridays" in old
    assert b"Thursdays" in new


def test_a_text_that_is_no_rows_is_refused_in_the_editor(bot, file):
    seen = index.look(bot, CHAT)
    before = golden.entries(file)
    with pytest.raises(WriteFailed, match="Line 4"):
        documents.save(bot, CHAT, seen.data.decode() + "hello\n", seen.sha256, ME)
    text = seen.data.decode().replace('"importance": 0.9', '"importance": 0.4', 1)
    assert isinstance(documents.save(bot, CHAT, text, seen.sha256, ME), documents.Saved)
    changed = [name for name, found in golden.entries(file).items() if found != before[name]]
    assert len(changed) == 1
    golden.check(file)


class Killed(BaseException):
    """The process is gone at this moment."""


@pytest.mark.parametrize("moment", ["stage", "before", "after"])
def test_a_kill_leaves_all_or_nothing(bot, file, monkeypatch, moment):
    before, replace, stage = golden.live(file), RowsVault.replace, RowsVault.stage

    def dying(self, *args):
        if moment == "after":
            replace(self, *args)
        raise Killed

    def dying_early(self, *args):
        stage(self, *args)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(
            RowsVault, "stage" if moment == "stage" else "replace", dying_early if moment == "stage" else dying
        )
        with pytest.raises(Killed):
            facts.edit(bot, *one("we decided to deploy on Fridays"), "we decided to deploy on Thursdays", ME)
    journal.recover(bot)
    made = ChangeSet.objects.filter(bot=bot, kind=ChangeSet.Kind.EDIT).first()
    if moment == "after":
        assert made.state in (ChangeSet.State.SETTLING, ChangeSet.State.APPLIED)
        assert "we decided to deploy on Thursdays" in golden.live(file)
        assert isinstance(journal.undo(bot, made, ME), Applied)
    else:
        assert made.state == ChangeSet.State.ABANDONED
    assert golden.live(file) == before
    golden.check(file)


def test_entries_are_mended_where_they_are_listed(bot, there, file):
    desk = Visitor(bot, there[0], User.objects.create_superuser("ana"))
    path, key, nth = one("we decided to deploy on Fridays")
    page = desk.post("entry/edit", fact=fact_name(path, key, nth), text="we decided to deploy on Thursdays")
    assert page.status == 200
    assert "we decided to deploy on Thursdays" in golden.live(file)
    page = desk.post("entry/add", path=path, text="the shop opens at nine")
    assert page.status == 200
    assert "the shop opens at nine" in golden.live(file)
    golden.check(file)


def test_where_the_workspace_lies_is_noted_once_and_the_bot_goes_on(bot, file):
    where = open_bot(bot).memory_path
    assert golden.meta(file, where=True) == {}
    for text in ("the shop opens at nine", "the shop closes at five"):
        facts.add(bot, CHAT, text, ME)
    of = golden.workspace_id(where)
    assert golden.meta(file, where=True) == {f"workspace:{of}:path": str(Path(where).resolve())}
    assert Bot(file, of).save("we decided to rest", "decision", "chat", "channel:telegram:chat:123")
    golden.check(file)
