"""The bar that saves settings: there while something is changed, and says what."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.site import PHONE, settled

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def bot(site):
    return site.new_bot("set-up", with_sample=False)


@pytest.mark.parametrize("width", [1366, PHONE])
def test_bar_counts_what_is_changed_and_saves_it(window, bot, width):
    page = window.page
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(bot.at("settings/costs"))
    bar, price, budget = page.locator(".savebar"), page.locator("#id_token_price"), page.locator("#id_token_budget")
    expect(bar).to_be_hidden()
    price.fill("2.5")
    expect(bar).to_contain_text("1 unsaved change")
    expect(bar).to_contain_text("Price per million input tokens")
    budget.fill("4000")
    expect(bar).to_contain_text("2 unsaved changes")
    expect(bar).to_be_in_viewport(ratio=1)
    expect(page.locator(".setting.changed")).to_have_count(2)
    window.inspect()
    budget.fill("")
    expect(page.locator(".setting.changed")).to_have_count(1)
    page.get_by_role("link", name="Discard").click()
    settled(page)
    expect(bar).to_be_hidden()
    expect(price).to_have_value("")
    price.fill("2.5")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Settings saved")).to_be_visible()
    expect(price).to_have_value("2.5")
    expect(bar).to_be_hidden()
    price.fill("")
    page.get_by_role("button", name="Save", exact=True).click()
    settled(page)
    expect(price).to_have_value("")
    expect(page.get_by_text("saved here")).to_have_count(0)


def test_what_was_refused_is_still_a_change(window, bot):
    page = window.page
    page.goto(bot.at("settings"))
    page.get_by_label("Time zone").fill("Mars/Base")
    window.expect_status(422)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Unknown time zone.")).to_be_visible()
    expect(page.locator(".savebar")).to_contain_text("1 unsaved change")
    page.get_by_role("link", name="Discard").click()
    expect(page.get_by_label("Time zone")).to_have_value("UTC")
