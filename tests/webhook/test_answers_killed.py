"""The process is killed in each state of files and rows that an answered turn passes through; the message is sent again."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from memory import index, journal
from memory.llm import budget
from memory.models import Answering, ChangeSet, Delivery, ModelCall, Root
from memory.storage import append, files
from memory.webhook import answer, capture, chat_lock, deliveries, transcripts
from tests.support.crash import inner, lines_that_differ, run_and_die, watched
from tests.webhook.conftest import SECRET, make_sender

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True), pytest.mark.slow]

WATCHED = watched(answer, capture, chat_lock, deliveries, budget, transcripts) + inner(journal, append, files)
REPLY = "Noted. <memory>Likes tea</memory><chat-memory>Said so</chat-memory><working-memory>- tea</working-memory>"


def world(tmp_path, name):
    """A bot with something in each of the places that an answer writes to."""
    sender = make_sender(tmp_path, name, f"{SECRET}-{name}")
    sessions = sender.root.parent / "sessions"
    sessions.mkdir()
    (sessions / "http-7.jsonl").write_text('{"role":"user","content":"before","timestamp":1}\n{"role":"assi')
    (sender.root / "working").mkdir()
    (sender.root / "working" / "http-7.md").write_text("- coffee")
    Root.objects.create(bot=sender.bot, name="sessions", path=str(sessions))
    index.refresh(sender.bot)
    journal.settle(sender.bot)
    return sender


def ask(sender):
    return sender.post(message="I like tea", chat_id="7", message_id="m-1")


def die(sender, at):
    connection.close()
    return run_and_die(lambda: ask(sender), WATCHED, at)


def points(tmp_path):
    sender = world(tmp_path, "counted")
    connection.close()
    return lines_that_differ(lambda: ask(sender), WATCHED, sender.root.parent, least=5)


def whole(sender):
    files = sender.files()
    log = "".join(text for path, text in files.items() if re.fullmatch(r"\d{4}-\d\d-\d\d\.md", path))
    notes = "".join(text for path, text in files.items() if path.startswith("chats/"))
    said = (sender.root.parent / "sessions" / "http-7.jsonl").read_text()
    assert (log.count("Likes tea"), notes.count("Said so")) == (1, 1)
    assert files["working/http-7.md"] == "- tea"
    lines = said.split("\n")
    assert lines[:2] == ['{"role":"user","content":"before","timestamp":1}', '{"role":"assi']
    assert [json.loads(line)["content"] for line in lines[2:] if line] == ["I like tea", "Noted."]
    assert said.endswith("\n")


def test_killed_answer_is_given_from_its_record_or_asked_for_again(sender, model, tmp_path):
    model.plays(REPLY)
    died = replayed = asked_again = kept = 0
    lines = points(tmp_path)
    for at in lines:
        one = world(tmp_path, f"k{at}")
        model.asked.clear()
        if not die(one, at):
            continue
        died += 1
        if call := Delivery.objects.filter(bot=one.bot).first():
            kept += call.body["message"] == "I like tea"
        # The dead one's turn is over some time later.
        Answering.objects.filter(bot=one.bot).update(until=timezone.now() - timedelta(seconds=1))
        again = ask(one)
        assert again.status_code == 200, (at, again.json())
        assert again.json()["response"] == "Noted."
        replayed += "Idempotent-Replayed" in again.headers
        asked_again += len(model.asked) > 1
        whole(one)
        (call,) = Delivery.objects.filter(bot=one.bot)
        assert call.status == 200
        assert call.change_set.kind == ChangeSet.Kind.ANSWER
        assert ChangeSet.objects.filter(bot=one.bot, kind=ChangeSet.Kind.ANSWER).count() == 1
        assert not ChangeSet.objects.filter(bot=one.bot, state=ChangeSet.State.WRITING).exists()
        assert not Answering.objects.filter(bot=one.bot, until__gte=timezone.now()).exists()
        assert ModelCall.objects.filter(bot=one.bot, fault="").count() >= 1
    assert died > len(lines) / 2
    assert replayed
    assert asked_again
    assert kept
