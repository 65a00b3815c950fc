"""The client before a server that plays every mood: what comes of it, how soon, and what was sent."""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from subprocess import run
from threading import Event, active_count, enumerate as enumerate_threads

import pytest

from memory import llm
from memory.llm import Fault, ModelFailed, Server
from memory.text.message import Message
from tests.llm import server
from tests.llm.server import Play, Playing, answers, broken, busy, good, refused, reset, slow, trickling
from tests.support.together import until

QUESTION = [Message("system", "You are brief."), Message("user", "Who are you?")]
SENT = [{"role": "system", "content": "You are brief."}, {"role": "user", "content": "Who are you?"}]
SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
    "additionalProperties": False,
}


@pytest.fixture(autouse=True)
def _forget(monkeypatch):
    """What a server was found to take is kept for a process, and tests are many processes."""
    monkeypatch.setattr("memory.llm.question._ways", {})


@pytest.fixture
def where(model):
    return Server(model.url, "sk-a-key", "tiny", 10)


def ask(where, **more):
    return llm.ask(where, QUESTION, **more)


def failed(where, **more):
    with pytest.raises(ModelFailed) as caught:
        ask(where, **more)
    return caught.value


def took(call):
    began = time.monotonic()
    call()
    return time.monotonic() - began


def test_an_answer(where, model):
    model.plays(good("  I am a test.\n"))
    reply = ask(where, most=77)
    assert (reply.text, reply.counted, reply.tries) == ("I am a test.", True, 1)
    assert (reply.tokens_in, reply.tokens_out) == (6, 4)
    assert 0 < reply.seconds < 5
    asked = model.asked[0]
    assert (asked.path, asked.key) == ("/v1/chat/completions", "Bearer sk-a-key")
    assert asked.body == {
        "model": "tiny",
        "max_tokens": 77,
        "messages": SENT,
    }


def test_a_server_without_a_key_is_sent_none(model):
    assert ask(Server(model.url, "", "tiny", 10)).text == "Good."
    assert model.asked[0].key is None


@pytest.mark.parametrize("role", ["tool", "function", "x"])
def test_what_is_neither_asked_nor_answered_is_told_as_the_users(where, model, role):
    llm.ask(where, [Message(role, "42 degrees")])
    assert model.asked[0].messages == [{"role": "user", "content": "42 degrees"}]


@pytest.mark.parametrize("text", ["caf\udce9", "caf\0"])
def test_what_is_no_text_is_asked_with_a_mark_in_its_place(where, model, text):
    llm.ask(where, [Message("user", text)])
    assert model.asked[0].messages == [{"role": "user", "content": "caf\ufffd"}]


def test_an_address_may_end_in_a_slash(where, model):
    assert ask(Server(model.url + "/", "", "tiny", 10)).text == "Good."


def test_the_environment_for_programs_of_openais_counts_for_nothing(where, model, monkeypatch):
    for name in ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID"):
        monkeypatch.setenv(f"OPENAI_{name}", "stolen")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    ask(where)
    ask(Server(model.url, "", "tiny", 10))
    assert [one.key for one in model.asked] == ["Bearer sk-a-key", None]
    assert all("stolen" not in str(one.headers) for one in model.asked)


