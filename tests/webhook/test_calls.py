"""What a call may hold, and what becomes of each field."""

from __future__ import annotations

import json
import re

import pytest
from gunicorn.http.errors import ChunkMissingTerminator, InvalidChunkSize, NoMoreData

from memory.models import ChangeSet, Delivery, RefusedCalls

MIB = 1024 * 1024
BAD_JSON = {
    "empty": b"",
    "text": b"hello",
    "cut": b'{"message": "x"',
    "bom": b'\xef\xbb\xbf{"message": "x"}',
    "latin-1": b'{"message": "caf\xe9"}',
    "utf-16": '{"message": "x"}'.encode("utf-16"),
    "nan": b'{"message": "x", "n": NaN}',
    "infinity": b'{"message": "x", "n": -Infinity}',
    "deep list": b'{"message": "x", "a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep object": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "deep, never closed": b"[" * 500_000,
    "number without end": b'{"message": "x", "n": ' + b"9" * 10_000 + b"}",
}


def error(answer, status: int) -> str:
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/json"
    return answer.json()["error"]


@pytest.mark.parametrize("body", BAD_JSON.values(), ids=BAD_JSON.keys())
def test_signed_body_that_is_no_json_is_400(sender, body):
    assert error(sender.raw(body), 400) == "invalid json"
    assert sender.files() == {}


@pytest.mark.parametrize(
    "body",
    [b"null", b"[]", b"7", b'"text"', b"true", b"{}", b'{"message": ""}', b'{"message": null}', b'{"message": 5}'],
)
def test_signed_body_without_message_is_400(sender, body):
    assert error(sender.raw(body), 400) == "missing message field"


def test_message_of_white_space_is_taken(sender):
    assert sender.post(message=" ", response="ok").status_code == 200


@pytest.mark.parametrize("method", ["get", "put", "patch", "delete", "options", "head"])
def test_other_methods_are_405(sender, method):
    answer = getattr(sender.client, method)("/webhook?message=x")
    assert answer.status_code == 405
    assert answer["Allow"] == "POST"
    if method != "head":
        assert answer.json() == {"error": "method not allowed"}


def test_unknown_bot_is_refused_like_a_bad_signature(sender):
    sender.url = "/webhook/nobody"
    assert error(sender.turn("ok"), 401) == "invalid signature"


def test_named_bot_takes_only_its_own_secrets(sender, tmp_path):
    from tests.webhook.conftest import make_sender

    other = make_sender(tmp_path, "other", "the other bot's secret")
    other.url = "/webhook/keno"
    assert error(other.turn("<memory>x</memory>"), 401) == "invalid signature"
    other.url = "/webhook"
    assert other.turn("<memory>x</memory>").status_code == 200
    assert sender.files() == {}
    assert len(other.files()) == 1
    sender.url = "/webhook/keno"
    assert sender.turn("<memory>y</memory>").status_code == 200


def test_body_of_one_mebibyte_is_taken(sender):
    head = b'{"message": "x", "response": "'
    body = head + b"a" * (MIB - len(head) - 2) + b'"}'
    assert len(body) == MIB
    assert sender.raw(body).status_code == 200


def test_body_of_one_byte_more_is_413(sender):
    assert error(sender.raw(b"a" * (MIB + 1)), 413) == "body too large"
    assert not Delivery.objects.exists()


def test_declared_length_is_refused_before_anything_is_read(sender):
    class Trap:
        def read(self, size: int = -1) -> bytes:
            raise AssertionError("the body was read")

        readline = read

    answer = sender.client.generic("POST", "/webhook", **{"CONTENT_LENGTH": str(MIB + 1), "wsgi.input": Trap()})
    assert error(answer, 413) == "body too large"


def test_chunked_body_is_read_no_further_than_the_bound(sender):
    class Endless:
        given = 0

        def read(self, size: int = -1) -> bytes:
            assert size > 0
            self.given += size
            return b"x" * size

        readline = read

    stream = Endless()
    extra = {"CONTENT_LENGTH": "", "wsgi.input": stream, "wsgi.input_terminated": True}
    assert error(sender.client.generic("POST", "/webhook", **extra), 413) == "body too large"
    assert stream.given == MIB + 1


