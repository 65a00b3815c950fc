"""The process is killed in each state that a nanobot's answered turn passes through; the message is sent again."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from memory import index, journal, registry
from memory.access import encryption
from memory.dialects.nanobot.database import connection as database, table, vault
from memory.dialects.nanobot.states import exchanges
from memory.llm import budget
from memory.models import Answering, ChangeSet, Delivery, WebhookSecret
from memory.storage import append, files
from memory.webhook import answer, capture, deliveries
from tests.dialects.nanobot import golden, home
from tests.support.crash import inner, lines_that_differ, run_and_die, watched
from tests.webhook.conftest import SECRET, Sender

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True), pytest.mark.slow]
WATCHED = watched(answer, capture, deliveries, budget) + inner(journal, append, database, files, vault, table)
SAID = "I prefer tea and let's use Redis"


def world(tmp_path, name):
    workspace, file = home.make(tmp_path / name / ".nanobot")
    bot = registry.add(workspace, name=name)
    WebhookSecret.objects.create(bot=bot, sealed=encryption.seal(f"{SECRET}-{name}".encode()))
    index.refresh(bot)
    journal.settle(bot)
    return Sender(bot, workspace, Client(), f"{SECRET}-{name}"), file


def ask(sender):
    return sender.post(message=SAID, session_id="telegram:123", message_id="m-1")


def points(tmp_path):
    sender, _file = world(tmp_path, "counted")
    connection.close()
    return lines_that_differ(lambda: ask(sender), WATCHED, sender.root.parent, least=8)


def test_what_was_said_is_kept_once_and_each_death_before_the_reply_shows(
    kenoweb_home, fresh_tally, model, tmp_path, monkeypatch
):
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    model.plays("Noted.")
    died = left = 0
    lines = points(tmp_path)
    for at in lines:
        sender, file = world(tmp_path, f"k{at}")
        connection.close()
        if not run_and_die(lambda one=sender: ask(one), WATCHED, at):
            continue
        died += 1
        Answering.objects.filter(bot=sender.bot).update(until=timezone.now() - timedelta(seconds=1))
        again = ask(sender)
        assert (again.status_code, again.json()["response"]) == (200, "Noted."), at
        turns = exchanges((sender.root / "memory/session-state/telegram_123.md").read_bytes())[2:]
        assert {turn.asked for turn in turns} == {SAID}
        assert [turn.answer for turn in turns if not turn.died] == ["Noted."], at
        assert len(turns) <= 2
        left += len(turns) - 1
        new = [row for row in golden.entries(file).values() if row["content"] == SAID]
        assert sorted(row["kind"] for row in new) == ["decision", "preference"], at
        golden.check(file)
        assert golden.meta(file) == {}
        for name in ("preferences", "decisions"):
            assert (sender.root / f"memory/semantic/{name}.md").read_text().count(SAID) == 1, at
        assert not ChangeSet.objects.filter(bot=sender.bot, state=ChangeSet.State.WRITING).exists()
        assert Delivery.objects.get(bot=sender.bot).status == 200
    assert died > len(lines) / 2
    assert left
