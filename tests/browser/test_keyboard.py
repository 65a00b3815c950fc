"""The desk by keyboard alone: places, rows, days, the palette, help, undo; off while typing, and where somebody wants it off."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.site import IN_STEP

pytestmark = pytest.mark.browser
PLACES = {
    "o": "",
    "m": "memory",
    "d": "days/",
    "c": "chats/",
    "w": "working/",
    "k": "compaction",
    "h": "history/",
    "f": "documents/",
    "b": "webhooks/",
    "s": "settings",
}
HINTS = "[title^='g then']"


@pytest.fixture(scope="module")
def bot(site):
    return site.new_bot("keys")


@pytest.fixture
def page(window, bot):
    window.page.goto(bot.at())
    expect(window.page.locator("#mark")).to_contain_text(IN_STEP)
    return window.page


def focused(page):
    return page.locator(":focus")


def options(page):
    return page.get_by_role("option")


def test_g_and_a_letter_go_to_a_place(page, bot):
    for letter, place in PLACES.items():
        page.keyboard.press("g")
        with page.expect_navigation():  # the overview leads to itself
            page.keyboard.press(letter)
        expect(page).to_have_url(re.compile(re.escape(bot.at(place)) + "$"))


def test_letters_are_letters_while_somebody_types(page, bot):
    page.keyboard.press("/")
    expect(focused(page)).to_have_attribute("id", "goto")
    page.keyboard.type("g m ? u j")
    expect(focused(page)).to_have_value("g m ? u j")
    expect(page).to_have_url(re.compile(re.escape(bot.at()) + "$"))
    expect(page.locator("#help")).not_to_be_visible()


def test_letters_are_letters_in_the_editor(page, bot):
    page.goto(bot.at("memory"))
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("g d?")
    expect(page.locator(".cm-content")).to_contain_text("g d?")
    expect(page).to_have_url(re.compile("/memory$"))


def test_rows_are_walked_and_opened(page, bot):
    page.goto(bot.at("chats/"))
    rows = page.locator("[data-row]")
    page.keyboard.press("j")
    expect(rows.nth(0).locator(":focus")).to_have_count(1)
    page.keyboard.press("j")
    expect(rows.nth(1).locator(":focus")).to_have_count(1)
    page.keyboard.press("k")
    goal = focused(page).get_attribute("href")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{goal}")


def test_a_row_keeps_the_focus_when_what_prompts_cost_comes_in(page, bot):
    held = []
    page.route("**/chats/?tokens=1", lambda route: held.append(route))
    with page.expect_request("**/chats/?tokens=1"):
        page.goto(bot.at("chats/"))
    rows = page.locator("[data-row]")
    page.keyboard.press("j")
    expect(rows.nth(0).locator(":focus")).to_have_count(1)
    expect(rows.nth(0).locator(".cost")).to_be_empty()
    held.pop().continue_()
    expect(rows.nth(0).locator(".cost")).not_to_be_empty()
    expect(rows.nth(0).locator(":focus")).to_have_count(1)


def test_a_row_is_selected_edited_and_left(page, bot):
    page.goto(bot.at("facts/MEMORY.md"))
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.locator("[data-row] input:checked")).to_have_count(1)
    page.keyboard.press("e")
    expect(focused(page)).to_have_js_property("tagName", "TEXTAREA")
    page.keyboard.press("Escape")
    expect(page.locator("[data-editing]")).to_have_count(0)
    last = page.locator("[data-row]").last
    said = last.locator(".fact").inner_text().strip()
    page.goto(bot.at(f"facts/MEMORY.md?at=1#{last.get_attribute('id')}"))  # the row that an address marks is the one
    page.keyboard.press("e")
    expect(focused(page)).to_have_value(said)


def test_days_follow_each_other(page, bot):
    last = max(log.stem for log in bot.root.glob("2*.md"))
    page.goto(bot.at(f"days/{last}"))
    page.keyboard.press("[")
    page.wait_for_url(lambda url: re.search(r"/days/\d{4}-", url) and last not in url)
    page.keyboard.press("]")
    page.wait_for_url(f"**/days/{last}")


def test_keys_pressed_while_the_page_comes_are_not_lost(page, bot):
    held = []
    page.route("**/kenoweb*.js", lambda route: held.append(route))
    with page.expect_request("**/kenoweb*.js"):
        page.goto(bot.at("chats/"), wait_until="commit")
    expect(page.locator("[data-row]").first).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("j")
    held.pop().continue_()
    expect(page.locator("[data-row]").nth(1).locator(":focus")).to_have_count(1)


def test_hours_are_one_stop_and_arrows_go_on(page, bot):
    bot.write("2026-01-05.md", "".join(f"## {9 + n // 4:02}:{n % 4}0 — Sold cup number {n}\n\n" for n in range(24)))
    page.goto(bot.at("days/2026-01-05"))
    stops = page.locator(".hours a[tabindex='0']")
    expect(stops).to_have_count(1)
    stops.focus()
    first = focused(page).get_attribute("href")
    page.keyboard.press("ArrowRight")
    expect(focused(page)).not_to_have_attribute("href", first)
    assert focused(page).get_attribute("href") > first
    page.keyboard.press("ArrowLeft")
    expect(focused(page)).to_have_attribute("href", first)
    expect(stops).to_have_count(1)


def test_help_opens_lists_and_closes(page, window):
    page.keyboard.press("?")
    help = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(help).to_contain_text("Undo your last change")
    window.inspect()
    page.keyboard.press("?")
    expect(help).not_to_be_visible()


def test_palette_finds_shows_and_goes(page, window, bot):
    page.keyboard.press("Control+k")
    ask = page.locator("#ask")
    expect(ask).to_be_focused()
    expect(page.locator("#options [role=group]").first).to_have_accessible_name(
        "Bots"
    )  # other bots first, then this one's pages
    expect(options(page).filter(has_text="Home")).to_be_visible()
    window.inspect()
    page.keyboard.type("workshop")
    expect(options(page).first).to_contain_text("http-http-workshop")
    expect(page.locator("#said")).to_have_text(re.compile(r"^\d+ results?$"))
    expect(ask).to_have_attribute("aria-activedescendant", options(page).first.get_attribute("id"))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url("**/chats/http-http-workshop")
    page.keyboard.press("Control+k")
    expect(options(page).filter(has_text="recently").first).to_be_visible()


def test_palette_shows_the_newest_answer_only(page):
    page.keyboard.press("Control+k")
    page.keyboard.type("memory", delay=30)
    page.keyboard.press("Control+a")
    page.keyboard.type("zzzz")
    expect(options(page)).to_have_text(["No results", re.compile("Search .* for “")])
    page.keyboard.press("Escape")
    expect(page.locator("#ask")).not_to_be_visible()


def test_palette_does_things(page):
    page.keyboard.press("Control+k")
    page.keyboard.type("dark")
    expect(options(page).first).to_contain_text("Dark theme")
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_u_takes_back_what_i_did_last(page, bot):
    path = "chats/undone/MEMORY.md"
    page.goto(bot.at(f"documents/{path}"))
    page.locator(".cm-content").click()
    page.keyboard.insert_text("- Never mind\n")
    page.keyboard.press("Control+s")
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    assert bot.read(path) == "- Never mind\n"
    page.goto(bot.at("history/"))
    page.keyboard.press("u")
    expect(page.locator("#messages")).to_contain_text("Undone: ")
    assert not (bot.root / path).exists()


def test_keys_can_be_switched_off(page, bot):
    page.goto(bot.at("memory"))
    expect(page.locator(f".side {HINTS}").first).to_have_attribute("title", "g then o")
    expect(page.locator(f".tree {HINTS}").first).to_have_attribute("title", "g then m")
    page.goto("/keys")
    page.get_by_role("button", name="Turn off in this browser").click()
    expect(page.locator("body")).to_have_attribute("data-keys", "off")
    page.goto(bot.at("memory"))
    expect(page.locator(".tree")).to_be_visible()
    expect(page.locator(HINTS)).to_have_count(0)
    page.goto(bot.at())
    page.keyboard.press("g")
    page.keyboard.press("m")
    page.keyboard.press("?")
    expect(page.locator("#help")).not_to_be_visible()
    expect(page).to_have_url(re.compile(re.escape(bot.at()) + "$"))
    page.keyboard.press("Control+k")
    expect(page.locator("#ask")).to_be_focused()


def test_more_holds_what_the_dock_has_no_room_for(window, bot):
    window.look("light", 360)
    window.page.goto(bot.at())
    dock = window.page.get_by_role("navigation", name="Navigation")
    expect(dock.locator("> ul > li:visible, > .more:visible")).to_have_count(5)
    dock.locator(".more > summary").click()
    window.inspect()
    window.page.set_viewport_size({"width": 360, "height": 640})
    assert dock.locator(".more .pop").evaluate("(sheet) => sheet.scrollHeight - sheet.clientHeight") == 0
    for control in dock.locator(".more li > a, .more li > form > button.plain").all():
        assert control.bounding_box()["height"] >= 40
    dock.get_by_role("link", name="Settings").click()
    window.page.wait_for_url("**/settings")


def test_without_javascript_there_is_the_same(windows, bot):
    page = windows(java_script_enabled=False).page
    page.goto(bot.at())
    page.get_by_label("Search this bot’s memory").fill("http-http-workshop")
    page.keyboard.press("Enter")
    page.locator(".places-found a").first.click()
    page.wait_for_url("**/chats/http-http-workshop")
    page.locator("details.me > summary").click()
    page.get_by_role("link", name="Keyboard shortcuts").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Keyboard shortcuts")