def test_a_proxy_is_not_asked_for_this_machine(where, model, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert ask(where).text == "Good."


# What goes well the second or third time


@pytest.mark.parametrize(
    ("plays", "tries"),
    [
        ([busy()], 2),
        ([broken(), broken()], 3),
        ([broken(500), broken(502), broken(504)], 4),
        ([reset()], 2),
        ([Play(body={"error": {"code": 429, "message": "slow down"}})], 2),
        ([broken(408)], 2),
    ],
)
def test_what_passes_is_tried_again(where, model, plays, tries):
    model.plays(*plays, "At last.")
    reply = ask(where)
    assert (reply.text, reply.tries, len(model.asked)) == ("At last.", tries, tries)


@pytest.mark.slow
def test_pauses_grow(where, model, monkeypatch):
    monkeypatch.setattr("memory.llm.question.FIRST_WAIT", 0.2)
    model.plays(broken(), broken(), broken(), "At last.")
    ask(where)
    times = [one.at for one in model.asked]
    pauses = [after - before for before, after in pairwise(times)]
    assert all(least <= pause < least + 2 for least, pause in zip((0.1, 0.2, 0.4), pauses, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(
    "header",
    [lambda: "1", lambda: "0.9", lambda: format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)],
)
def test_a_server_is_left_alone_for_as_long_as_it_asks(where, model, header):
    model.plays(lambda _messages: busy(header()), "At last.")
    ask(where)
    assert 0.85 <= model.asked[1].at - model.asked[0].at < 4


@pytest.mark.parametrize("header", ["-5", "nan", "inf", "soon", "", "9" * 400, "Wed, 99 Foo 2026 00:00:00 GMT"])
def test_a_senseless_wait_is_none(where, model, header):
    model.plays(busy(header), "At last.")
    assert took(lambda: ask(where)) < 2


def test_a_wait_beyond_the_deadline_is_not_begun(where, model):
    model.plays(busy(3600), "Never.")
    assert took(lambda: failed(where)) < 2
    assert len(model.asked) == 1


# The deadline


@pytest.mark.parametrize(
    "play",
    [
        slow(30),
        trickling(0.05, "x" * 5000),
        trickling(whole_head=False),
        Play(status=503, trickle=0.05, body=b"x" * 5000),
    ],
    ids=["silent", "trickling", "long head", "trickling error"],
)
def test_the_deadline_holds_whatever_the_server_does(where, model, play):
    model.plays(play)
    before = active_count()
    errors = []
    assert 0.4 <= took(lambda: errors.append(failed(where, seconds=0.4))) < 5  # all of it would take 15 and more
    assert errors[0].fault == Fault.TIMEOUT
    assert str(errors[0]) == "The language model didn’t answer within 0.4 seconds."
    assert until(lambda: active_count() <= before + 1)  # the server's own


def test_questions_share_a_thread_and_a_connection(where, model):
    ask(where)
    before = active_count()
    for _ in range(5):
        ask(where)
    assert active_count() <= before
    assert [one.name for one in enumerate_threads()].count("language model") == 1
    assert len({one.port for one in model.asked}) == 1


def test_a_connection_that_was_closed_meanwhile_is_made_anew(where, model):
    model.plays(Play("One.", headers={"Connection": "close"}), "Two.")
    assert [ask(where).text, ask(where).text] == ["One.", "Two."]


def test_no_cookie_goes_back(where, model):
    model.plays(Play("One.", headers={"Set-Cookie": "who=me; Path=/"}), "Two.")
    assert [ask(where).text, ask(where).text] == ["One.", "Two."]
    assert "Cookie" not in model.asked[1].headers


@pytest.mark.slow
def test_a_slow_question_keeps_no_other_waiting(where, model):
    model.plays(slow(30), "Quick.")
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(failed, where, seconds=3)
        assert until(lambda: model.asked)
        assert took(lambda: ask(where)) < 2.5
        assert waiting.result().fault == Fault.TIMEOUT


@pytest.mark.parametrize("seconds", [0, -3.5])
def test_without_time_nothing_is_sent(where, model, seconds):
    assert failed(where, seconds=seconds).fault == Fault.TIMEOUT
    assert model.asked == []


@pytest.mark.slow
def test_the_deadline_is_over_all_tries(where, model):
    model.plays(broken(), slow(30))
    assert failed(where, seconds=2).fault == Fault.TIMEOUT
    assert len(model.asked) == 2


def test_a_late_answer_is_nobodys(where, model):
    late = Event()
    model.plays(lambda messages: "In time." if messages == SENT else late.wait(20) and "Late.")
    with pytest.raises(ModelFailed) as caught:
        llm.ask(where, [Message("user", "Are you late?")], seconds=0.5)
    assert caught.value.fault == Fault.TIMEOUT
    assert ask(where).text == "In time."
    late.set()
    assert ask(where).text == "In time."


def test_many_at_once_get_their_own_answers(where, model):
    model.plays(lambda messages: messages[-1]["content"].upper())
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: llm.ask(where, [Message("user", f"word {n}")]).text, range(24)))
    assert found == [f"WORD {n}" for n in range(24)]


# Faults that no trying again mends


