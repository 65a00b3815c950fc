"""Many old logs: the page says at once how many there are, and asks for their plan afterwards."""

from __future__ import annotations

import time

import pytest

from memory import index
from memory.compaction import plan_cache, runner
from memory.compaction.backlog import FACTS_AT_ONCE, LOGS_AT_ONCE
from tests.web.compaction.test_compaction import LOG, plan, send

YOUNG = 2.1  # seconds until a file's times prove that it did not change


@pytest.fixture
def backlog(desk):
    """More old logs than are planned within a page."""
    for number in range(LOGS_AT_ONCE + 1):
        desk.write(f"20{10 + number // 12}-{number % 12 + 1:02}-01.md", f"## 10:30 — Fact number {number}\n\n")
    index.refresh(desk.bot)
    return desk


def lines(page):
    return page.soup.select(".plan tbody tr:not(.group)")


def test_page_says_how_much_waits_and_leads_to_the_plan(backlog):
    page = plan(backlog)
    assert "101 logs older than 30 days, about 101 facts." in page.text
    assert not lines(page)
    assert page.soup.select_one(".head form[method=post]") is None
    state = page.soup.select_one("#plan [role=status]")
    assert "Reading 101 logs" in state.get_text()
    assert state["hx-get"] == state.find("a")["href"] == "?plan=1"
    assert page.soup.select_one(state["hx-select-oob"]).select_one("h1")
    assert "1–50 of 101" in plan(backlog, plan="1").text


def test_plan_that_was_asked_for_is_applied(backlog):
    seen = send(plan(backlog, plan="1"))
    backlog.append("2010-01-01.md", "## 12:00 — One more\n\n")
    page = backlog.post("compaction/apply", **seen)
    assert "The files or your selection have changed since, so here is a new plan. Nothing was written." in page.text
    assert "1–50 of 102" in page.text
    assert "102 facts moved, 101 logs removed" in backlog.post("compaction/apply", **send(page)).text
    assert "One more" in backlog.read()


def test_retention_and_scope_stay_on_the_way_to_the_plan(backlog):
    backlog.write("chats/telegram-1/2026-01-01.md", LOG)
    index.refresh(backlog.bot)
    page = plan(backlog, scope="all", retention_days="40")
    assert "102 logs older than 40 days, about 103 facts." in page.text
    assert page.soup.select_one("#plan a")["href"] == "?scope=all&retention_days=40&plan=1"
    assert len(lines(plan(backlog, scope="chat:telegram-1"))) == 2


def test_few_logs_with_many_facts_are_much_too(desk):
    desk.write("2026-01-01.md", "".join(f"## 10:30 — Fact number {n}\n\n" for n in range(FACTS_AT_ONCE + 1)))
    index.refresh(desk.bot)
    assert "1 log older than 30 days, about 1,001 facts." in plan(desk).text


def test_plan_is_kept_while_its_files_stay_as_they_are(desk):
    desk.write("2026-01-01.md", LOG)
    time.sleep(YOUNG)
    first = plan_cache.cached_plan(desk.bot, ("",))
    assert plan_cache.cached_plan(desk.bot, ("",)) is first
    assert plan_cache.cached_plan(desk.bot, ("",), retention_days=20) is not first
    desk.write("chats/telegram-1/2026-01-01.md", LOG)
    assert plan_cache.cached_plan(desk.bot, ("",)) is first
    desk.write("2026-01-02.md", "## 09:00 — New\n\n")
    second = plan_cache.cached_plan(desk.bot, ("",))
    assert [decision.text for decision in second.plan.decisions] == ["Likes Go", "prefers concise responses", "New"]
    (desk.root / "2026-01-02.md").unlink()
    assert plan_cache.cached_plan(desk.bot, ("",)).plan == first.plan


def test_plan_over_files_of_this_moment_is_not_kept(desk, monkeypatch):
    monkeypatch.setattr(plan_cache, "YOUNG_NS", 3600 * 10**9)  # however long the next lines take
    desk.write("2026-01-01.md", LOG)
    assert plan_cache.cached_plan(desk.bot, ("",)) is not plan_cache.cached_plan(desk.bot, ("",))


def test_kept_plan_is_the_one_that_compaction_would_make(desk):
    desk.write("2026-01-01.md", LOG)
    desk.write("chats/telegram-1/2026-01-01.md", LOG)
    for scopes in ((), ("",), ("telegram-1",), ("", "telegram-1"), ("nobody",)):
        assert plan_cache.cached_plan(desk.bot, scopes).plan == runner.plan(desk.bot, scopes)
