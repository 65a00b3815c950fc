"""Chats and working memory in a browser: read on the phone, named, turned, discarded and brought back."""

from __future__ import annotations

import os
import re
import time

import pytest
from playwright.sync_api import expect

from memory.dialects.kenobot.sample import FAMILY, INES, SHOP
from tests.browser.site import PHONE, WIDE

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def bot(site):
    return site.new_bot("chatty")


@pytest.fixture(scope="module")
def empty(site):
    return site.new_bot("chatless", with_sample=False)


@pytest.mark.alike
@pytest.mark.parametrize("side", ["", "/transcript"])
def test_every_side_of_a_chat_can_be_read_in_every_look(window, bot, side):
    window.page.goto(bot.at(f"chats/{FAMILY}{side}"))
    expect(window.page.get_by_role("heading", level=1)).to_have_text(FAMILY)
    window.inspect_in_every_look()


@pytest.mark.alike  # test_every_page looks at the others
@pytest.mark.parametrize(
    "place",
    [f"documents/working/{SHOP}.md", "chats/", "chats/?q=nobody", "working/", f"compaction?scope=chat:{FAMILY}"],
)
def test_page_in_every_look(window, bot, place):
    window.page.goto(bot.at(place))
    window.inspect_in_every_look()


@pytest.mark.alike
@pytest.mark.parametrize("place", ["chats/", "working/"])
def test_page_of_a_bot_without_chats(window, empty, place):
    window.page.goto(empty.at(place))
    window.inspect_in_every_look()


def test_a_chat_is_named_with_the_keyboard(window, bot):
    page = window.page
    page.goto(bot.at(f"chats/{INES}"))
    page.get_by_text("Add a name").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Name")).to_be_focused()
    page.keyboard.type("Ines")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Ines")
    page.goto(bot.at("chats/"))
    expect(page.get_by_role("link", name="Ines", exact=True)).to_be_visible()


def test_a_scratchpad_is_discarded_and_brought_back_on_the_phone(windows, bot):
    window = windows(viewport={"width": PHONE, "height": 800})
    page, path = window.page, bot.root / f"working/{SHOP}.md"
    age = path.stat().st_mtime_ns
    page.goto(bot.at("working/"))
    page.get_by_role("button", name=f"Discard: {SHOP}").click()
    expect(page.get_by_text("Discarded 1 working memory")).to_be_visible()
    assert not path.exists()
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name=f"Discard: {SHOP}")).to_be_visible()
    assert path.stat().st_mtime_ns == age


def test_all_stale_ones_are_discarded_after_a_question_without_javascript(windows, bot):
    window = windows(java_script_enabled=False, viewport={"width": WIDE, "height": 800})
    page = window.page
    for number in range(7):
        bot.write(f"working/http-old-{number}.md", f"- topic {number}\n")
        os.utime(bot.root / f"working/http-old-{number}.md", (time.time() - 20 * 86_400,) * 2)
    page.goto(bot.at("working/"))
    with page.expect_navigation():
        page.get_by_role("button", name="Look again").click()
    page.goto(bot.at("working/"))
    page.get_by_role("button", name="Discard all stale …").click()
    expect(page.locator(".pads > li")).to_have_count(5)
    page.get_by_role("button", name=re.compile(r"^Discard \d")).click()
    expect(page.get_by_text(re.compile(r"^Discarded \d working memories$"))).to_be_visible()
    assert not list(bot.root.glob("working/http-old-*"))
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.get_by_text(re.compile("^Undone: ")).first).to_be_visible()
    assert len(list(bot.root.glob("working/http-old-*"))) == 7
