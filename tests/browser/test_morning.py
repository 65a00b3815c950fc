"""A morning's review on the phone with one thumb: taps and typing, nothing else, and each tap can be made."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from memory.dialects.kenobot.sample import FAMILY, INES, SHOP
from tests.browser.site import settled
from tests.browser.thumb import LEAST, PRIMARY, Thumb

pytestmark = pytest.mark.browser
PLACES = (
    *(
        "",
        "memory",
        "days/",
        "days/today",
        "days/today?q=nothing",
        "chats/",
        "working/",
        "compaction",
        "history/",
    ),
    *(f"chats/{INES}", f"chats/{INES}/transcript", f"prompt/?chat={INES}", f"documents/chats/{FAMILY}/MEMORY.md"),
    *("documents/", "facts/MEMORY.md", "history/MEMORY.md", "webhooks/", "webhooks/secrets", "webhooks/refused"),
    *("webhooks/try", "settings", "export", "go?q=ines"),
)
WIDE_PLACES = ("/keys", "/bots/", "/bots/add", "/people/", "/people/1", "/account", "/password")
CONTROLS = "a[href], button, summary, select, textarea, input:not([type=hidden])"
TOO_SMALL = """([controls, least, primary]) => [...document.querySelectorAll(controls)]
  .filter((one) => one.checkVisibility({visibilityProperty: true}) && !one.closest(".skip, svg"))
  .map((one) => [one, (one.type === "checkbox" && one.labels[0]) || one])
  .filter(([one, box]) => {
    const {width, height} = box.getBoundingClientRect();
    return Math.min(width, height) < (one.matches(".filled, .places *") ? primary : least);
  })
  .map(([one]) => one.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def bot(site):
    return site.new_bot("morning")


@pytest.fixture
def phone(windows):
    return windows(**Thumb.PHONE)


@pytest.fixture
def page(phone, bot):
    phone.page.goto(bot.at())
    settled(phone.page)
    return phone.page


@pytest.fixture
def thumb(page):
    return Thumb(page)


def dock(page, name):
    return page.get_by_role("navigation", name="Navigation").get_by_role("link", name=name, exact=True)


def go(thumb, name, place):
    thumb.tap(dock(thumb.page, name), PRIMARY)
    thumb.page.wait_for_url(f"**/{place}")


def go_within(thumb, name, label, place):
    """To one of the pages of a place that is open."""
    pages = thumb.page.get_by_role("navigation", name=name, exact=True)
    thumb.tap(pages.get_by_role("link", name=label), PRIMARY)
    thumb.page.wait_for_url(f"**/{place}")


def undo(page):
    return page.locator(".toast").last.get_by_role("button", name="Undo")


def row(page, text):
    return page.locator(".facts > li", has_text=text)


def deed(thumb, fact, role, name):
    """Taps what can be done to a fact, which waits behind its three dots."""
    thumb.tap(fact.get_by_label("More"), 36)
    thumb.tap(fact.get_by_role(role, name=name))


def test_what_needs_a_look_begins_high_up(page):
    assert page.get_by_role("region", name="To review").bounding_box()["y"] < 130


def test_a_short_fact_takes_a_short_row(page, bot):
    page.goto(bot.at("days/today"))
    fact = page.locator(".facts > li:has(.pick)").first
    expect(fact.get_by_role("button", name="Forget")).to_be_hidden()
    assert fact.bounding_box()["height"] <= fact.locator(".fact").bounding_box()["height"] + 48
    links = page.locator(".tree")
    assert links.evaluate("(row) => (row.scrollLeft = row.scrollWidth, row.scrollLeft)") > 0
    assert links.locator(".leaves-below").bounding_box()["x"] >= links.bounding_box()["x"], "the list stays in sight"


def test_what_went_stale_is_discarded_and_brought_back(page, thumb, bot):
    pad = bot.root / f"working/{SHOP}.md"
    age = pad.stat().st_mtime_ns
    go(thumb, "Memory", "memory")
    go_within(thumb, "Memory", "Working memory", "working/")
    thumb.tap(page.get_by_role("button", name=f"Discard: {SHOP}"))
    expect(page.get_by_text("Discarded 1 working memory")).to_be_visible()
    assert not pad.exists()
    thumb.tap(undo(page))
    expect(page.get_by_role("button", name=f"Discard: {SHOP}")).to_be_visible()
    assert pad.stat().st_mtime_ns == age
    go(thumb, "Home", bot.at()[1:])


def test_what_needs_a_look_is_one_tap_away(page, thumb, bot):
    thumb.tap(page.get_by_role("region", name="To review").get_by_role("link").first)
    page.wait_for_url(lambda url: url.partition(bot.at())[2])
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_today_gets_an_entry_another_is_mended_and_one_forgotten(page, thumb, bot):
    before = bot.files()
    go(thumb, "Memory", "memory")
    go_within(thumb, "Memory", "Days", "days/")
    thumb.type(page.get_by_label("Add a fact to today"), "The dentist moved to half past nine")
    thumb.tap(page.get_by_role("button", name="Add", exact=True), PRIMARY)
    expect(row(page, "half past nine")).to_be_visible()
    (log,) = (path for path, data in bot.files().items() if data != before.get(path))
    added = bot.read(log)
    assert added.startswith(before[log].decode())
    assert "The dentist moved to half past nine" in added

    deed(thumb, row(page, "half past nine"), "link", "Edit")
    field = page.get_by_label("Text of the fact")
    expect(field).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.type(", on Tuesday")
    thumb.tap(page.locator("[data-editing]").get_by_role("button", name="Save"))
    expect(row(page, "half past nine, on Tuesday")).to_be_visible()
    assert bot.read(log) == added.replace("half past nine", "half past nine, on Tuesday")

    deed(thumb, row(page, "half past nine"), "button", "Forget")
    expect(row(page, "half past nine")).to_have_count(0)
    assert bot.files() == before
    thumb.tap(undo(page))
    expect(row(page, "half past nine, on Tuesday")).to_be_visible()
    deed(thumb, row(page, "half past nine"), "button", "Forget")
    expect(row(page, "half past nine")).to_have_count(0)


def test_a_chat_by_its_name_its_notes_and_the_history(page, thumb, bot):
    go(thumb, "Chats", "chats/")
    thumb.tap(page.get_by_role("link", name=FAMILY))
    page.wait_for_url(f"**/chats/{FAMILY}")
    thumb.tap(page.get_by_text("Add a name"))
    thumb.type(page.get_by_label("Name"), "Family")
    thumb.tap(page.get_by_role("button", name="Save name"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Family")
    go(thumb, "Chats", "chats/")
    thumb.tap(page.get_by_role("link", name="Family", exact=True))
    expect(row(page, "Rita is allergic to walnuts")).to_be_visible()
    thumb.tap(page.locator("details.more > summary"), PRIMARY)
    go(thumb, "History", "history/")
    thumb.tap(page.locator("main .rows a").first)
    page.wait_for_url(re.compile(r"/changes/\d+$"))


@pytest.mark.parametrize("places", [PLACES, WIDE_PLACES], ids=["of a bot", "of the site"])
def test_everything_can_be_hit(page, bot, places):
    small = {}
    for place in places:
        page.goto(place if place.startswith("/") else bot.at(place))
        small[place] = page.evaluate(TOO_SMALL, [CONTROLS, LEAST, PRIMARY])
    assert not any(small.values()), small
