"""The page of compaction where a language model is set up: two ways to compact, and what the one by meaning would cost."""

from __future__ import annotations

import pytest

from memory import index
from memory.models import ChangeSet
from tests.web.compaction.test_compaction import LOG, plan
from tests.web.conftest import MEMORY
from tests.web.jobs.made_jobs import job


@pytest.fixture
def with_model(settings):
    settings.LLM_BASE_URL, settings.LLM_MODEL = "http://127.0.0.1:9/v1", "playing-1"


@pytest.fixture
def old(desk):
    desk.write("2026-01-01.md", LOG)
    index.refresh(desk.bot)
    return desk


def ways(page):
    """The ways to compact, the chosen one in capitals."""
    links = page.soup.select(".strategies a")
    return [link.get_text().upper() if link.get("aria-current") else link.get_text() for link in links]


def button(page):
    return page.soup.select_one(".head .filled")


def test_without_a_model_there_is_one_way_and_one_line_about_the_other(old):
    page = plan(old, by="meaning")
    assert ways(page) == []
    assert "LLM_BASE_URL and LLM_MODEL" in page.soup.select_one(".menu p.small").get_text()
    assert button(page).get_text() == "Move 1 fact, remove 1 log"


def test_with_a_model_both_ways_are_offered(old, with_model):
    page = plan(old)
    assert ways(page) == ["EXACT", "With the language model"]
    assert button(page).get_text() == "Move 1 fact, remove 1 log"
    assert page.link("With the language model") == "?by=meaning"


def test_what_a_run_by_meaning_would_ask_is_said_before(old, with_model):
    page = plan(old, by="meaning")
    numbers = [box.get_text(" ", strip=True) for box in page.soup.select(".thirds .box")]
    assert numbers[0] == "1 fact in old logs, plus 2 from long-term memory that may say the same"
    assert numbers[1] == "1 question to the language model"
    assert "tokens to read (estimate); plus its answers" in numbers[2]
    form = button(page).find_parent("form")
    assert (form["action"], button(page).get_text()) == ("/keno/compaction/meaning", "Ask the language model")
    assert old.read() == MEMORY


def test_money_is_said_where_a_price_is_set(old, with_model):
    old.bot.settings = {"token_price": 1000}
    old.bot.save()
    assert "tokens to read (estimate), $" in plan(old, by="meaning").text


def test_what_is_set_decides_which_way_the_page_opens(old, with_model):
    old.bot.settings = {"compact_by": "meaning"}
    old.bot.save()
    assert ways(plan(old)) == ["Exact", "WITH THE LANGUAGE MODEL"]
    assert ways(plan(old, by="lines")) == ["EXACT", "With the language model"]
    assert ways(plan(old, by="nonsense")) == ["Exact", "WITH THE LANGUAGE MODEL"]


def test_way_scope_and_days_stay_together(old, with_model):
    old.write("chats/telegram-1/2026-01-02.md", LOG)
    index.refresh(old.bot)
    page = plan(old, by="meaning", scope="chat:telegram-1", retention_days="9")
    assert page.link("Exact") == "?by=lines&scope=chat%3Atelegram-1&retention_days=9"
    sent = {field["name"]: field["value"] for field in button(page).find_parent("form").select("input[value]")}
    assert (sent["scope"], sent["retention_days"]) == ("chat:telegram-1", "9")
    assert page.soup.select_one("details form input[name=by]")["value"] == "meaning"


def test_run_that_is_under_way_is_not_offered_again(old, with_model):
    made = job(old.bot, "running")
    page = plan(old, by="meaning")
    assert button(page) is None
    assert page.link("Show progress") == f"/keno/jobs/{made.pk}"


def test_plan_that_waits_for_somebody_is_led_to(old, with_model):
    made = job(old.bot, "planned")
    job(old.bot, "planned", params={"scopes": ["telegram-1"]})
    assert plan(old, by="meaning").link("Review") == f"/keno/jobs/{made.pk}"


def test_nothing_old_has_nothing_to_ask(desk, with_model):
    page = plan(desk, by="meaning")
    assert "Nothing to compact" in page.text
    assert button(page) is None


def test_logs_that_cannot_be_read_are_named(old, with_model):
    (old.root / "2026-01-02.md").symlink_to("/etc/passwd")
    page = plan(old, by="meaning")
    assert page.status == 200
    assert "2026-01-02.md" in page.text


def test_run_of_a_job_leads_to_what_it_decided(old):
    made = job(old.bot, "applied")
    one = ChangeSet.objects.create(
        bot=old.bot, kind="compaction", by="Ana", state="applied", job=made, created=made.created
    )
    page = old.get(f"compaction/{one.pk}")
    assert page.response.redirect_chain == [(f"/keno/jobs/{made.pk}", 302)]
