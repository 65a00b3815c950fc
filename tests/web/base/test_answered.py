"""What Kenoweb answered in a bot's place, as people see it."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from memory import index
from memory.access import encryption
from memory.models import Answering, ChangeSet, Delivery, Root, WebhookSecret
from memory.webhook import signatures
from tests.llm import server as playing

SECRET = "a-secret-of-the-desk"
NOTED = "Noted. <memory>Likes tea</memory>"


@pytest.fixture
def asked(desk, settings):
    """Posts a message without a reply; gives the desk and the poster."""
    desk.user.is_superuser = desk.user.is_staff = True
    desk.user.save()
    WebhookSecret.objects.create(bot=desk.bot, sealed=encryption.seal(SECRET.encode()))
    sessions = desk.root.parent / "sessions-of-it"
    sessions.mkdir()
    Root.objects.create(bot=desk.bot, name="sessions", path=str(sessions))

    def post(message="I like tea", chat="7", **more):
        body = json.dumps({"chat_id": chat, "message": message, **more}).encode()
        headers = {"X-Webhook-Signature": signatures.sign_body(SECRET, body)}
        return Client().post(f"/webhook/{desk.bot.slug}", body, content_type="application/json", headers=headers)

    return desk, post


def rows(page):
    return [" ".join(row.get_text(" ").split()) for row in page.soup.select(".calls li")]


def delivery_page(desk):
    return desk.get(f"webhooks/{Delivery.objects.latest('id').pk}")


def test_answer_is_listed_and_its_page_tells_all_of_it(asked, model):
    desk, post = asked
    desk.bot.settings = {"token_price": 1, "answer_price": 2}
    desk.bot.save()
    model.plays(playing.good(NOTED, usage={"prompt_tokens": 1200, "completion_tokens": 50, "total_tokens": 1250}))
    post()
    (row,) = rows(desk.get("webhooks/"))
    assert "http-7 Likes tea answered" in row
    assert "Undo" in row
    page = delivery_page(desk)
    assert "answered" in page.text
    assert NOTED in page.text
    assert "Sent to the language model" in page.text
    assert "playing-1 · 1,200 tokens in, 50 out · $0.0013" in page.text
    assert "The message and the reply were added to the transcript. They stay when you undo the rest." in page.text
    assert page.soup.find("button", string="Undo")


def test_answer_that_remembered_nothing_has_nothing_to_undo(asked, model):
    desk, post = asked
    post()
    (row,) = rows(desk.get("webhooks/"))
    assert "Nothing to remember answered" in row
    assert "Undo" not in row
    assert delivery_page(desk).soup.find("button", string="Undo") is None
    made = ChangeSet.objects.get(kind="answer")
    page = desk.get(f"changes/{made.pk}")
    assert page.status == 200
    assert page.soup.find("button", string="Undo") is None
    refused = desk.post(f"changes/{made.pk}/undo")
    assert refused.status == 409
    assert "This only added to the transcript. Nothing to undo." in refused.text


def test_undo_takes_back_what_was_remembered(asked, model):
    desk, post = asked
    model.plays(NOTED)
    post()
    made = ChangeSet.objects.get(kind="answer")
    page = desk.post(f"changes/{made.pk}/undo", next=f"/{desk.bot.slug}/webhooks/")
    assert "undone" in rows(page)[0]
    assert "undone" in delivery_page(desk).text


def test_history_has_answers_as_a_kind_of_their_own(asked, model):
    desk, post = asked
    model.plays(NOTED)
    post()
    page = desk.get("history/", kind="answer")
    assert page.status == 200
    assert "Likes tea" in page.text
    assert "Answers" in page.text
    assert "Likes tea" in desk.get("").text


@pytest.mark.parametrize(
    ("play", "words"),
    [
        (playing.slow(3), "The language model didn’t answer in time"),
        (playing.denied(), "The language model’s server rejected the request"),
        (playing.empty(), "The language model’s answer was empty"),
    ],
)
def test_what_was_not_answered_says_why_and_keeps_the_message(asked, model, settings, play, words):
    desk, post = asked
    settings.LLM_TIMEOUT = 1 if play.wait else 20
    model.plays(play)
    post("Do you hear me?")
    (row,) = rows(desk.get("webhooks/"))
    assert f"{words} rejected" in row
    page = delivery_page(desk)
    assert words in page.text
    assert "Do you hear me?" in page.text
    assert "The delivery had no reply; the language model was asked to answer." in page.text
    assert "playing-1" in page.text


def test_message_that_is_being_answered_is_not_said_to_be_cut_off(asked):
    desk, _ = asked
    row = Delivery.objects.create(
        bot=desk.bot, body_sha256="0" * 64, session_id="http-7", received=timezone.now(), body={"message": "?"}
    )
    held = Answering.objects.create(
        bot=desk.bot, session_id="http-7", holder="x", until=timezone.now() + timedelta(minutes=1)
    )
    assert "in progress" in rows(desk.get("webhooks/"))[0]
    assert "in progress" in desk.get(f"webhooks/{row.pk}").text
    held.delete()
    assert "interrupted" in rows(desk.get("webhooks/"))[0]
    assert "interrupted" in desk.get(f"webhooks/{row.pk}").text


def test_trial_without_a_reply_asks_the_model(asked, model):
    desk, _ = asked
    model.plays(NOTED)
    form = {"chat": "http-trial", "message": "I like tea", "response": "", "secret": _secret(desk)}
    page = desk.post("webhooks/try", **form)
    assert page.soup.select_one(".answer").get_text().strip() == "Noted."
    assert "1 fact Open delivery" in page.text
    assert page.soup.find("button", string="Undo what it stored")
    assert model.asked[0].messages[-1] == {"role": "user", "content": "I like tea"}


def test_trial_without_a_model_says_so(asked, settings):
    desk, _ = asked
    settings.LLM_BASE_URL = ""
    page = desk.post("webhooks/try", chat="http-trial", message="Hi", response="", secret=_secret(desk))
    assert "No language model set up to answer" in page.text
    assert page.soup.select_one(".answer") is None


def _secret(desk):
    return desk.get("webhooks/try").soup.select_one("select[name=secret] option")["value"]


def test_transcript_says_what_kenoweb_answered(asked, model):
    desk, post = asked
    path = desk.root.parent / "sessions-of-it" / "http-7.jsonl"
    path.write_text(
        '{"role":"user","content":"before","timestamp":1}\n{"role":"assistant","content":"Good.","timestamp":2}\n'
    )
    post()
    index.refresh(desk.bot)
    page = desk.get("chats/http-7/transcript")
    said = [" ".join(row.get_text(" ").split()) for row in page.soup.select(".talk li")]
    assert len(said) == 4
    assert ["answered by Kenoweb" in row for row in said] == [False, False, False, True]


def test_facts_of_an_answer_say_where_they_come_from(asked, model):
    desk, post = asked
    model.plays(NOTED)
    post()
    index.refresh(desk.bot)
    day = next(path.name for path in desk.root.glob("2*.md") if "Likes tea" in path.read_text())
    assert "from a webhook, http-7" in desk.get(f"facts/{day}").text
