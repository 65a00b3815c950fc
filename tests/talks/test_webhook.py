"""A turn that comes in by webhook: its sender is served, and afterwards facts are picked out of it."""

from __future__ import annotations

import pytest
from django.db import DatabaseError

from memory.models import Delivery, Job
from tests.llm import server as play
from tests.llm.fixtures import model
from tests.talks.conftest import attempted, rows
from tests.webhook.conftest import SECRET, fresh_tally, home, make_sender

__all__ = ["fresh_tally", "home", "model"]

REPLY = "Nice. <memory>Likes tea</memory>"


@pytest.fixture
def sender(transactional_db, home, tmp_path, fresh_tally, model):
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
