"""The bot writes while Kenoweb does: neither is locked out, nothing is lost, both tables stay in step."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from memory import index, journal, registry
from memory.bots import open_bot
from memory.curation import pruning
from memory.dialects.nanobot import lines
from memory.dialects.nanobot.entries import entries
from memory.domain.changes import Put, digest
from memory.journal import Applied, By, versions
from memory.models import ChangeSet, Head
from tests.dialects.nanobot import golden, home
from tests.support.amounts import times

pytestmark = pytest.mark.slow

ME = By("ana")
COUNT, CHATS = times(1_000, 10_000), 20
PLAN = "we decided on plan"


def plan_of(text):
    """The words that an entry began with, before we said more."""
    return text.split(",")[0]


@pytest.fixture
def bot(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    workspace, _file = home.make(tmp_path / ".nanobot")
    found = registry.add(workspace)
    index.refresh(found, patience=5)
    return found


def edit_and_forget(bot, path, seen, chance, number):
    """One change set that takes four entries away and says more in a fifth; (texts that are gone, id and text of the fifth)."""
    rows = [lines.row(line) for line in lines.split(seen.data)]
    some = chance.sample([row for row in rows if str(row["content"]).startswith(PLAN)], 5)
    gone, kept = {row["id"] for row in some[:4]}, some[4]
    texts = {row["content"] for row in some[:4]}
    kept["content"] += f", said {number}"
    left = [kept if row["id"] == kept["id"] else row for row in rows if row["id"] not in gone]
    versions.remember(bot, seen.data)  # as whoever is shown a document does
    change = Put(path, b"".join(lines.line(row) for row in left), digest(seen.data))
    outcome = journal.commit(bot, [change], by=ME, kind=ChangeSet.Kind.EDIT)
    assert isinstance(outcome, Applied), outcome
    return texts, gone, kept


def prune(bot, path, seen, chance):
    """Four entries are pruned as the command line does it; (their texts, their ids)."""
    some = chance.sample([one for one in entries(path, seen.data) if one.text.startswith(PLAN)], 4)
    outcome = pruning.prune(bot, {path: [one.fact for one in some]}, ME)
    assert isinstance(outcome, pruning.Pruned), outcome
    assert outcome.count == 4
    return {one.text for one in some}, {one.id for one in some}


@pytest.mark.django_db(transaction=True)
def test_thousands_of_entries_while_others_edit_and_prune(bot, tmp_path):
    file = tmp_path / ".nanobot" / "memory" / "longterm.db"
    of = golden.workspace_id(tmp_path / ".nanobot" / "workspace")
    before = golden.entries(file)
    command = [sys.executable, str(Path(__file__).parent / "bot.py"), str(file), of, str(COUNT)]
    vault, chance = open_bot(bot).vaults["database"], random.Random(7)
    forgotten, edited = set(), {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        number = 0
        while writer.poll() is None:
            path = f"@database/telegram_{number % CHATS}.jsonl"
            seen = vault.read(path.removeprefix("@database/"))
            number += 1
            if seen is None or seen.data.count(PLAN.encode()) < 5:
                continue
            if number % 3:
                texts, gone, kept = edit_and_forget(bot, path, seen, chance, number)
                edited[kept["id"]] = kept["content"]
            else:
                texts, gone = prune(bot, path, seen, chance)
            forgotten |= texts
            edited = {name: text for name, text in edited.items() if name not in gone}
        locked, saved, longest = writer.stdout.read().split()
    print(f"{number} commits beside {saved} of the bot's; the bot's longest wait was {longest} s")
    assert locked == "0"
    assert number > 20
    assert int(saved) == COUNT
    golden.check(file)
    compare_every_row(golden.entries(file), before, forgotten, edited)
    journal.settle(bot)
    assert golden.meta(file) == {}
    index.refresh(bot, patience=20)
    for number in range(CHATS):
        head = Head.objects.get(bot=bot, path=f"@database/telegram_{number}.jsonl")
        assert head.sha256 == digest(vault.read(f"telegram_{number}.jsonl").data)


def compare_every_row(now, before, forgotten, edited):
    """Each is as the bot wrote it, but for what we said more and what we took away; none is missing and none stands twice."""
    assert {name: row for name, row in now.items() if name in before} == before
    fresh = [row for name, row in now.items() if name not in before]
    plans = [row for row in fresh if row["content"].startswith(PLAN)]
    assert sorted(int(plan_of(row["content"]).split()[-1]) for row in plans) == list(range(COUNT))
    assert [row["content"] for row in fresh if row not in plans] == ["always use short answers"]
    assert {row["content"] for row in plans if row["is_deleted"]} == forgotten
    assert {row["id"]: row["content"] for row in plans if "," in row["content"] and not row["is_deleted"]} == edited
    for row in plans:
        chat = int(plan_of(row["content"]).split()[-1]) % CHATS
        told = ("scope_key", "kind", "importance", "confidence", "source", "meta_json", "source_role")
        as_written = (f"channel:telegram:chat:{chat}", "decision", 0.8, 0.9, "auto_heuristic", "{}", "user")
        assert tuple(row[name] for name in told) == as_written
        assert (row["updated_at"] > row["created_at"]) == bool(row["is_deleted"])
