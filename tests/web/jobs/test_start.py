"""What asks the language model is started where it is needed, and only where one is set up."""

from __future__ import annotations

import pytest

from memory import index
from memory.models import Bot, Job, Root

CHAT = "telegram-1"


@pytest.fixture
def with_model(settings):
    settings.LLM_BASE_URL, settings.LLM_MODEL = "http://127.0.0.1:9/v1", "playing-1"


@pytest.fixture
def chatty(desk, tmp_path):
    """A chat that has notes and a transcript."""
    sessions = tmp_path / "sessions"
    sessions.mkdir()
    (sessions / f"{CHAT}.jsonl").write_text('{"role": "user", "content": "We picked apples"}\n')
    Root.objects.create(bot=desk.bot, name="sessions", path=str(sessions))
    desk.write(f"chats/{CHAT}/2026-01-01.md", "## 09:00 — Old\n\n")
    desk.bot = Bot.objects.get(pk=desk.bot.pk)
    index.refresh(desk.bot)
    return desk


def buttons(page):
    return [button.get_text(strip=True) for button in page.soup.select(".head.chat .actions button")]


def test_chat_offers_what_can_be_asked_on_each_of_its_sides(chatty, with_model):
    for side in (f"chats/{CHAT}", f"chats/{CHAT}/transcript", f"documents/working/{CHAT}.md"):
        assert buttons(chatty.get(side)) == ["Summarise", "Pick facts"]


def test_chat_offers_nothing_without_a_model_or_a_transcript(chatty, settings):
    assert buttons(chatty.get(f"chats/{CHAT}")) == []
    settings.LLM_BASE_URL, settings.LLM_MODEL = "http://127.0.0.1:9/v1", "playing-1"
    chatty.write("chats/telegram-2/2026-01-01.md", "## 09:00 — Old\n\n")
    index.refresh(chatty.bot)
    assert buttons(chatty.get("chats/telegram-2")) == []


@pytest.mark.parametrize(
    ("act", "kind", "title"),
    [("summarise", "summary", "Summarising telegram-1"), ("pick", "extraction", "Facts picked from a chat")],
)
def test_job_over_a_chat_is_queued_once_and_led_to(chatty, with_model, act, kind, title):
    page = chatty.post(f"chats/{CHAT}/{act}")
    job = Job.objects.get()
    assert (job.kind, job.state, job.params, job.by) == (kind, "queued", {"chat": CHAT}, "ana")
    assert page.response.redirect_chain[-1][0] == f"/keno/jobs/{job.pk}"
    assert page.soup.select_one("h1").get_text() == title
    chatty.post(f"chats/{CHAT}/{act}")
    assert Job.objects.count() == 1


@pytest.mark.parametrize("place", [f"chats/{CHAT}/summarise", f"chats/{CHAT}/pick", "compaction/meaning"])
def test_without_a_model_nothing_is_queued_and_what_is_missing_is_named(chatty, place):
    page = chatty.post(place)
    said = "No language model set up. Set LLM_BASE_URL and LLM_MODEL in the environment."
    assert said in page.soup.select_one(".toast.error").get_text()
    assert not Job.objects.exists()


def test_chat_that_cannot_be_is_refused_in_words(desk, with_model):
    page = desk.post(f"chats/{'x' * 300}/pick")
    assert page.soup.select_one(".toast.error")
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("sent", "params"),
    [
        ({}, {"scopes": [""]}),
        ({"scope": "all", "retention_days": "9"}, {"scopes": ["", CHAT], "retention_days": 9}),
        ({"scope": f"chat:{CHAT}", "keep_logs": "true"}, {"scopes": [CHAT], "keep_logs": True}),
    ],
)
def test_compaction_by_meaning_is_queued_with_what_was_asked(chatty, with_model, sent, params):
    page = chatty.post("compaction/meaning", **sent)
    job = Job.objects.get()
    assert (job.kind, job.params) == ("consolidation", params)
    assert page.soup.select_one("h1").get_text() == "Compaction with the language model"


@pytest.mark.parametrize("sent", [{"scope": "chat:nobody"}, {"retention_days": "0"}, {"retention_days": "x"}])
def test_compaction_that_cannot_be_is_not_queued(chatty, with_model, sent):
    assert chatty.post("compaction/meaning", **sent).soup.select_one(".toast.error")
    assert not Job.objects.exists()


def test_starting_wants_a_post(chatty, with_model):
    for place in (f"chats/{CHAT}/summarise", f"chats/{CHAT}/pick", "compaction/meaning"):
        assert chatty.client.get(f"/keno/{place}").status_code == 405
