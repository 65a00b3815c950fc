"""The whole desk without a pointer: every control of every page is met by Tab and seen there, and each story can be lived."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from memory.dialects.kenobot.sample import FAMILY, INES, SHOP
from tests.browser.site import PHONE, heard, settled
from tests.support.amounts import some

pytestmark = pytest.mark.browser
DAY, FULL_DAY = "2026-02-13", "2026-02-12"  # the latter with a strip of its hours
WORDS = ("Likes tea", "Plans a talk", "Rides a bicycle", "Sleeps well")
LOG = "".join(f"## 09:{at}0 — {text}\n\n" for at, text in enumerate(WORDS))
FULL_LOG = "".join(f"## {9 + n // 4:02}:{n % 4}0 — Sold cup number {n}\n\n" for n in range(24))
PLACES = (
    *("", "memory", "days/?month=2026-02", f"days/{DAY}", f"days/{FULL_DAY}", "chats/", "working/", "compaction"),
    *(f"chats/{SHOP}", f"chats/{SHOP}/transcript", f"prompt/?chat={SHOP}", f"compaction?scope=chat:{INES}"),
    *("history/", "history/MEMORY.md", "documents/", f"documents/chats/{FAMILY}/MEMORY.md", f"facts/{DAY}.md"),
    *("webhooks/", "webhooks/secrets", "webhooks/refused", "webhooks/try", "settings", "export", "go?q=ines"),
    *("/keys", "/bots/", "/bots/add", "/bots/alone/remove", "/people/", "/people/1", "/account", "/password"),
)
CONTROLS = "a[href], button, summary, select, textarea, input:not([type=hidden]), [tabindex='0']"
LISTEN = """(controls) => {
  const isSeen = ({outlineStyle, outlineWidth, strokeWidth}) =>
    (outlineStyle !== "none" && parseFloat(outlineWidth) >= 2) || parseFloat(strokeWidth) >= 3;
  window.met = new Map();
  document.addEventListener("focusin", ({target}) => {
    met.set(target, [target, ...target.querySelectorAll("rect")].some((one) => isSeen(getComputedStyle(one))));
  });
  window.wanted = [...document.querySelectorAll(controls)]
    .filter((one) => one.checkVisibility({visibilityProperty: true}) && !one.disabled && one.tabIndex >= 0);
  return wanted.length;
}"""
READ = """(controls) => {
  window.stops = [];
  document.addEventListener("focusin", ({target}) => {
    if (!target.closest("main") || target.closest(".chosen")) return;  // what is done to a selection floats
    const {top, bottom} = (target.closest("li, tr") ?? target).getBoundingClientRect();
    stops.push([target.outerHTML.slice(0, 140), top + scrollY, bottom + scrollY]);
  });
  return [...document.querySelectorAll(controls)].filter((one) => one.checkVisibility() && one.tabIndex >= 0).length;
}"""
BESIDE = 12  # stops that are no controls: what scrolls, the editor, the page itself
SAID = "(one) => one.outerHTML.slice(0, 140)"
MISSED = f"() => wanted.filter((one) => !met.has(one)).map({SAID})"
UNSEEN = f"() => [...met].filter(([one, seen]) => !seen && !one.matches('.cm-content')).map(([one]) => ({SAID})(one))"


@pytest.fixture(scope="module")
def alone(site):
    return site.new_bot("alone")


@pytest.fixture
def bot(alone):
    alone.write(f"{DAY}.md", LOG)
    alone.write(f"{FULL_DAY}.md", FULL_LOG)
    return alone


@pytest.fixture
def page(window, bot):
    window.page.goto(bot.at(f"days/{DAY}"))
    heard(window.page)
    return window.page


def row(page, text):
    return page.locator(".facts > li", has_text=text)


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def tab_to(page, goal, key="Tab"):
    """Tab until the goal has the focus; it must not take more steps than a page has controls."""
    expect(goal).to_be_visible()
    for _ in range(150):
        page.keyboard.press(key)
        if goal.evaluate("(one) => one === document.activeElement"):
            return
    raise AssertionError(f"{goal} is not met by {key} on {page.url}")


def test_tab_meets_every_control_and_shows_where_it_is(page, bot):
    for place in some(PLACES, 2):
        page.goto(place if place.startswith("/") else bot.at(place))
        settled(page)  # what comes later takes the place of what was there
        for _ in range(page.evaluate(LISTEN, CONTROLS) + BESIDE):
            page.keyboard.press("Tab")
        assert (page.evaluate(MISSED), page.evaluate(UNSEEN)) == ([], []), place


def test_the_editor_shows_that_it_has_the_focus(page, bot):
    page.goto(bot.at("memory"))
    tab_to(page, page.locator(".cm-content"))
    expect(page.locator(".cm-editor")).to_have_css("outline-style", "solid")
    press(page, "Tab")
    expect(page.locator("#preview")).to_be_focused()


def left_open(page, opener, field, key="Enter"):
    """What opens a form puts the hand into it; Escape gives the hand back, and what was typed is there when it opens again."""
    press(page, key)
    expect(field).to_be_focused()
    press(page, "Control+a")
    page.keyboard.type("No, not that")
    press(page, "Escape")
    expect(opener).to_be_focused()
    expect(field).not_to_be_visible()
    press(page, key)
    expect(field).to_be_focused()
    expect(field).to_have_value("No, not that")


def test_a_fact_of_an_earlier_day_is_begun_and_added(page, bot):
    opener, field = page.locator(".earlier > summary"), page.get_by_label("Add a fact to this day")
    tab_to(page, opener)
    left_open(page, opener, field)
    press(page, "Control+a")
    page.keyboard.type("Drinks water")
    press(page, "Enter")
    expect(row(page, "Drinks water")).to_be_visible()
    assert "Drinks water" in bot.read(f"{DAY}.md")


@pytest.mark.parametrize("place", [f"days/{DAY}", "days/today"])
def test_on_a_phone_what_opens_is_typed_into_and_closed(windows, bot, place):
    page = windows(viewport={"width": PHONE, "height": 740}).page
    page.goto(bot.at(place))
    opener = page.locator(".list-head :is(.earlier > summary, #adding)")
    tab_to(page, opener)
    left_open(page, opener, page.locator(".list-head textarea"), "Space")


@pytest.mark.parametrize("place", ["", f"days/{FULL_DAY}"])
def test_on_a_phone_tab_goes_as_one_reads(windows, bot, place):
    page = windows(viewport={"width": PHONE, "height": 740}).page
    page.goto(bot.at(place))
    settled(page)
    for _ in range(page.evaluate(READ, CONTROLS)):
        page.keyboard.press("Tab")
    stops = page.evaluate("stops")
    assert [f"{one} before {other}" for one, other in pairwise(stops) if other[2] <= one[1]] == []
    assert len(stops) > 3


def test_an_entry_is_mended_forgotten_and_brought_back(page, bot):
    press(page, "j", "j", "e")
    expect(page.get_by_label("Text of the fact")).to_be_focused()
    press(page, "End")
    page.keyboard.type(": jk x? [u]/")
    press(page, "Enter")
    expect(row(page, "Plans a talk: jk x? [u]/").get_by_role("link", name="Edit")).to_be_focused()
    assert bot.read(f"{DAY}.md") == LOG.replace("a talk", "a talk: jk x? [u]/")
    tab_to(page, row(page, "Plans a talk").get_by_role("button", name="Forget"))
    press(page, "Enter")
    expect(row(page, "Plans a talk")).to_have_count(0)
    expect(row(page, "Rides a bicycle").locator(":focus")).to_have_count(1)
    press(page, "u")
    expect(row(page, "Plans a talk: jk")).to_be_visible()


def test_three_are_selected_and_forgotten_together(page, bot):
    press(page, "j", "x", "j", "j", "x", "j", "x")
    expect(page.locator("[data-row] input:checked")).to_have_count(3)
    tab_to(page, page.get_by_role("button", name="Forget selected"))
    press(page, "Shift+Tab")
    expect(page.locator("[data-row] :focus")).to_have_count(1)  # Tab meets it behind the rows, where it is seen
    press(page, "Tab", "Enter")
    expect(page.get_by_role("heading", name="Forget 3 facts?")).to_be_focused()
    tab_to(page, page.get_by_role("button", name="Forget 3 facts"))
    press(page, "Enter")
    expect(page.locator(".facts > li")).to_have_count(1)
    expect(page.locator(":focus")).to_have_count(1)
    assert bot.read(f"{DAY}.md") == "## 09:10 — Plans a talk\n\n"
    press(page, "u")
    expect(page.locator(".facts > li")).to_have_count(4)
    assert bot.read(f"{DAY}.md") == LOG


def test_a_chat_is_found_and_named(page):
    press(page, "g", "c")
    page.wait_for_url("**/chats/")
    tab_to(page, page.locator(f".chats a[href$='/{SHOP}']"))
    press(page, "Enter")
    page.wait_for_url(f"**/chats/{SHOP}")
    tab_to(page, page.locator("details.rename > summary"))
    press(page, "Enter")
    expect(page.get_by_label("Name")).to_be_focused()
    page.keyboard.type("Shop")
    press(page, "Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Shop")
    page.wait_for_load_state()
    tab_to(page, page.locator("details.rename > summary"))
    left_open(page, page.locator("details.rename > summary"), page.get_by_label("Name"))


def test_a_secret_is_made_and_a_test_sent(page):
    press(page, "g", "b")
    page.wait_for_url("**/webhooks/")
    tab_to(page, page.locator(".tabs").get_by_role("link", name="Secrets"))
    press(page, "Enter")
    page.wait_for_url("**/webhooks/secrets")
    tab_to(page, page.get_by_label("Name"))
    page.keyboard.type("Keys")
    press(page, "Enter")
    expect(page.get_by_label("Secret", exact=True)).to_be_visible()
    page.wait_for_load_state()
    tab_to(page, page.get_by_role("link", name="Done"))
    press(page, "Enter")
    expect(page.locator(".secrets")).to_contain_text("Keys")
    page.wait_for_load_state()
    tab_to(page, page.locator(".tabs").get_by_role("link", name="Send a test"))
    press(page, "Enter")
    page.wait_for_url("**/webhooks/try")
    tab_to(page, page.get_by_role("button", name="Send a test"))
    press(page, "Enter")
    expect(page.locator("#outcome")).to_be_focused()


def test_dialogs_close_with_escape_and_give_the_focus_back(page):
    press(page, "j")
    before = page.locator(":focus").get_attribute("id")
    for key, name in (("?", "Keyboard shortcuts"), ("Control+k", "Go to or run")):
        press(page, key)
        dialog = page.get_by_role("dialog", name=name)
        expect(dialog).to_be_visible()
        for _ in range(6):
            page.keyboard.press("Tab")
            assert page.evaluate(
                "document.activeElement === document.body || !!document.activeElement.closest('dialog')"
            )
        press(page, "Escape")
        expect(dialog).not_to_be_visible()
        expect(page.locator(":focus")).to_have_attribute("id", before)


def test_places_without_a_letter_are_reached_too(page):
    mine = page.locator("details.me")
    tab_to(page, mine.locator("summary"))
    press(page, "Enter")
    tab_to(page, mine.get_by_role("link", name="People"))
    press(page, "Enter")
    page.wait_for_url("**/people/")
    press(page, "j", "Enter")
    page.wait_for_url(re.compile(r"/people/\d+$"))
    tab_to(page, mine.locator("summary"))
    press(page, "Enter")
    tab_to(page, mine.get_by_role("link", name="Account"))
    press(page, "Enter")
    page.wait_for_url("**/account")
    page.go_back()
    tab_to(page, mine.locator("summary"))
    press(page, "Enter")
    tab_to(page, mine.get_by_role("link", name="Keyboard shortcuts"))
    press(page, "Enter")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()


def test_switched_off_no_single_key_does_anything(page, bot):
    page.context.add_cookies([{"name": "keys", "value": "off", "url": page.url}])
    page.reload()
    press(page, "j", "x", "e", "u", "[")
    expect(page.locator("main :focus")).to_have_count(0)
    expect(page.locator("[data-row] input:checked, [data-editing]")).to_have_count(0)
    expect(page).to_have_url(re.compile(f"/days/{DAY}$"))
    tab_to(page, row(page, "Likes tea").get_by_role("link", name="Edit"))
    press(page, "Enter")
    expect(page.get_by_label("Text of the fact")).to_be_focused()
    assert bot.read(f"{DAY}.md") == LOG
