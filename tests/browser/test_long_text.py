"""A long text on the desk: its preview comes by itself, after the page."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
PATH = "chats/long/MEMORY.md"


@pytest.fixture(scope="module")
def bot(site):
    return site.new_bot("long")


def test_preview_of_a_long_text_comes_by_itself(bot, window):
    bot.write(PATH, "# Many lines\n\n" + "- A line of many\n" * 4000)
    page = window.page
    page.goto(bot.at(f"documents/{PATH}"))
    expect(page.locator("#preview h2")).to_have_text("Many lines")
    expect(page.locator("#dirty")).to_have_text("No unsaved changes")
