"""Turns through the webhook: commands carried out and answered without a model, replies noted as the bot notes them."""

from __future__ import annotations

import json

import pytest

from memory import journal
from memory.jobs import review
from memory.jobs.outcomes import Accepted
from memory.models import ChangeSet, ModelCall, Proposal
from tests.llm import server as playing

__all__ = ["playing"]

pytestmark = pytest.mark.django_db
USER, CHAT = "710000000000000011", "discord:channel:820000000000000001"
FACTS, SUMMARY = f"durable/{USER}.json", f"rolling/{CHAT}.json"
LATELY = f"shortterm/610000000000000101-{USER}.json"
AT = "2026-11-20T19:30:00Z"


def set_to(sender, **settings):
    sender.bot.settings = settings
    sender.bot.save()


def read(sender, path):
    return json.loads((sender.root / path).read_text())


def say(sender, message, **fields):
    given = {"session_id": CHAT, "user_id": USER, "at": AT, "group_id": "610000000000000101", "chat_name": "jobs"}
    return sender.post(message=message, **{**given, **fields})


def test_a_command_is_answered_without_a_model(sender):
    answer = say(sender, "!memory remember Bakes on Fridays 🥖", message_id="99")
    assert (answer.status_code, answer.json()["response"]) == (200, "Remembered: Bakes on Fridays 🥖")
    item = read(sender, FACTS)["items"][-1]
    place = {"channelId": "820000000000000001", "messageId": "99", "guildId": "610000000000000101"}
    assert item["source"] == {"type": "manual", **place, "channelName": "jobs"}
    shown = say(sender, "!memory show").json()["response"]
    assert shown.startswith(
        "**Durable memory:**\n- [fact] Bakes on Fridays 🥖 (src: manual, #jobs, updated 2026-11-20)"
    )
    forgot = say(sender, "!memory forget bakes on fridays")
    assert forgot.json()["response"] == "Forgot 1 item(s)."
    assert read(sender, FACTS)["items"][-1]["status"] == "deprecated"
    assert not ModelCall.objects.exists()


def test_a_command_sent_twice_is_carried_out_once(sender):
    first = say(sender, "!memory reset rolling", message_id="7")
    again = say(sender, "!memory reset rolling", message_id="7")
    assert first.json()["response"] == again.json()["response"] == "Rolling summary cleared for this session."
    assert not (sender.root / SUMMARY).exists()
    (change,) = ChangeSet.objects.filter(kind=ChangeSet.Kind.ANSWER)
    journal.undo(sender.bot, change, by=journal.By("owner"))
    assert read(sender, SUMMARY)["summary"]


def test_commands_that_are_turned_off_go_to_the_model(sender, model):
    set_to(sender, commands=False)
    model.plays("What should I remember?")
    assert say(sender, "!memory show").json()["response"] == "What should I remember?"


def test_a_message_is_answered_with_what_is_known_of_who_writes(sender, model):
    set_to(sender, short_term=True)
    model.plays("Tonight.")
    before = read(sender, SUMMARY)
    answer = say(sender, "When does the job run?", public=True)
    assert answer.json()["response"] == "Tonight."
    (asked,) = model.asked
    system = asked.messages[0]["content"]
    assert "Durable memory (user-specific notes):\n- [" in system
    assert f"Conversation memory:\n{before['summary']}" in system
    assert "# MEMORY.md" not in system
    assert read(sender, SUMMARY)["turnsSinceUpdate"] == before["turnsSinceUpdate"] + 1
    assert read(sender, SUMMARY)["summary"] == before["summary"]
    entry = read(sender, LATELY)["entries"][-1]
    assert (entry["channelName"], entry["summary"]) == ("jobs", "User: When does the job run? | Bot: Tonight.")


def test_notes_are_sent_along_in_direct_messages_only(sender, model):
    model.plays("Hi.")
    say(sender, "Hi", session_id=f"discord:dm:{USER}", at="2026-11-20T19:30:00Z")
    assert "Postgres is the queue" in model.asked[0].messages[0]["content"]


@pytest.mark.parametrize("more", [{}, {"public": False}, {"public": True, "group_id": None}])
def test_what_is_not_public_is_not_noted(sender, more):
    set_to(sender, short_term=True, capture="write")
    before = (sender.root / LATELY).read_bytes()
    assert say(sender, "hello", response="hi", **more).status_code == 200
    assert (sender.root / LATELY).read_bytes() == before


def test_what_the_bot_reports_is_only_logged_as_long_as_it_writes_itself(sender):
    before = sender.files()
    assert say(sender, "!memory remember x", response="Remembered: x").json()["stored"]["observed"]
    assert sender.files() == before
    set_to(sender, capture="write")
    assert say(sender, "!memory remember y", response="Remembered: y").json()["response"] == "Remembered: y"
    assert read(sender, FACTS)["items"][-1]["text"] == "y"


def test_a_malformed_file_stays_and_is_told(sender):
    set_to(sender, short_term=True, capture="write")
    (sender.root / LATELY).write_text("{")
    (sender.root / SUMMARY).write_text("[]")
    answer = say(sender, "hello", response="hi", public=True)
    assert answer.json()["stored"]["malformed"] == 2
    assert ((sender.root / LATELY).read_text(), (sender.root / SUMMARY).read_text()) == ("{", "[]")
    told = say(sender, "!memory remember x", user_id="710000000000000066").json()
    assert told["response"].startswith("Memory command error:")


def test_a_held_command_is_carried_out_once_it_is_accepted(sender):
    set_to(sender, deliveries="ask")
    before = (sender.root / FACTS).read_bytes()
    answer = say(sender, "!memory remember Bakes on Fridays", message_id="99").json()
    assert (answer["status"], answer["stored"]["held"]) == ("held", 1)
    assert (sender.root / FACTS).read_bytes() == before
    (row,) = Proposal.objects.all()
    assert (row.text, row.path) == ("Bakes on Fridays", FACTS)
    assert isinstance(review.accept(row.job, [1], journal.By("owner")), Accepted)
    item = read(sender, FACTS)["items"][-1]
    assert (item["text"], item["source"]["messageId"], item["createdAt"]) == ("Bakes on Fridays", "99", 1795203000000)
