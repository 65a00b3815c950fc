"""What one chat or user said reaches no other, in random databases whose chats have names to be mistaken for each other."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from contextlib import closing, contextmanager
from html import unescape

import pytest
from django.contrib.auth.models import User

from memory import index, registry
from memory.dialects.nanobot import scopes
from memory.dialects.nanobot.database.vault import RowsVault
from memory.models import ApiToken, Document
from tests.dialects.nanobot import golden, home
from tests.support.amounts import times
from tests.web.api.conftest import Program
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

STORES, VAULTS = times(4, 20), times(50, 200)  # hundreds of prompts alone are made in test_recall.py
CHANNELS = ["telegram", "tele_gram", "telegram:chat", "x:y", "cli", "telegram%5F1", "~t", "=t", "channel"]
PEOPLE = [
    *(
        "1",
        "2",
        "1_2",
        "1:2",
        "é",
        "e\u0301",
        " 1",
        "1 ",
        "user:1",
        "chat:1",
        "1:user:2",
        "1:chat:2",
        "../1",
        "%31",
        "~1",
        "=1",
    ),
    *("global", "1.jsonl", "1\n2", "1\u20282", "ü" * 140, "ü" * 141, "", "1'--", "%", "_", "*", "1\x002", "<b>1</b>"),
]
COMMON = ["deploy", "postgres", "friday", "plan", "ana"]
MARK = re.compile(r"mark\d+z")


class Store:
    """Rows of some scopes, each with a word that stands in no other."""

    def __init__(self, seed):
        chance = self.chance = random.Random(seed)
        self.keys = [scopes.chat_key(chance.choice(CHANNELS), chance.choice(PEOPLE)) for _ in range(5)]
        self.keys += [scopes.user_key(chance.choice(CHANNELS), chance.choice(PEOPLE), "9") for _ in range(3)]
        one = scopes.parts(self.keys[0])
        self.keys.append(scopes.user_key(one.channel, "", one.who))
        self.keys = list(dict.fromkeys(self.keys))
        self.marks = {key: f"mark{number}z" for number, key in enumerate(self.keys)}

    def rows(self, of):
        for number in range(24):
            key = self.keys[number % len(self.keys)]
            text = " ".join([*self.chance.sample(COMMON, 3), self.marks[key], str(number)])
            kind = self.chance.choice(["fact", "preference", "decision", "episodic"])
            yield golden.row(text, of, kind=kind, n=number) | {"scope_key": key, "scope_type": scopes.parts(key).sort}

    def own(self, key):
        """The marks that a chat may be shown: its own and those of who writes there."""
        who = scopes.parts(key)
        user = scopes.user_key(who.channel, "", who.who)
        return {self.marks[one] for one in (key, user) if one in self.marks}

    def chats(self):
        return [key for key in self.keys if scopes.parts(key).sort == scopes.CHAT]


def test_each_scope_has_a_document_of_its_own(tmp_path):
    """In the vault, where everything else reads: no two scopes share one, and none is lost."""
    file = tmp_path / "db"
    for seed in range(VAULTS):
        store = Store(seed)
        with written(file, store):
            vault = RowsVault(file, "w")
            found = {one.path: vault.read(one.path).data.decode() for one in vault.scan()}
            for key in store.keys:
                marks = set(MARK.findall(found[scopes.name_of(key, "w") + scopes.ENDING]))
                assert marks == {store.marks[key]}, (seed, key)
            assert len(found) == len(store.keys)


@contextmanager
def written(file, store):
    """A store's rows in a file that all of them share, so that there is no sync for each."""
    with closing(sqlite3.connect(file if file.exists() else golden.make(file, wal=False))) as db:
        db.execute("PRAGMA synchronous=OFF")
        db.execute("DELETE FROM memory_entries")
        for row in store.rows("w"):
            golden.insert(db, row)
        db.commit()
        yield


def answers(desk, program, chat, others):
    """What is shown and told as seen from a chat, also where it asks for what others have."""
    asked = f"deploy postgres friday {' '.join(others[:2])}"
    page = desk.client.get(f"/{desk.bot.slug}/prompt/", {"chat": chat, "q": "deploy postgres friday"})
    yield "page", page.status_code, unescape(page.content.decode())
    for where, (status, told) in (
        ("prompt", program.post("prompt", chat=chat, query=asked)),
        ("search", program.get("facts/search", chat=chat, q="deploy postgres", limit=200)),
        ("facts", program.get("facts", chat=chat, limit=200)),
        ("documents", program.get("documents", chat=chat, limit=200)),
    ):
        yield where, status, json.dumps(told, ensure_ascii=False).replace(asked, "")


@pytest.mark.parametrize("seed", range(STORES))
def test_no_page_and_no_answer_holds_what_another_chat_or_user_said(tmp_path, monkeypatch, seed):
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    workspace, file = home.make(tmp_path / ".nanobot")
    store, of = Store(seed), golden.workspace_id(workspace)
    for told in (file, *(file.parent.glob("longterm.db-*"))):
        told.unlink()
    golden.make(file, store.rows(of))
    bot = registry.add(workspace, "nanobot")
    index.refresh(bot, patience=5)
    desk = Visitor(bot, workspace, User.objects.create_superuser("ana"))
    program = Program(bot, workspace, "read")
    shown = 0
    for key in store.chats():
        chat, own = scopes.name_of(key, of), store.own(key)
        others = sorted(set(store.marks.values()) - own)
        for where, status, said in answers(desk, program, chat, others):
            assert status in (200, 404, 422), (where, chat, said[:300])
            found = set(MARK.findall(said))
            assert found <= own, (where, chat, key, found - own)
            shown += bool(found)
    assert shown > 3
    assert Document.objects.filter(bot=bot, path__startswith="@database/").count() == len(store.keys)
    assert ApiToken.objects.filter(bot=bot).count() == 1
