"""The bot writes while Kenoweb does: neither is locked out, nothing is lost, both tables stay in step."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from memory import bots, history, journal, library, roster
from memory.changes import Put, digest
from memory.dialects.nanobot import lines
from memory.journal import Applied, By
from memory.models import ChangeSet, Head

from . import golden, home

ME = By("ana")
COUNT, CHATS = 10_000, 20
PLAN = "we decided on plan"


def plan_of(text):
    """The words that an entry began with, before we said more."""
    return text.split(",")[0]


@pytest.fixture
def bot(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    workspace, _file = home.make(tmp_path / ".nanobot")
    found = roster.add(workspace)
    library.refresh(found, patience=5)
    return found


@pytest.mark.timeout(300)
@pytest.mark.django_db(transaction=True)
def test_ten_thousand_entries_while_others_edit_and_prune(bot, tmp_path):
    file = tmp_path / ".nanobot" / "memory" / "longterm.db"
    of = golden.workspace_id(tmp_path / ".nanobot" / "workspace")
    command = [sys.executable, str(Path(__file__).parent / "bot.py"), str(file), of, str(COUNT)]
    vault, chance = bots.vaults(bot)["database"], random.Random(7)
    forgotten, edited = set(), {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        number = 0
        while writer.poll() is None:
            number += 1
            path = f"@database/telegram_{number % CHATS}.jsonl"
            seen = vault.read(path.removeprefix("@database/"))
            rows = [lines.row(line) for line in lines.split(seen.data)] if seen else []
            plain = [row for row in rows if str(row["content"]).startswith(PLAN)]
            if len(plain) < 5:
                continue
            some = chance.sample(plain, 5)
            gone, kept = {row["id"] for row in some[:4]}, some[4]
            texts = {row["content"] for row in some[:4]}
            kept["content"] += f", said {number}"
            left = [kept if row["id"] == kept["id"] else row for row in rows if row["id"] not in gone]
            data = b"".join(lines.line(row) for row in left)
            history.remember(bot, seen.data)  # as whoever is shown a document does
            outcome = journal.commit(bot, [Put(path, data, digest(seen.data))], by=ME, kind=ChangeSet.Kind.EDIT)
            assert isinstance(outcome, Applied), outcome
            forgotten |= texts
            edited = {name: text for name, text in edited.items() if name not in gone} | {kept["id"]: kept["content"]}
        locked, saved, longest = writer.stdout.read().split()
    print(f"{number} commits beside {saved} of the bot's; the bot's longest wait was {longest} s")
    assert locked == "0"
    assert number > 20
    golden.check(file)
    live = golden.live(file)
    assert int(saved) == COUNT
    assert set(edited.values()) <= live
    assert not forgotten & live
    plans = {plan_of(text) for text in live if text.startswith(PLAN)}
    assert {f"{PLAN} {n}" for n in range(COUNT)} == plans | {plan_of(text) for text in forgotten}
    with closing(sqlite3.connect(file)) as db:
        for text in chance.sample(sorted(live), 50):
            words = " ".join(f'"{word}"' for word in text.lower().replace("'", " ").replace(",", " ").split())
            found = db.execute("SELECT content FROM memory_entries_fts WHERE memory_entries_fts MATCH ?", [words])
            assert text.lower() in {row[0] for row in found}
    journal.settle(bot)
    assert golden.meta(file) == {}
    library.refresh(bot, patience=20)
    for number in range(CHATS):
        head = Head.objects.get(bot=bot, path=f"@database/telegram_{number}.jsonl")
        assert head.sha256 == digest(vault.read(f"telegram_{number}.jsonl").data)
