"""The screens of a DiscoClaw in a real browser: what the bot learned by itself is seen, forgotten, restored and undone."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.browser.site import Browsing

pytestmark = pytest.mark.browser
BOT = "/sample-discoclaw"
GARDEN = "chat=discord:channel:840000000000000103&sender=730000000000000011"
PLACES = ("", "entries/", "entries/learned", "entries/forgotten", f"prompt/?{GARDEN}", "chats/", "settings")
LEARNED = "Builds a cold frame out of the old shop window"


@pytest.fixture(scope="module")
def facts(site, browser, cookies):
    """The sample, added as its visitors add it; the file of one of its users."""
    window = Browsing.open(browser, site.url, storage_state=cookies)
    page = window.page
    page.goto("/bots/add")
    page.get_by_role("button", name="Add Sample DiscoClaw").click()
    page.wait_for_url(f"**{BOT}/")
    window.close()
    return site.folder / "home/sample-discoclaw/data/memory/durable/730000000000000022.json"


def status(facts):
    return next(one["status"] for one in json.loads(facts.read_text())["items"] if one["text"] == LEARNED)


@pytest.mark.parametrize("place", PLACES)
def test_screen_of_a_discoclaw_in_every_look(looking, facts, place):
    looking.page.goto(f"{BOT}/{place}")
    looking.inspect_in_every_look()
    assert looking.page.locator("main .filled:visible").count() <= 1


def test_what_was_learned_is_seen_forgotten_restored_and_it_is_undone(window, facts):
    page = window.page
    page.goto(f"{BOT}/entries/learned")
    page.get_by_role("button", name=f"Forget: {LEARNED}").press("Enter")
    expect(page.locator(".toast")).to_contain_text("Forgotten")
    expect(page.get_by_text(LEARNED)).to_have_count(0)
    assert status(facts) == "deprecated"
    page.get_by_role("link", name="Forgotten", exact=True).click()
    page.get_by_role("button", name=f"Restore: {LEARNED}").press("Enter")
    expect(page.locator(".toast")).to_contain_text("Restored")
    assert status(facts) == "active"
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name=f"Restore: {LEARNED}")).to_be_visible()
    assert status(facts) == "deprecated"