@pytest.mark.parametrize(
    ("play", "fault", "said"),
    [
        (server.denied(), Fault.REFUSED, "rejected the key in LLM_API_KEY (status 401)"),
        (server.denied(403), Fault.REFUSED, "(status 403)"),
        (broken(404), Fault.REFUSED, "doesn’t know LLM_MODEL at LLM_BASE_URL (status 404)"),
        (refused(418), Fault.REFUSED, "rejected the request (status 418)"),
        (refused(402), Fault.REFUSED, "is out of credit"),
        (refused(429, code="insufficient_quota"), Fault.REFUSED, "is out of credit"),
        (refused(400, code="context_length_exceeded"), Fault.REFUSED, "The request is too long"),
        (refused(413), Fault.REFUSED, "The request is too long"),
        (server.refusal(), Fault.DECLINED, "refused to answer"),
        (server.filtered(), Fault.DECLINED, "refused to answer"),
        (server.empty(), Fault.EMPTY, "was empty"),
        (good(" \n\t"), Fault.EMPTY, "was empty"),
        (good(None), Fault.EMPTY, "was empty"),
        (good("<think>a plan, and no answer</think>"), Fault.EMPTY, "was empty"),
        (server.cut_off("a long answer"), Fault.CUT_OFF, "cut off"),
        (good("<think>for ever", finish="length"), Fault.CUT_OFF, "cut off"),
        (server.wrong_type(), Fault.WRONG_SHAPE, "didn’t return a completion"),
        (server.without_choices(), Fault.WRONG_SHAPE, "didn’t return a completion"),
        (server.not_json(), Fault.WRONG_SHAPE, "didn’t return a completion"),
        (server.html(), Fault.WRONG_SHAPE, "didn’t return a completion"),
        (Play(body=b""), Fault.WRONG_SHAPE, "didn’t return a completion"),
        (Play(body=b"\xff\xfe"), Fault.WRONG_SHAPE, "didn’t return a completion"),
        (Play(body=b"[" * 100_000), Fault.WRONG_SHAPE, "didn’t return a completion"),
        (Play(body={"choices": "abc"}), Fault.WRONG_SHAPE, "didn’t return a completion"),
        (Play(body={"choices": [None]}), Fault.WRONG_SHAPE, "didn’t return a completion"),
        (Play(body={"choices": [{"message": {"content": [7]}}]}), Fault.WRONG_SHAPE, "didn’t return a completion"),
        (Play(body={"error": "model not loaded"}), Fault.WRONG_SHAPE, "didn’t return a completion"),
        (Play(body=b"x" * (17 << 20)), Fault.WRONG_SHAPE, "didn’t return a completion"),
        (Play(status=204, body=b""), Fault.REFUSED, "(status 204)"),
    ],
)
def test_faults_have_their_sentence(where, model, play, fault, said):
    model.plays(play)
    error = failed(where)
    assert error.fault == fault
    assert said in str(error)
    assert str(error).endswith(".")
    assert error.tries == len(model.asked) == 1
    for secret in ("sk-", "127.0.0.1", "http", model.url):
        assert secret not in str(error)


@pytest.mark.parametrize(
    ("play", "fault", "said"),
    [
        (busy(), Fault.BUSY, "The language model is over its rate limit (status 429)."),
        (broken(), Fault.BROKEN, "The language model’s server failed (status 503)."),
        (reset(), Fault.UNREACHABLE, "The language model can’t be reached."),
    ],
)
def test_what_does_not_pass_is_given_up_after_four_tries(where, model, play, fault, said):
    model.plays(play)
    error = failed(where)
    assert (error.fault, str(error), error.tries, len(model.asked)) == (fault, said, 4, 4)
    assert error.passes


def test_no_more_of_an_error_is_read_than_says_what_it_is(where, model):
    model.plays(Play(status=418, body=b"x" * (32 << 20)))
    assert "(status 418)" in str(failed(where))


@pytest.mark.parametrize("address", ["http://127.0.0.1:1/v1", "http://[bad/v1", "http://127.0.0.1:99999/v1"])
def test_a_server_that_is_not_there(where, address):
    error = failed(Server(address, "sk-a-key", "tiny", 10))
    assert error.fault in (Fault.UNREACHABLE, Fault.REFUSED)
    assert "127" not in str(error)