def test_chunked_body_is_taken(sender):
    import io

    from memory.webhook.signatures import sign_body

    body = b'{"message": "x", "response": "ok"}'
    extra = {
        "CONTENT_LENGTH": "",
        "wsgi.input": io.BytesIO(body),
        "wsgi.input_terminated": True,
        "HTTP_X_WEBHOOK_SIGNATURE": sign_body(sender.secret, body),
    }
    assert sender.client.generic("POST", "/webhook", **extra).json()["response"] == "ok"


@pytest.mark.parametrize("broken", [InvalidChunkSize(b"zz"), ChunkMissingTerminator(b"x"), NoMoreData(), OSError()])
def test_body_that_breaks_off_is_400(sender, broken):
    class Broken:
        def read(self, size: int = -1) -> bytes:
            raise broken

        readline = read

    extra = {"CONTENT_LENGTH": "", "wsgi.input": Broken(), "wsgi.input_terminated": True}
    assert error(sender.client.generic("POST", "/webhook", **extra), 400) == "failed to read body"


def test_turn_is_written_as_kenobot_writes_it(sender):
    reply = "Noted.\n\n\n<memory>Likes tea</memory><chat-memory>About\ntea</chat-memory><working-memory>- tea\n</working-memory>"
    answer = sender.turn(reply, at="2026-03-04T05:06:07Z")
    assert answer.status_code == 200
    assert answer.json()["response"] == "Noted."
    assert answer.json()["status"] == "ok"
    assert answer.json()["stored"]["memories"] == 1
    assert sender.files() == {
        "2026-03-04.md": "## 05:06 — Likes tea\n\n",
        "chats/http-7/2026-03-04.md": "## 05:06 — About\ntea\n\n",
        "working/http-7.md": "- tea",
    }


def test_turn_is_one_change_set_with_its_delivery(sender):
    sender.turn("<memory>a</memory><chat-memory>b</chat-memory>", message_id="m1")
    delivery = Delivery.objects.get()
    assert delivery.status == 200
    assert delivery.milliseconds > 0
    assert delivery.session_id == "http-7"
    assert delivery.body["message"] == "hello"
    assert delivery.answer["status"] == "ok"
    assert delivery.change_set.kind == ChangeSet.Kind.CAPTURE
    assert delivery.change_set.by == "delivery"
    assert delivery.change_set.revisions.count() == 2


def test_turn_that_remembers_nothing_is_a_delivery_all_the_same(sender):
    assert sender.turn("Just talk.").json()["response"] == "Just talk."
    delivery = Delivery.objects.get()
    assert (delivery.status, delivery.change_set) == (200, None)
    assert sender.files() == {}


def test_observing_bot_keeps_its_files_as_they_are(sender):
    sender.bot.settings = {"capture": "observe"}
    sender.bot.save()
    answer = sender.turn("ok <memory>Likes tea</memory><working-memory>x</working-memory>")
    assert answer.json()["response"] == "ok"
    assert sender.files() == {}
    assert Delivery.objects.get().change_set is None


def test_entry_that_the_bot_wrote_itself_is_not_doubled(sender):
    (sender.root / "2026-03-04.md").write_text("## 05:05 — Likes tea\n\n")
    answer = sender.turn("<memory>Likes tea</memory><memory>Likes cake</memory>", at="2026-03-04T05:06:00Z")
    assert answer.json()["stored"]["already"] == 1
    assert sender.files()["2026-03-04.md"] == "## 05:05 — Likes tea\n\n## 05:06 — Likes cake\n\n"


def test_day_and_time_are_the_bots(sender):
    sender.bot.time_zone = "America/Mexico_City"
    sender.bot.save()
    sender.turn("<memory>late</memory>", at="2026-03-05T05:30:00")
    assert sender.files() == {"2026-03-04.md": "## 23:30 — late\n\n"}


@pytest.mark.parametrize(
    "at",
    [
        "",
        "yesterday",
        "2026-13-45",
        "2026-02-30T10:00:00Z",
        1700000000,
        True,
        [],
        {},
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-12:00",
        "1969-01-01",
        "2999-01-01T00:00:00Z",
        "2026-01-01T00:00:00+99:00",
    ],
)
def test_unreadable_or_absurd_time_is_400(sender, at):
    assert error(sender.turn("<memory>x</memory>", at=at), 400) == "invalid at"
    assert sender.files() == {}


