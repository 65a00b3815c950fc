"""A page that stays open while its reader is logged out, and comes back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.site import IN_STEP, WALK, heard, look_again

pytestmark = pytest.mark.browser


@pytest.fixture
def bot(site):
    return site.new_bot("logged-out")


def let_in(site, page):
    page.goto(site.new_link())
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/*/")


def test_a_page_says_that_one_is_logged_out_and_goes_on_when_one_is_back(site, strangers, bot):
    window = strangers()
    page = window.page
    let_in(site, page)
    page.clock.install()
    page.goto(bot.at("memory"))
    heard(page)
    other = page.context.new_page()
    other.goto(bot.at())
    other.locator(".me > summary").click()
    other.get_by_role("button", name="Log out").click()
    expect(other.get_by_label("Username")).to_be_visible()
    window.expect_status(401, 403)
    look_again(page)
    expect(page.get_by_text("You’ve been logged out.")).to_be_visible()
    expect(page.locator("#mark")).to_contain_text(IN_STEP)
    expect(page.locator("[name=password]")).to_have_count(0)

    let_in(site, other)
    look_again(page)
    expect(page.get_by_text("You’ve been logged out.")).to_be_hidden()
    with page.expect_response(lambda answer: answer.url.endswith("/step") and answer.ok):
        page.clock.run_for(WALK)
    expect(page.locator("#mark")).to_contain_text(IN_STEP)
