"""Kenoweb is killed in each state of what it does to a bot's database: all of it or nothing, and the bot goes on.

A child made by fork runs an act and kills itself before a line of the journal or the vaults that finds something else. Then the
bot adds an entry, and whoever comes next recovers. What is in rows and what is in files (mirrors) belongs to one change set.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.db import connection

from memory import index, journal, registry, storage
from memory.bots import open_bot
from memory.curation import adding, facts, pruning
from memory.curation.pruning import PruneSelection
from memory.domain.attributes import Draft
from memory.domain.changes import digest
from memory.journal import By
from memory.models import Bot, ChangeSet, Fact, Head
from tests.dialects.nanobot import golden, home
from tests.support.amounts import some, times
from tests.support.crash import in_child, lines_that_differ, run_and_die, watched

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ME = By("ana")
CHAT = "@database/telegram_123.jsonl"
WATCHED = watched(journal, storage)
MANY = (
    24  # states: of an act on several documents, which go through the same ones after another; half of those are tried
)
WHOLE = ("add", "undo of an edit")  # whose states the other acts go through again; a third of theirs are tried
BOTS = "the bot goes on"
FRIDAYS, POSTGRES, SHORT = (
    "we decided to deploy on Fridays",
    "let's use Postgres for the shop",
    "i prefer short answers",
)


@dataclass
class World:
    """A bot with its workspace and its database."""

    bot: Bot
    workspace: Path
    file: Path

    def one(self, text: str) -> tuple[str, str, int]:
        fact = Fact.objects.select_related("document").get(bot=self.bot, text=text)
        return fact.document.path, fact.key, fact.nth

    def state(self) -> object:
        """What is remembered, in rows and in files, without the times at which that happened."""
        of = golden.workspace_id(self.workspace)
        live = golden.entries(self.file, "is_deleted = 0").values()
        rows = {(row["scope_key"].replace(of, "here"), row["kind"], row["content"]) for row in live}
        texts = {
            path.name: sorted(line.partition("] ")[2] or line for line in path.read_text().splitlines())
            for path in self.workspace.rglob("*.md")
        }
        return rows, texts

    def goes_on(self, text: str) -> None:
        """The bot adds an entry."""
        with closing(sqlite3.connect(self.file)) as db:
            golden.insert(db, golden.row(text, golden.workspace_id(self.workspace), day="2026-07-07"))
            db.commit()

    def agrees(self) -> None:
        """Rows, search index, history and markers say the same, and nothing is left over."""
        golden.check(self.file)
        index.refresh(self.bot, patience=5)
        journal.settle(self.bot)
        assert golden.meta(self.file) == {}
        assert list(self.workspace.rglob(".kenoweb-*")) == []
        assert not ChangeSet.objects.filter(bot=self.bot, state__in=["writing", "settling"]).exists()
        heads = dict(Head.objects.filter(bot=self.bot).values_list("path", "sha256"))
        vault = open_bot(self.bot).vaults["database"]
        for found in vault.scan():
            assert heads[f"@database/{found.path}"] == digest(vault.read(found.path).data), found.path


@pytest.fixture
def world(tmp_path, monkeypatch) -> Callable[[str], World]:
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))

    def made(name: str) -> World:
        workspace, file = home.make(tmp_path / name)
        bot = registry.add(workspace, "nanobot", name)
        index.refresh(bot, patience=5)
        journal.settle(bot)
        return World(bot, workspace, file)

    return made


def add(one: World) -> object:
    said = Draft("decision", "we ship on Thursdays", 0.8, 1.0, {"channel": "telegram", "chat_id": "123"})
    return adding.add(one.bot, "telegram_123", said, ME)


def edit(one: World) -> object:
    return facts.edit(one.bot, *one.one(POSTGRES), "let's use SQLite for the shop", ME)


def forget(one: World) -> object:
    return facts.forget(one.bot, [one.one(SHORT), one.one(POSTGRES)], ME)


def prune(one: World) -> object:
    found = pruning.choose(one.bot, PruneSelection(older_than_days=1))
    assert sum(map(len, found.values())) > 5
    return pruning.prune(one.bot, found, ME)


def undo(one: World) -> object:
    return journal.undo(one.bot, ChangeSet.objects.filter(bot=one.bot, kind=ChangeSet.Kind.EDIT).latest("pk"), ME)


ACTS = {
    "add": (None, add),
    "edit": (None, edit),
    "forget": (None, forget),
    "prune": (None, prune),
    "undo of an edit": (edit, undo),
    "undo of a prune": (prune, undo),
    "undo of an addition": (add, undo),
}


@pytest.mark.parametrize("name", ACTS)
def test_a_kill_leaves_all_or_nothing(world, name):
    before, act = ACTS[name]
    trial = world("trial")
    if before:
        before(trial)
        journal.settle(trial.bot)
    connection.close()
    states = lines_that_differ(lambda: act(trial), WATCHED, trial.workspace.parent)
    new, seen = trial.state(), set()
    assert len(states) > 5
    for at in some(states, 3 if name not in WHOLE else 2 if len(states) > MANY else 1):
        one = world(f"at-{at}")
        if before:
            before(one)
            journal.settle(one.bot)
        old = one.state()
        assert old != new
        connection.close()
        run_and_die(lambda one=one: act(one), WATCHED, at)
        one.goes_on(BOTS)
        journal.settle_and_recover(one.bot, 5)
        rows, texts = one.state()
        gone_on = {row for row in rows if row[2] == BOTS}
        assert len(gone_on) == 1
        assert (rows - gone_on, texts) in (old, new), (name, at)
        seen.add((rows - gone_on, str(texts)) == (new[0], str(new[1])))
        one.agrees()
    assert seen == {True, False}


@pytest.mark.parametrize("seed", range(times(1, 20)))
def test_killed_at_any_time_of_a_day_of_work_nothing_is_half_done(world, seed):
    chance = random.Random(seed)
    one = world("worked")
    others = golden.entries(one.file, "scope_key <> 'channel:telegram:chat:123'")
    for number in range(3):
        connection.close()
        child = os.fork()
        if child == 0:
            in_child(lambda number=number: work(one, random.Random(seed * 100 + number)), [], lambda line: None)
        time.sleep(chance.uniform(0.1, 0.8))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        one.goes_on(f"{BOTS} {number}")
        journal.settle_and_recover(one.bot, 5)
        one.agrees()
    assert {f"{BOTS} {number}" for number in range(3)} <= golden.live(one.file)
    assert golden.entries(one.file, "scope_key <> 'channel:telegram:chat:123'") == others


def work(one: World, chance: random.Random) -> None:
    """Whatever people do with what the bot did not add meanwhile, until somebody ends it."""
    while True:
        said = Draft("fact", f"a fact of {datetime.now(UTC)}", 0.8, 1.0, {})
        made = adding.add(one.bot, "telegram_123", said, ME)
        index.refresh(one.bot, patience=5)
        ours = Fact.objects.filter(bot=one.bot, document__path=CHAT).exclude(text__startswith=BOTS)
        fact = chance.choice(list(ours))
        match chance.choice(["edit", "forget", "undo"]):
            case "edit":
                facts.edit(one.bot, CHAT, fact.key, fact.nth, f"{fact.text} {chance.random()}", ME)
            case "forget":
                facts.forget(one.bot, [(CHAT, fact.key, fact.nth)], ME)
            case "undo":
                journal.undo(one.bot, made.change_set, ME)
