"""Many old logs: the page stands at once, and the plan comes into its place."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
LOGS = 120
TOPS = "[...document.querySelectorAll('.plan tr')].map((row) => Math.round(row.getBoundingClientRect().top + scrollY))"


@pytest.fixture(scope="module")
def bot(site):
    bot = site.new_bot("backlog", with_sample=False)
    for number in range(LOGS):
        bot.write(
            f"20{10 + number // 12}-{number % 12 + 1:02}-01.md",
            f"## 10:30 — Fact {2 * number}\n\n## 10:31 — Fact {2 * number + 1}\n\n",
        )
    site.manage("--bot", bot.slug, "reindex")
    return bot


def test_plan_comes_into_its_place_by_itself(window, bot):
    page = window.page
    waiting = []
    page.route(re.compile("plan=1"), lambda route: waiting.append(route))
    page.goto(bot.at("compaction"))
    expect(page.locator("#plan [role=status]")).to_contain_text("Reading 120 logs")
    expect(page.locator("#plan-head")).to_contain_text("about 240 facts")
    window.inspect_in_every_look(held=1)
    waiting.pop().continue_()
    expect(page.locator("table.plan tbody tr:not(.group)")).to_have_count(50)
    expect(page.get_by_role("button", name="Move 240 facts, remove 120 logs")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Reading")).to_have_count(0)
    page.unroute(re.compile("plan=1"))
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("51–100 of 240")).to_be_visible()


def test_no_row_moves_when_one_is_left_in_its_log(window, bot):
    page = window.page
    page.set_viewport_size({"width": 1366, "height": 650})
    page.goto(bot.at("compaction?plan=1"))
    before = page.evaluate(TOPS)
    counting = []
    page.route(re.compile("/compaction$"), lambda route: counting.append(route))
    page.get_by_role("checkbox", name="Fact 6", exact=True).uncheck()
    expect(page.locator("#plan-head .filled")).to_be_disabled()  # what it says is not what is ticked
    counting.pop().continue_()
    expect(page.locator("#plan-head")).to_contain_text("Move 239 facts")
    expect(page.locator("#plan-head .filled")).to_be_enabled()
    page.unroute(re.compile("/compaction$"))
    assert page.evaluate(TOPS) == before


def test_plan_is_a_link_without_javascript(windows, bot):
    page = windows(java_script_enabled=False).page
    page.goto(bot.at("compaction"))
    expect(page.get_by_text("Reading 120 logs")).to_be_hidden()
    page.get_by_role("link", name="Show plan").click()
    expect(page.get_by_role("button", name="Move 240 facts, remove 120 logs")).to_be_visible()


def update(page, fact, after):
    """A tick that the page does not plan anew by itself: only Update is offered, where it was, the page says why, and then the
    button says what is ticked."""
    stale = page.get_by_text("Your selection has changed. Update shows what it does now.")
    place = page.get_by_role("button", name="Update").bounding_box()["x"]
    expect(stale).to_be_hidden()
    page.get_by_role("checkbox", name=fact, exact=True).click()
    expect(page.locator("#plan-head .filled")).to_be_hidden()
    expect(stale).to_be_visible()
    assert page.get_by_role("button", name="Update").bounding_box()["x"] == place
    page.get_by_role("button", name="Update").click()
    expect(page.get_by_role("button", name=after)).to_be_visible()


def test_a_tick_without_javascript_waits_for_update(windows, bot):
    page = windows(java_script_enabled=False).page
    page.goto(bot.at("compaction?plan=1"))
    update(page, "Fact 6", "Move 239 facts, remove 119 logs")


def large(site, logs):
    """A bot with so many old logs of 100 facts each, whose plan archives them."""
    bot = site.new_bot(f"large-{logs}", with_sample=False)
    for log in range(logs):
        facts = "".join(f"## 10:30 — Fact {number}\n\n" for number in range(100 * log, 100 * log + 100))
        bot.write(f"20{10 + log // 12}-{log % 12 + 1:02}-01.md", facts)
    site.manage("--bot", bot.slug, "reindex")
    return bot


def test_a_plan_of_thousands_of_facts_follows_each_tick(window, site):
    page = window.page
    page.goto(large(site, 30).at("compaction?plan=1&old_logs=archive"))
    page.get_by_role("checkbox", name="Fact 6", exact=True).uncheck()
    expect(page.get_by_role("button", name="Archive 29 logs")).to_be_visible()
    expect(page.get_by_role("button", name="Update")).to_be_hidden()
    expect(page.locator(".plan .group :checked")).to_have_count(0)


def test_a_tick_of_a_plan_that_takes_longer_waits_for_update(window, site):
    window.page.goto(large(site, 201).at("compaction?plan=1&old_logs=archive"))
    update(window.page, "Move to long-term: Fact 6", "Move 1 fact, archive 201 logs")