@pytest.mark.parametrize("chat", [None, "", 0, False, 0.0])
def test_chat_that_is_not_named_is_a_chat_of_this_call(sender, chat):
    answer = sender.turn("<chat-memory>x</chat-memory>", chat_id=chat)
    assert answer.status_code == 200
    assert re.fullmatch(r"http-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", Delivery.objects.get().session_id)


@pytest.mark.parametrize(
    ("fields", "session"),
    [
        ({"chat_id": 42}, "http-42"),
        ({"chat_id": -100}, "http--100"),
        ({"chat_id": 42.0}, "http-42"),
        ({"chat_id": "a b"}, "http-a b"),
        ({"chat_id": "7", "channel": "telegram"}, "telegram-7"),
        ({"chat_id": "7", "channel": ""}, "http-7"),
        ({"chat_id": "7", "session_id": "http-http-7"}, "http-http-7"),
        ({"chat_id": "7", "session_id": ""}, "http-7"),
        ({"chat_id": "7", "session_id": None}, "http-7"),
    ],
)
def test_session_id_is_made_of_channel_and_chat(sender, fields, session):
    sender.turn("ok", **fields)
    assert Delivery.objects.get().session_id == session


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"chat_id": True}, "invalid chat_id"),
        ({"chat_id": []}, "invalid chat_id"),
        ({"chat_id": {"id": 1}}, "invalid chat_id"),
        ({"chat_id": "../../x"}, "invalid chat_id"),
        ({"chat_id": "a/b"}, "invalid chat_id"),
        ({"chat_id": "a\0b"}, "invalid chat_id"),
        ({"chat_id": "x" * 300}, "invalid chat_id"),
        ({"chat_id": "é" * 130}, "invalid chat_id"),
        ({"chat_id": "\ud800"}, "invalid chat_id"),
        ({"session_id": "../../x"}, "invalid session_id"),
        ({"session_id": "a/b"}, "invalid session_id"),
        ({"session_id": "."}, "invalid session_id"),
        ({"session_id": ".."}, "invalid session_id"),
        ({"session_id": "a\0"}, "invalid session_id"),
        ({"session_id": "x" * 300}, "invalid session_id"),
        ({"session_id": "x" * 254}, "invalid session_id"),
        ({"session_id": 5}, "invalid session_id"),
        ({"session_id": "\udc80"}, "invalid session_id"),
        ({"channel": "a/b"}, "invalid chat_id"),
        ({"channel": {}}, "invalid channel"),
        ({"response": 5}, "invalid response"),
        ({"message_id": "x" * 256}, "invalid message_id"),
        ({"message_id": []}, "invalid message_id"),
        ({"message_id": "a\0b"}, "invalid message_id"),
    ],
)
def test_field_that_cannot_be_taken_is_400(sender, fields, said):
    reply = "<memory>x</memory><chat-memory>y</chat-memory><working-memory>z</working-memory>"
    answer = sender.post(**{"message": "hello", "chat_id": "7", "response": reply, **fields})
    assert error(answer, 400) == said
    assert sender.files() == {}
    assert not Delivery.objects.exists()
    assert RefusedCalls.objects.get().count == 1


def test_session_that_would_hide_among_our_own_files_is_400(sender):
    for session in (".kenoweb-x", ".kenoweb-a1-0.old"):
        answer = sender.turn("<working-memory>x</working-memory>", session_id=session)
        assert error(answer, 400) == "invalid session_id"
    assert sender.files() == {}


def test_half_a_surrogate_pair_is_written_as_node_writes_it(sender):
    body = b'{"message": "x", "chat_id": "7", "at": "2026-03-04T05:06:00Z", "response": "cut \\ud83d <memory>cut \\ud83d</memory>"}'
    answer = sender.raw(body)
    assert answer.json()["response"] == "cut \ufffd"
    assert sender.files() == {"2026-03-04.md": "## 05:06 — cut \ufffd\n\n"}


def test_nul_in_a_turn_is_taken(sender):
    assert sender.turn("a\0b <memory>c\0d</memory>", message="m\0").status_code == 200


