"""The page of a bot's API: tokens are made once, shown once, revoked; below them the prompts that were fetched."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from memory import index
from memory.access import api_tokens
from memory.models import ApiToken, ChatName, Fetched
from memory.prompts import served
from memory.web.base import dates
from tests.web.conftest import MEMORY, Visitor


@pytest.fixture
def operator(desk):
    return Visitor(desk.bot, desk.root, User.objects.create_superuser("owner", first_name="Ona"))


def made(operator, name="Home server", scope="read"):
    page = operator.post("api/make", name=name, scope=scope)
    return page, page.soup.find(id="token").get_text().strip()


def load(bot, token, chat="", query="", **documents):
    row = Fetched.objects.create(
        bot=bot,
        token=token,
        at=timezone.now(),
        chat=chat,
        query=query,
        tokens=1234,
        sha256="0" * 64,
        documents=documents,
    )
    return row


def test_a_page_of_no_tokens_says_what_will_be_there(operator):
    page = operator.get("api")
    assert "No API keys yet" in page.text
    assert "No prompts fetched yet" in page.text
    assert len(page.soup.select(".filled")) == 1


def test_a_token_is_shown_once_and_opens_the_door(operator):
    page, text = made(operator)
    assert page.response["Cache-Control"] == "no-store"
    assert text.startswith("kw_")
    sample = page.soup.find(id="sample").get_text()
    assert sample.strip() == f'curl -H "Authorization: Bearer {text}" http://testserver/api/v1/bots/keno/documents'
    answer = Client().get("/api/v1/bots/keno/documents", headers={"Authorization": f"Bearer {text}"})
    assert answer.status_code == 200
    listed = operator.get("api")
    assert text not in listed.response.content.decode()
    assert f"Access: Read only. Ends in {text[-4:]}." in listed.text
    assert "by you" in listed.text
    operator.client.force_login(User.objects.create_user("bo"))
    assert "by Ona" in operator.get("api").text
    assert "Last used" in listed.text


def test_a_token_may_what_was_chosen(operator):
    _, text = made(operator, scope="write")
    assert api_tokens.find(text).scope == "write"
    assert "Access: Read and write." in operator.get("api").text


@pytest.mark.parametrize(
    "fields", [{"name": "", "scope": "read"}, {"name": "x" * 81, "scope": "read"}, {"name": "x", "scope": "all"}]
)
def test_what_is_wrong_in_the_form_is_said(operator, fields):
    page = operator.post("api/make", **fields)
    assert page.status == 422
    assert page.soup.find(class_="errorlist")
    assert not ApiToken.objects.exists()


def test_a_name_is_taken_while_its_token_lives(operator):
    made(operator)
    page = operator.post("api/make", name="Home server", scope="read")
    assert (page.status, ApiToken.objects.count()) == (422, 1)
    assert "An active API key already has this name. Choose another or revoke it first." in page.text
    operator.post(f"api/{ApiToken.objects.get().pk}/revoke")
    assert made(operator)[1]


def test_only_operators_make_and_revoke(desk):
    token = api_tokens.make(desk.bot, "x", "read").row
    assert desk.post("api/make", name="y", scope="read").status == 403
    assert desk.post(f"api/{token.pk}/revoke").status == 403
    assert list(ApiToken.objects.values_list("name", "revoked")) == [("x", None)]
    page = desk.get("api")
    assert "Operators create and revoke API keys." in page.text
    assert not page.soup.find("button", string="Revoke")


def test_a_token_in_use_is_revoked_after_a_question(operator):
    _, text = made(operator)
    token = ApiToken.objects.get()
    ApiToken.objects.update(last_used=timezone.now() - timedelta(hours=1))
    said = f"Last used {dates.ago(timezone.now() - timedelta(hours=1), operator.bot)} . After this, requests with it are rejected."
    assert said in operator.post(f"api/{token.pk}/revoke").text
    assert api_tokens.find(text)
    done = operator.post(f"api/{token.pk}/revoke", confirmed="yes")
    assert "“Home server” was revoked and no longer works." in done.text
    assert api_tokens.find(text) is None
    assert "Revoked" in operator.get("api").text


def test_a_token_of_another_bot_is_not_revoked_here(operator, desk, tmp_path):
    from tests.web.conftest import make_bot

    other, _ = make_bot(tmp_path, "other")
    token = api_tokens.make(other, "x", "read").row
    assert operator.post(f"api/{token.pk}/revoke", confirmed="yes").status == 404
    assert ApiToken.objects.get().revoked is None


def test_prompts_are_listed_with_what_became_of_their_documents(desk):
    index.refresh(desk.bot)
    token = api_tokens.make(desk.bot, "Home server", "read").row
    load(desk.bot, token, "tg-1", "Where do I live?", **{"MEMORY.md": desk.hash(), "2026-01-05.md": "1" * 64})
    ChatName.objects.create(bot=desk.bot, scope="tg-1", name="Family")
    page = desk.get("api")
    assert "Family Where do I live? 1,234 tokens 2 files, 1 changed since fetched with Home server" in page.text
    assert "MEMORY.md unchanged" in page.text
    assert "2026-01-05.md no longer there" in page.text
    desk.write("MEMORY.md", MEMORY + "- Sings\n")
    index.refresh(desk.bot)
    assert "MEMORY.md changed since" in desk.get("api").text


def test_odd_names_are_shown_and_break_nothing(desk):
    load(desk.bot, None, "<b>", "<script>alert(1)</script>\n", **{"<i>\n.md": "0" * 64})
    page = desk.get("api")
    assert not page.soup.find("script", string="alert(1)")
    assert "<script>alert(1)</script>" in page.text


def test_many_prompts_come_a_page_at_a_time(desk, django_assert_max_num_queries):
    for number in range(120):
        load(desk.bot, None, f"tg-{number}", f"question {number}.", **{f"{n}.md": "0" * 64 for n in range(8)})
    desk.get("settings")  # what stands beside every page is counted, and kept
    with django_assert_max_num_queries(16):
        page = desk.get("api")
    assert "question 119." in page.text
    assert "question 69." not in page.text
    assert len(page.response.content) < 200_000
    assert "question 69." in desk.get("api", page=2).text
    served.forget(desk.bot, kept=10)
    assert "question 109." not in desk.get("api").text