def test_a_key_that_no_header_holds_is_an_error_and_no_crash(where, caplog):
    error = failed(Server(where.address, "ké\n", "tiny", 10))
    assert error.fault == Fault.REFUSED
    assert "ké" not in str(error) + caplog.text


def test_a_reply_that_could_not_be_used_comes_with_the_error(where, model):
    model.plays(server.cut_off("one two three four"))
    assert failed(where).reply.text == "one two t"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_the_key_goes_nowhere_else(where, model, status):
    with Playing() as elsewhere:
        model.plays(server.moved(f"{elsewhere.url}/chat/completions", status))
        error = failed(where)
        assert elsewhere.asked == []
    assert error.fault == Fault.REFUSED
    assert str(error) == f"LLM_BASE_URL redirects elsewhere (status {status}). Nothing is sent there."


# What servers take


def test_a_schema_is_sent_to_whom_can_hold_to_it(where, model):
    model.plays(answers({"name": "Ana"}))
    ask(where, schema=SCHEMA)
    sent = model.asked[0].body["response_format"]
    assert sent == {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True}}
    assert model.asked[0].messages[-1]["content"] == "Who are you?"


@pytest.mark.parametrize("schema", [{"type": "object"}, {**SCHEMA, "required": []}, {"anyOf": [{"type": "object"}]}])
def test_a_schema_that_openai_would_not_take_as_strict_is_not_called_so(where, model, schema):
    ask(where, schema=schema)
    assert model.asked[0].body["response_format"]["json_schema"]["strict"] is False


@pytest.mark.parametrize(
    ("refuses", "kind"), [({"json_schema"}, {"type": "json_object"}), ({"json_schema", "json_object"}, None)]
)
def test_who_does_not_take_a_schema_is_told_it_in_words_and_asked_so_from_then_on(where, model, refuses, kind):
    model.refuses = refuses
    model.plays(answers({"name": "Ana"}))
    assert ask(where, schema=SCHEMA).tries == len(refuses) + 1
    last = model.asked[-1]
    assert last.body.get("response_format") == kind
    assert '"additionalProperties": false' in last.messages[-1]["content"]
    assert ask(where, schema=SCHEMA).tries == 1
    another = Server(where.address, where.key, "another", 10)
    assert ask(another, schema=SCHEMA).tries == len(refuses) + 1


def test_who_calls_the_bound_by_its_new_name_is_asked_so_from_then_on(where, model):
    model.refuses = {"max_tokens"}
    assert ask(where, most=5).tries == 2
    assert ask(where, most=5).tries == 1
    assert model.asked[-1].body["max_completion_tokens"] == 5
    assert "max_tokens" not in model.asked[-1].body


def test_both_at_once(where, model):
    model.refuses = {"max_tokens", "json_schema", "json_object"}
    assert ask(where, schema=SCHEMA).tries == 4
    assert ask(where).tries == 1


def test_a_question_refused_for_another_reason_teaches_nothing(where, model):
    model.plays(refused(400, "The model is asleep."))
    assert failed(where, schema=SCHEMA).fault == Fault.REFUSED
    model.plays(answers({"name": "Ana"}))
    assert ask(where, schema=SCHEMA).tries == 1
    assert model.asked[-1].body["response_format"]["type"] == "json_schema"


def test_a_text_in_parts_is_joined(where, model):
    parts = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "I am"}, {"type": "text", "text": " I."}]
    model.plays(Play(body={"choices": [{"message": {"content": parts}}]}))
    assert ask(where).text == "I am I."


def test_what_no_file_can_hold_does_not_come_in(where, model):
    model.plays(good("nul \0, half \ud83d, whole 🦀"))
    assert ask(where).text == "nul \ufffd, half \ufffd, whole 🦀"


@pytest.mark.slow
def test_nothing_is_loaded_before_it_is_asked(tmp_path):
    code = (
        "import django; django.setup()\n"
        "from memory import llm; from memory.llm import budget; from kenoweb import urls; import sys\n"
        "print([name for name in ('httpx2',) if name in sys.modules])"
    )
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "kenoweb.settings", "KENOWEB_HOME": str(tmp_path)}
    done = run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
