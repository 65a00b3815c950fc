"""A turn that comes in by webhook: its sender is served, and afterwards facts are picked out of it."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.db import DatabaseError
from django.utils import timezone

from memory.bots import open_bot
from memory.jobs.tasks import run_job
from memory.models import Delivery, Job
from tests.compaction.chats.conftest import attempted, rows
from tests.llm import server as play
from tests.webhook.conftest import SECRET, make_sender

REPLY = "Nice. <memory>Likes tea</memory>"


@pytest.fixture
def sender(transactional_db, kenoweb_home, tmp_path, fresh_tally, model):
    sender = make_sender(tmp_path, "keno", SECRET)
    sender.bot.settings = {"facts_per_turn": 2}
    sender.bot.save()
    return sender


def test_facts_are_picked_out_of_a_turn_after_its_sender_was_served(sender, model):
    answer = sender.turn(REPLY, message="I moved to Porto", message_id="m1")
    assert (answer.status_code, answer.json()["response"]) == (200, "Nice.")
    assert model.asked == []
    (job,) = Job.objects.all()
    assert job.params == {"chat": "http-7", "delivery": Delivery.objects.get().pk}
    model.plays(play.answers({"facts": [{"text": "The user moved to Porto."}, {"text": "likes tea"}]}))
    job = attempted(job)
    assert [(one.text, one.flags) for one in rows(job)] == [("The user moved to Porto.", [])]
    assert "memory>" not in model.asked[0].messages[1]["content"]


def test_a_repeated_turn_is_not_picked_from_again(sender):
    for _ in range(3):
        assert sender.turn(REPLY, message_id="m1").status_code == 200
    assert Job.objects.count() == 1


def test_a_turn_that_is_not_taken_is_not_picked_from(sender):
    assert sender.turn(REPLY, session_id="a/b").status_code == 400
    assert sender.raw(b"{").status_code == 400
    assert not Job.objects.exists()


def test_a_turn_that_stored_nothing_is_picked_from_too(sender):
    assert sender.turn("Just talk.", message="I moved to Porto").status_code == 200
    assert Job.objects.count() == 1


def test_turns_of_a_bot_that_is_not_set_to_it_are_not_picked_from(sender):
    sender.bot.settings = {}
    sender.bot.save()
    assert sender.turn(REPLY).status_code == 200
    assert not Job.objects.exists()


def test_a_job_that_cannot_be_queued_is_not_the_sender_s_business(sender, monkeypatch):
    def queue(*_args, **_more):
        raise DatabaseError("database is locked")

    monkeypatch.setattr("memory.jobs.queue", queue)
    answer = sender.turn(REPLY)
    assert (answer.status_code, answer.json()["response"]) == (200, "Nice.")
    assert "Likes tea" in "".join(sender.files().values())


def bounded(sender, tokens):
    sender.bot.settings = {"facts_per_turn": 2, "daily_tokens": tokens}
    sender.bot.save()


def next_day(monkeypatch):
    """The clock a day later; jobs that wait for it are taken then."""
    later = timezone.now() + timedelta(days=1)
    monkeypatch.setattr(timezone, "now", lambda: later)


def test_turns_beyond_the_bound_of_the_day_are_looked_at_on_the_next_one_by_one_job_a_chat(sender, model, monkeypatch):
    bounded(sender, 2000)
    answer = {"facts": [{"turn": 1, "text": "I moved to Porto."}]}
    model.plays(play.good(json.dumps(answer), usage={"prompt_tokens": 1500, "completion_tokens": 600}))
    assert sender.turn(REPLY, message="I moved to Porto.", message_id="m0").status_code == 200
    assert attempted(Job.objects.get()).state == "planned"
    for number in range(1, 5):
        assert sender.turn("Ok.", message=f"I like tea {number}", message_id=f"m{number}").status_code == 200
    assert sender.turn("Ok.", message="I like rain", message_id="n", chat_id="8").status_code == 200
    waiting = list(Job.objects.filter(state="queued").order_by("pk"))
    assert [(job.params["chat"], job.run_after) for job in waiting] == [
        (chat, open_bot(sender.bot).tomorrow()) for chat in ("http-7", "http-8")
    ]
    assert Job.objects.count() == 3
    next_day(monkeypatch)
    model.plays(play.answers({"facts": [{"turn": 4, "text": "User likes tea 4"}]}))
    run_job.call(waiting[0].pk)
    job = Job.objects.get(pk=waiting[0].pk)
    assert (job.state, [one.text for one in rows(job)]) == ("planned", ["User likes tea 4"])
    asked = model.asked[-1].messages[1]["content"]
    assert [f"tea {number}" in asked for number in range(1, 5)] == [True] * 4
    assert "Porto" not in asked.split("Turn 1")[1]
    assert "rain" not in asked


def test_a_turn_for_whose_question_too_little_is_left_waits_for_the_next_day(sender, model, monkeypatch):
    bounded(sender, 100)
    for number in range(3):
        assert sender.turn("Ok.", message=f"I like tea {number}", message_id=f"m{number}").status_code == 200
    (first, *_others) = list(Job.objects.order_by("pk"))
    run_job.call(first.pk)
    first.refresh_from_db()
    assert (first.state, first.run_after) == ("queued", open_bot(sender.bot).tomorrow())
    assert first.trouble == "The daily limit is 100 tokens, and this request would exceed it. Requests resume tomorrow."
    before = Job.objects.count()
    for number in range(3, 9):
        assert sender.turn("Ok.", message=f"I like tea {number}", message_id=f"m{number}").status_code == 200
    assert Job.objects.count() == before + 1
    assert not Job.objects.filter(state="failed").exists()
    assert model.asked == []
    bounded(sender, 0)
    next_day(monkeypatch)
    model.plays(play.answers({"facts": [{"turn": 1, "text": "User likes tea 0"}]}))
    run_job.call(first.pk)
    first.refresh_from_db()
    assert (first.state, [one.text for one in rows(first)]) == ("planned", ["User likes tea 0"])


def test_a_bound_that_is_too_small_on_every_day_ends_the_job_after_some(sender, model, monkeypatch):
    bounded(sender, 100)
    assert sender.turn("Ok.", message="I like tea", message_id="m").status_code == 200
    job = Job.objects.get()
    for state in ("queued", "queued", "queued", "failed"):
        run_job.call(job.pk)
        job.refresh_from_db()
        assert job.state == state
        next_day(monkeypatch)
    assert model.asked == []
