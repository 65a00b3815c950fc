"""Hands that click twice where once was meant."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
DAY = "2026-02-07.md"


@pytest.fixture
def bot(site):
    bot = site.new_bot("clicks", with_sample=False)
    bot.write(
        DAY, "".join(f"## 09:0{minute} — Pinged the server\n\n" for minute in range(2)) + "## 10:00 — Likes tea\n\n"
    )
    return bot


def test_a_double_click_forgets_one_of_two_that_say_the_same(window, bot):
    page = window.page
    page.goto(bot.at(f"facts/{DAY}"))
    rows = page.locator(".facts > li")
    box = rows.first.get_by_role("button", name="Forget").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.up()
    expect(rows).to_have_count(2)
    page.mouse.move(*(rows.first.get_by_role("button", name="Forget").bounding_box()[side] + 4 for side in "xy"))
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    page.wait_for_timeout(500)
    expect(rows).to_have_count(2)
    assert bot.read(DAY).count("Pinged") == 1
