"""One call, one turn: repeats are answered from the first result, also across a crash."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from memory import journal
from memory.models import ChangeSet, Delivery
from memory.storage.files import FileVault
from tests.support.together import together
from tests.webhook.conftest import SECRET, make_sender

REPLY = "ok <memory>Likes tea</memory>"
AT = "2026-03-04T05:06:07Z"


class Killed(BaseException):
    """The process ends here, as far as the code can tell."""


def entries(sender) -> int:
    return "".join(sender.files().values()).count("Likes tea")


def pass_ten_minutes() -> None:
    for delivery in Delivery.objects.all():
        delivery.received -= timedelta(minutes=10, seconds=1)
        head, sha256, bucket = delivery.webhook_id.split(":")
        delivery.webhook_id = f"{head}:{sha256}:{int(bucket) - 1}"
        delivery.save()


def test_repeat_of_a_message_id_is_answered_from_the_first_result(sender):
    first = sender.turn(REPLY, message_id="m1", at=AT)
    again = sender.turn("other words <memory>Likes cake</memory>", message_id="m1", at=AT)
    assert again.status_code == 200
    assert again.json() == first.json()
    assert sender.files() == {"2026-03-04.md": "## 05:06 — Likes tea\n\n"}
    assert Delivery.objects.count() == 1


def test_number_as_message_id_is_its_text(sender):
    sender.turn(REPLY, message_id=17)
    sender.turn(REPLY + " ", message_id="17")
    assert Delivery.objects.get().message_id == "17"


def test_message_ids_of_two_bots_have_nothing_to_do_with_each_other(sender, tmp_path):
    other = make_sender(tmp_path, "other", "the other bot's secret")
    sender.turn(REPLY, message_id="m1")
    other.turn(REPLY, message_id="m1")
    assert (entries(sender), entries(other)) == (1, 1)


def test_same_body_within_ten_minutes_is_answered_from_the_first_result(sender):
    first = sender.turn(REPLY, chat_id=None)
    assert sender.turn(REPLY, chat_id=None).json() == first.json()
    assert Delivery.objects.count() == 1
    assert entries(sender) == 1


def test_same_body_ten_minutes_later_is_another_turn(sender):
    sender.turn(REPLY, at=AT)
    pass_ten_minutes()
    assert sender.turn(REPLY, at=AT).status_code == 200
    assert Delivery.objects.count() == 2


def test_same_body_of_another_bot_is_another_turn(sender, tmp_path):
    other = make_sender(tmp_path, "other", "the other bot's secret")
    sender.turn(REPLY)
    other.turn(REPLY)
    assert (entries(sender), entries(other)) == (1, 1)


def test_standard_id_is_remembered(sender):
    body = b'{"message": "m", "response": "ok <memory>Likes tea</memory>"}'
    first = sender.standard(body)
    assert sender.standard(body).json() == first.json()
    assert Delivery.objects.count() == 1
    sender.standard(body, name="msg_2")
    assert Delivery.objects.count() == 2


def test_a_repeat_is_called_one(sender):
    assert "Idempotent-Replayed" not in sender.turn(REPLY, message_id="m1")
    again = sender.turn(REPLY, message_id="m1")
    assert again["Idempotent-Replayed"] == "true"
    assert again.json()["stored"]["memories"] == 1


def test_call_that_came_to_nothing_is_tried_anew(sender):
    assert sender.post(message="hello", message_id="m1").status_code == 503
    assert sender.turn(REPLY, message_id="m1").status_code == 200
    assert entries(sender) == 1
    assert Delivery.objects.get().status == 200


def test_busy_memory_is_409_and_the_call_is_taken_later(sender, monkeypatch):
    def busy(*_args, **_kwargs):
        raise journal.Busy("busy")

    with monkeypatch.context() as patch:
        patch.setattr(journal, "commit", busy)
        answer = sender.turn(REPLY, message_id="m1")
    assert answer.status_code == 409
    assert answer["Retry-After"] == "1"
    assert sender.turn(REPLY, message_id="m1").status_code == 200
    assert entries(sender) == 1


@pytest.mark.parametrize("step", ["before the append", "after the append"])
def test_call_that_was_cut_off_is_finished_by_its_repeat(sender, monkeypatch, step):
    real = FileVault.append

    def append(self, path, data, **more):
        if step == "after the append":
            real(self, path, data, **more)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(FileVault, "append", append)
        with pytest.raises(Killed):
            sender.turn(REPLY, message_id="m1", at=AT)
    assert Delivery.objects.get().change_set.state == ChangeSet.State.WRITING
    again = sender.turn(REPLY, message_id="m1", at=AT)
    assert again.status_code == 200
    assert again.json()["response"] == "ok"
    assert again.json()["stored"]["memories"] == 1
    assert sender.files() == {"2026-03-04.md": "## 05:06 — Likes tea\n\n"}
    delivery = Delivery.objects.get()
    assert delivery.status == 200
    assert delivery.change_set.state == ChangeSet.State.APPLIED


@pytest.mark.parametrize("fields", [{"message_id": "m1"}, {}], ids=["by message id", "by body"])
def test_copies_that_come_at_the_same_time_are_one_turn(transactional_db, kenoweb_home, tmp_path, fresh_tally, fields):
    sender = make_sender(tmp_path, "keno", SECRET)

    def call():
        own = type(sender)(sender.bot, sender.root, Client(), sender.secret)
        return own.turn(REPLY, at=AT, **fields)

    answers = together(6, call)
    assert [answer.status_code for answer in answers] == [200] * 6
    assert all(answer.json() == answers[0].json() for answer in answers)
    assert Delivery.objects.count() == 1
    assert sender.files() == {"2026-03-04.md": "## 05:06 — Likes tea\n\n"}
