"""What a call says of the group that its chat is in."""

from __future__ import annotations

import pytest

from memory.models import Delivery
from memory.webhook import call as turn_calls
from memory.webhook.capture import turn_of


def test_a_turn_knows_its_group_and_its_chats_name(sender):
    assert sender.turn("ok", group_id=61, chat_name="general", public=True).status_code == 200
    body = Delivery.objects.get().body
    assert (body["group_id"], body["chat_name"], body["public"]) == ("61", "general", "yes")
    call = turn_calls.parse(b'{"message": "x", "response": "y", "group_id": 61, "public": true}', sender.bot.created)
    turn = turn_of(sender.bot, call, answered=False)
    assert (turn.group_id, turn.chat_name, turn.is_public) == ("61", "", True)


@pytest.mark.parametrize("value", ["yes", 1, [], {}])
def test_whether_a_chat_is_public_is_said_by_yes_or_no(sender, value):
    answer = sender.turn("<memory>x</memory>", public=value)
    assert (answer.status_code, answer.json()) == (400, {"error": "invalid public"})
    assert sender.files() == {}
