"""Who gets in: tokens, scopes, rates, and what everybody else is told."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone

from memory.access import api_tokens, credentials
from memory.models import ApiToken, Bot
from tests.web.api.conftest import Program
from tests.web.conftest import make_bot

WRITES = [
    ("PUT", "document", {"path": "MEMORY.md", "text": "gone"}),
    ("POST", "facts", {"text": "new"}),
    ("PATCH", "facts", {"path": "MEMORY.md", "key": "0" * 32, "text": "new"}),
    ("POST", "facts/forget", {"facts": [{"path": "MEMORY.md", "key": "0" * 32}]}),
    ("POST", "facts/move", {"facts": [{"path": "MEMORY.md", "key": "0" * 32}], "to": "shared"}),
    ("POST", "facts/merge", {"facts": [{"path": "MEMORY.md", "key": "0" * 32}], "text": "x"}),
    ("POST", "facts/split", {"path": "MEMORY.md", "key": "0" * 32, "parts": ["a", "b"]}),
    ("POST", "facts/pin", {"facts": [{"path": "MEMORY.md", "key": "0" * 32}]}),
    ("POST", "replace", {"find": "a", "instead": "b"}),
    ("POST", "turns", {"message": "hi", "response": "<memory>new</memory>"}),
    ("POST", "compaction", {}),
    ("POST", "jobs", {"kind": "compaction"}),
    ("POST", "jobs/1/cancel", {}),
    ("POST", "changes/1/undo", {}),
]


def in_one_shape(answer):
    told = answer.json()
    assert list(told) == ["error"]
    assert told["error"]["code"]
    assert told["error"]["message"].endswith((".", "…"))
    return told["error"]


def addresses(patterns=None, before="/"):
    for entry in patterns if patterns is not None else get_resolver().url_patterns:
        where = before + str(entry.pattern)
        if hasattr(entry, "url_patterns"):
            yield from addresses(entry.url_patterns, where)
        elif where.startswith("/api/"):
            yield where.partition("^")[0]


def filled(where):
    for name, value in {"<slug>": "keno", "<change_set>": "1", "<job>": "1", "<token>": "1"}.items():
        where = where.replace(name, value)
    assert "<" not in where
    return where


@pytest.mark.slow
def test_nothing_is_open_to_strangers(program):
    program.client.force_login(User.objects.create_superuser("owner"))  # a cookie does not count either
    every = [filled(where) for where in addresses()]
    assert len(every) > 15
    for where in every:
        if where in ("/api/v1/docs", "/api/v1/openapi.json"):
            continue
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"):
            answer = program.raw(method, where, "{}", headers={})
            assert answer.status_code == 401, (method, where)
            assert answer["WWW-Authenticate"].startswith("Bearer")
            if method != "HEAD":
                in_one_shape(answer)


@pytest.mark.parametrize(
    "shown", ["", "Bearer", "Bearer ", "Bearer kw_", "Basic abc", "Bearer kw_" + "a" * 43, "Bearer \0"]
)
def test_a_token_that_is_none_opens_nothing(program, shown):
    assert program.raw("GET", "documents", headers={"Authorization": shown}).status_code == 401


def test_the_hash_of_a_token_opens_nothing(program):
    shown = {"Authorization": f"Bearer {program.token.token_hash}"}
    assert program.raw("GET", "documents", headers=shown).status_code == 401
    assert program.text not in str(ApiToken.objects.values())


def test_the_word_bearer_may_be_written_in_any_case(program):
    assert program.raw("GET", "documents", headers={"Authorization": f"bearer {program.text}"}).status_code == 200


def test_a_revoked_token_opens_nothing(program):
    assert program.get("documents")[0] == 200
    credentials.revoke(program.token)
    assert program.get("documents")[0] == 401


def test_a_token_of_a_removed_bot_opens_nothing(program):
    Bot.objects.filter(pk=program.bot.pk).update(removed=timezone.now())
    assert program.get("documents")[0] == 401


def test_another_bot_and_no_bot_are_answered_alike(program, home):
    make_bot(home, "other")
    answers = [program.raw("GET", f"/api/v1/bots/{slug}/documents") for slug in ("other", "nobody", "keno%00", "%FF")]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1


def test_the_list_of_bots_holds_the_tokens_own_only(program, home):
    make_bot(home, "other")
    status, told = program.get("/api/v1/bots")
    assert (status, [bot["slug"] for bot in told["bots"]], told["scope"]) == (200, ["keno"], "admin")


@pytest.mark.parametrize(("method", "where", "sent"), WRITES)
def test_reading_does_not_write(program, reader, method, where, sent):
    before = program.read()
    status, told = reader.call(method, where, sent)
    assert (status, told["error"]["code"]) == (403, "scope")
    assert program.read() == before
    assert list(program.root.iterdir()) == [program.root / "MEMORY.md"]


def test_tokens_are_looked_after_by_admin_only(program, writer, reader):
    for one in (writer, reader):
        assert one.get("tokens")[0] == 403
        assert one.call("DELETE", f"tokens/{program.token.pk}")[0] == 403
    status, told = program.get("tokens")
    assert (status, [one["name"] for one in told["tokens"]]) == (200, ["read", "write", "admin"])
    assert program.text[-4:] in [one["hint"] for one in told["tokens"]]
    assert program.token.token_hash not in str(told)


def test_admin_revokes_tokens_of_its_own_bot_only(program, reader, home):
    other = Program(*make_bot(home, "other"), "read")
    assert program.call("DELETE", f"tokens/{other.token.pk}")[0] == 404
    assert other.get("documents")[0] == 200
    status, told = program.call("DELETE", f"tokens/{reader.token.pk}")
    assert status == 200
    assert told["revoked"]
    assert reader.get("documents")[0] == 401


def test_when_a_token_was_used_is_kept_to_the_minute(program):
    program.get("documents")
    first = ApiToken.objects.get(pk=program.token.pk).last_used
    assert timezone.now() - first < timedelta(seconds=30)
    program.get("documents")
    assert ApiToken.objects.get(pk=program.token.pk).last_used == first
    ApiToken.objects.filter(pk=program.token.pk).update(last_used=first - timedelta(minutes=1))
    program.get("documents")
    assert ApiToken.objects.get(pk=program.token.pk).last_used >= first


def test_a_token_that_calls_too_often_waits(program, reader, settings):
    settings.API_RATE = 3
    assert [program.get("documents")[0] for _ in range(4)] == [200, 200, 200, 429]
    answer = program.raw("GET", "documents")
    assert in_one_shape(answer)["code"] == "too_many"
    assert 0 < int(answer["Retry-After"]) <= 60
    assert reader.get("documents")[0] == 200


def test_a_method_that_an_address_does_not_take(program):
    answer = program.raw("DELETE", "documents")
    assert (answer.status_code, answer["Allow"]) == (405, "GET")
    assert in_one_shape(answer)["code"] == "method"


@pytest.mark.parametrize(
    "where", ["/api/v1/", "/api/v1/nothing", "/api/v1/bots/keno/nothing", "/api/v1/bots/keno/a%0Ab"]
)
def test_an_address_of_nothing(program, where):
    answer = program.raw("GET", where)
    assert answer.status_code == 404
    assert in_one_shape(answer)["code"] == "not_found"


@pytest.mark.parametrize(
    "body", ["", "{", "nonsense", "\udcff", '"x"', "[]", "null", "[" * 100_000, '{"text": NaN}', "{}"]
)
def test_a_body_that_is_none(program, body):
    answer = program.raw("POST", "facts", body.encode("utf-8", "surrogateescape"))
    assert answer.status_code in (400, 422)
    in_one_shape(answer)


def test_a_body_that_says_it_is_something_else(program):
    answer = program.raw("POST", "facts", "text=x", "application/x-www-form-urlencoded")
    assert answer.status_code == 415
    assert "application/json" in in_one_shape(answer)["message"]


def test_a_body_that_is_too_large(program):
    answer = program.raw("POST", "facts", b"x" * (8 * 1024 * 1024 + 1))
    assert answer.status_code == 413
    in_one_shape(answer)


def test_which_value_is_wrong_is_said(program):
    status, told = program.get("documents", limit="many", kind="nothing", nobody="x")
    assert (status, told["error"]["code"]) == (422, "invalid")
    assert {(one["where"], one["field"]) for one in told["error"]["fields"]} >= {("query", "limit"), ("query", "kind")}
    status, told = program.post("facts/forget", facts=[{"path": "../x", "key": "short"}])
    assert status == 422
    assert {one["field"] for one in told["error"]["fields"]} == {"facts.0.path", "facts.0.key"}


def test_a_value_that_nobody_knows_is_said(program):
    assert program.post("facts", txt="x", text="y")[0] == 422
    status, told = program.get("documents", chats="tg-1")
    assert (status, told["error"]["fields"][0]["field"]) == (422, "chats")


def test_the_document_of_the_api_is_for_those_who_are_in(program):
    assert program.raw("GET", "/api/v1/openapi.json", headers={}).status_code == 401
    assert program.raw("GET", "/api/v1/openapi.json").json()["openapi"].startswith("3.")
    assert Client().get("/api/v1/docs").status_code == 302
    client = Client()
    client.force_login(User.objects.create_user("ana"))
    assert client.get("/api/v1/openapi.json").status_code == 200
    page = client.get("/api/v1/docs")
    assert page.status_code == 200
    for path, methods in client.get("/api/v1/openapi.json").json()["paths"].items():
        for method, told in methods.items():
            assert f'<details id="{told["operationId"]}">' in page.content.decode()
            assert path in page.content.decode(), method
    assert len(page.content) < 200_000


def test_two_live_tokens_do_not_share_a_name(program):
    assert isinstance(api_tokens.make(program.bot, "admin", "read"), credentials.Taken)
    credentials.revoke(program.token)
    assert isinstance(api_tokens.make(program.bot, "admin", "read"), credentials.Made)