def test_turn_without_a_reply_has_no_model_to_ask(sender):
    answer = sender.post(message="hello", chat_id="7")
    assert answer.status_code == 503
    assert answer.json() == {"error": "no language model is configured", "status": "error"}
    assert Delivery.objects.get().status == 503
    assert sender.post(message="hello", chat_id="7", response=None).status_code == 503


def test_memory_that_cannot_be_written_is_503_and_taken_later(sender):
    chats = sender.root / "chats"
    chats.write_text("a file where a directory should be")
    answer = sender.turn("<chat-memory>x</chat-memory>", message_id="m1")
    assert answer.status_code == 503
    assert answer.json()["status"] == "error"
    assert str(sender.root) not in answer.content.decode()
    chats.unlink()
    again = sender.turn("<chat-memory>x</chat-memory>", message_id="m1")
    assert again.status_code == 200
    assert len(sender.files()) == 1
    delivery = Delivery.objects.get()
    assert delivery.status == 200
    assert delivery.change_set is not None


def test_no_answer_holds_a_path_of_this_machine(sender):
    for answer in (
        sender.turn("<memory>x</memory>"),
        sender.turn("x", chat_id="../../etc/passwd"),
        sender.raw(b"{", "sha256=0"),
    ):
        assert str(sender.root.parent) not in json.dumps(answer.json())


def test_rate_of_a_secret_is_bounded(sender, settings):
    settings.WEBHOOK_RATE = 3
    assert [sender.turn("ok", message=str(n)).status_code for n in range(4)] == [200, 200, 200, 429]
    answer = sender.turn("ok")
    assert error(answer, 429) == "too many calls"
    assert 1 <= int(answer["Retry-After"]) <= 20


def test_calls_of_strangers_do_not_use_up_the_rate(sender, settings):
    settings.WEBHOOK_RATE = 1
    for _ in range(5):
        sender.raw(b"{}", "sha256=" + "0" * 64)
    assert sender.turn("ok").status_code == 200


def test_long_entry_that_the_bot_wrote_itself_is_not_doubled(sender):
    long = "A long memory. " * 1000
    (sender.root / "2026-03-04.md").write_text(f"## 04:00 — Old\n\n## 05:05 — {long.strip()}\n\n")
    assert sender.turn(f"<memory>{long}</memory>", at="2026-03-04T05:06:00Z").json()["stored"]["already"] == 1
    assert sender.files()["2026-03-04.md"].count("A long memory.") == 1000


def test_home_that_cannot_be_written_is_503_without_a_path(sender, settings, tmp_path):
    (tmp_path / "file").write_bytes(b"")
    settings.KENOWEB_HOME = tmp_path / "file"
    answer = sender.turn("<memory>x</memory>")
    assert (answer.status_code, sender.files()) == (503, {})
    assert "/" not in answer.json()["error"]


@pytest.mark.parametrize("digits", [309, 310, 4300])
@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize("field", ["chat_id", "channel", "message_id", "user_id", "reply_to", "group_id", "chat_name"])
def test_a_number_that_no_bot_can_hold_is_400(sender, field, sign, digits):
    body = f'{{"message": "x", "response": "ok", "{field}": {sign}{"9" * digits}}}'
    assert error(sender.raw(body.encode()), 400) == f"invalid {field}"
    assert sender.files() == {}


@pytest.mark.parametrize("chat", [".git", "node_modules"])
def test_chat_that_would_be_written_where_no_walk_goes_is_refused(sender, chat):
    assert sender.turn("<memory>x</memory>", session_id=chat).status_code == 400
    assert sender.files() == {}
    assert not Delivery.objects.filter(status=200).exists()


def test_chat_whose_directory_is_a_link_out_of_the_memory_is_refused_and_shown(sender, fresh_tally, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (sender.root / "chats").mkdir()
    link = sender.root / "chats" / "http-7"
    link.symlink_to(tmp_path / "elsewhere")

    def turn():
        return sender.turn("<chat-context>theirs</chat-context><memory>x</memory>", chat_id="7", message_id="m1")

    assert error(turn(), 400) == "the chat's directory is a link out of the memory"
    assert list((tmp_path / "elsewhere").iterdir()) == []
    shown = RefusedCalls.objects.get()
    assert (shown.status, shown.reason) == (400, "the chat's directory is a link out of the memory")
    link.unlink()
    assert turn().status_code == 200  # the same message, once the link is gone
