"""Messages, and a model's answers to them, that are made to do harm."""

from __future__ import annotations

import json
import time

import pytest
from django.db import connection
from django.utils import timezone

from memory.models import Bot, ChangeSet, Delivery
from memory.text.replies import strip_thoughts
from tests.llm.server import good
from tests.webhook.conftest import sender
from tests.webhook.test_answers import ask, said

__all__ = ["sender"]

pytestmark = [pytest.mark.database(cases=1), pytest.mark.django_db(transaction=True)]


def test_a_message_with_the_number_of_another_chats_is_not_given_its_answer(sender, model):
    model.plays(lambda messages: f"you said {messages[-1]['content']}")
    first = ask(sender, "my secret is blue", chat="7", message_id="1")
    second = ask(sender, "hello", chat="8", message_id="1")
    assert first.json()["response"] == "you said my secret is blue"
    assert "blue" not in second.content.decode(), second.content


def test_a_finished_turn_with_the_number_of_another_chats_is_not_given_its_text(sender):
    sender.turn("Yours is blue.", message_id="1")
    second = sender.turn("Hello.", chat_id="8", message_id="1")
    assert "blue" not in second.content.decode(), second.content


def test_nothing_is_written_to_a_bot_that_goes_while_it_is_answered_for(sender, model):
    def answer(messages):
        Bot.objects.filter(pk=sender.bot.pk).update(removed=timezone.now())
        connection.close()  # this thread's own
        return "Tea. <memory>x</memory>"

    model.plays(answer)
    before = sender.files()
    assert ask(sender).status_code != 200
    assert sender.files() == before
    assert said(sender) == []
    assert not ChangeSet.objects.exists()


@pytest.mark.parametrize(
    "answer", ["a" * (15 << 20), "<memory>x</memory>" * 400_000, "<memory>" * 1_000_000, "<working-memory>" * 500_000]
)
def test_a_huge_answer_is_not_written_down(sender, model, answer):
    model.plays(good(answer))
    began = time.perf_counter()
    reply = ask(sender)
    assert time.perf_counter() - began < 8
    assert reply.status_code == 503, (reply.status_code, len(reply.content))
    assert sender.files() == {}
    assert len(json.dumps(Delivery.objects.get().body)) < 100_000


@pytest.mark.parametrize("answer", ["x" + "\n" * 400_000, "x\n" + " \n" * 200_000, "</think" * 60_000])
def test_what_a_model_thought_is_told_from_its_answer_in_time(answer):
    began = time.thread_time()
    strip_thoughts(answer)
    assert time.thread_time() - began < 5
