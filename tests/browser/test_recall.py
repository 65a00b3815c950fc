"""Recall tests in a real browser: pinned from what a search finds, broken by an edit, seen at once, whole again after the undo."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.site import IN_STEP, WIDE

pytestmark = pytest.mark.browser
QUESTION = "what is the boat called"


@pytest.fixture(scope="module")
def shelf(site):
    return site.new_bot("recall", with_sample=False)


@pytest.fixture
def page(window, shelf):
    shelf.write("MEMORY.md", "# Memory\n\n- The boat is called Albatros\n- The dentist is Dr. Lind\n")
    window.page.goto(shelf.at())
    expect(window.page.locator("#mark")).to_contain_text(IN_STEP)
    return window.page


def test_pinned_question_breaks_with_its_fact_and_is_whole_again_after_the_undo(window, page, shelf):
    page.goto(shelf.at("recall/"))
    window.inspect_in_every_look()
    page.get_by_label("Question").fill(QUESTION)
    page.get_by_role("button", name="Find").click()
    found = page.locator(".choose li").filter(has_text="Albatros")
    expect(found).to_be_visible()
    window.inspect_in_every_look()
    found.get_by_role("button", name="Select").click()
    row = page.locator(".tests > li")
    expect(row).to_contain_text("Found first")

    window.look("light", WIDE)
    page.goto(shelf.at("facts/MEMORY.md"))
    page.locator(".facts > li").filter(has_text="Albatros").get_by_role("button", name="Forget").click()
    expect(page.locator(".facts > li").filter(has_text="Albatros")).to_have_count(0)
    page.goto(shelf.at())
    need = page.locator(".needs li", has_text="Recall test fails")
    expect(need).to_contain_text(
        "Forgot"
    )  # the walk that the page asks for has looked, and the page shows it by itself
    need.get_by_role("link", name="Open").click()
    expect(row).to_contain_text("The fact no longer exists.")
    window.inspect_in_every_look()

    page.keyboard.press("u")
    expect(row).to_contain_text("Found first")
