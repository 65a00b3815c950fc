"""Days in a real browser: read in every look, turned by key, searched, unfolded, written to while the bot writes too."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.site import PHONE, WIDE, heard, look_again, settled
from tests.browser.thumb import PRIMARY, Thumb

pytestmark = pytest.mark.browser
SEEN = "(all) => all.filter((one) => one.checkVisibility()).length"
DAY, LONG, CHATTY = "2026-03-14", "2026-03-15", "2026-03-16"


def entries(*said):
    return "".join(f"## {time} — {text}\n\n" for time, text in said)


@pytest.fixture(scope="module")
def bot(site):
    bot = site.new_bot("days", with_sample=False)
    bot.write(f"{DAY}.md", entries(("09:00", "Ana likes tea"), ("18:30", "Bo likes\n- walks\n- trains")))
    bot.write(f"chats/telegram-1/{DAY}.md", entries(("12:15", "Plans a talk about tea")))
    beats = [(f"{n // 60:02}:{n % 60:02}", f"Heartbeat {n} ok, nothing to do") for n in range(900)]
    beats[450:450] = [("07:30", "Somebody called")]
    bot.write(f"{LONG}.md", entries(*beats))
    for n in range(40):
        bot.write(f"chats/telegram-{n}/{CHATTY}.md", entries((f"{n % 24:02}:00", f"Chat {n} says hello")))
    bot.write("2025-13-45.md", entries(("10:00", "A day that never was")))
    bot.write("2019-07-01.md", entries(("10:00", "Long ago")))
    site.manage("status", "--bot", bot.slug)  # or the first page, asked for before the walk, knows no such days
    return bot


@pytest.fixture(scope="module")
def empty(site):
    return site.new_bot("no days", with_sample=False)


@pytest.fixture
def page(window, bot):
    window.page.goto(bot.at("days/"))  # the walk of the first visit
    return window.page


@pytest.mark.parametrize(
    "place",
    [
        *("days/?month=2026-03", f"days/{DAY}", f"days/{DAY}?q=tea", f"days/{DAY}?scope=telegram-1", f"days/{LONG}"),
        *(f"days/{CHATTY}", "days/2025-13-45", "days/2026-03-17", "days/today"),
    ],
)
def test_page_in_every_look(window, page, bot, place):
    page.goto(bot.at(place))
    window.inspect_in_every_look()


@pytest.mark.alike
@pytest.mark.parametrize("place", ["days/", "days/today"])
def test_page_of_a_bot_without_days(window, empty, place):
    window.page.goto(empty.at(place))
    window.inspect_in_every_look()


def test_days_are_turned_by_key(page, bot):
    page.goto(bot.at(f"days/{LONG}"))
    days = (("[", DAY, "Saturday, 14 March 2026"), ("]", LONG, "15 March"), ("]", CHATTY, "16 March"))
    for key, day, name in days:
        page.keyboard.press(key)
        page.wait_for_url(f"**/days/{day}")
        expect(page.locator("h1")).to_contain_text(name)


def test_months_are_turned_by_key(page, bot):
    page.goto(bot.at("days/?month=2026-03"))
    page.keyboard.press("[")
    expect(page.locator("#month")).to_have_text("July 2019")
    page.get_by_text("Show as table").first.click()
    page.locator(".year .table a[href='?month=2026-03']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#month")).to_have_text("March 2026")


def test_a_day_is_searched_from_the_keyboard(page, bot):
    page.goto(bot.at(f"days/{CHATTY}"))
    page.keyboard.press("f")
    page.keyboard.type("chat 3")
    page.keyboard.press("Enter")
    expect(page.locator("mark")).to_have_text(["Chat 3"] * 11)
    expect(page.locator(".told")).to_have_text("11 of 40 facts contain “chat 3”")


def test_repeats_unfold_where_they_are_and_fold_again(page, bot):
    page.goto(bot.at(f"days/{LONG}"))
    expect(page.locator(".facts > li")).to_have_count(3)
    page.get_by_role("link", name="450 alike until 07:29").click()
    expect(page.locator(".facts > li")).to_have_count(148)
    page.get_by_role("link", name="Fold all").click()
    expect(page.locator(".facts > li")).to_have_count(3)


def test_the_bot_writes_while_a_day_is_open(page, bot):
    log = "chats/telegram-1/2026-03-02.md"
    bot.write(log, entries(("09:00", "Asks for a room"), ("18:00", "Thanks")))
    page.clock.install()
    page.goto(bot.at("days/2026-03-02?scope=telegram-1"))
    heard(page)
    expect(page.locator(".facts > li")).to_have_count(2)
    bot.append(log, entries(("13:00", "Booked a room")))
    look_again(page)
    expect(page.locator(".facts > li").nth(1)).to_contain_text("Booked a room")
    expect(page.locator(".told")).to_contain_text("3 facts")


def test_an_entry_for_today_with_a_thumb_and_taken_back(windows, empty):
    page = windows(viewport={"width": PHONE, "height": 740}, has_touch=True).page
    page.goto(empty.at())
    page.get_by_role("navigation", name="Navigation").get_by_role("link", name="Memory").tap()
    page.get_by_role("navigation", name="Memory").get_by_role("link", name="Days").tap()
    page.get_by_label("Add a fact to today").fill("Ana moved to Lisbon")
    page.get_by_role("button", name="Add", exact=True).tap()
    expect(page.locator(".facts > li")).to_contain_text("Ana moved to Lisbon")
    (log,) = empty.root.glob("2*.md")
    assert "Ana moved to Lisbon" in log.read_text()
    page.locator("#messages").get_by_role("button", name="Undo").tap()
    expect(page.get_by_text(re.compile("^Undone: ")).first).to_be_visible()
    expect(page.locator(".facts > li")).to_have_count(0)


COMPOSED = """(field) => {
  let sent = false;
  document.addEventListener("submit", () => { sent = true; }, {capture: true, once: true});
  field.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", isComposing: true, bubbles: true}));
  return sent;
}"""  # Enter that an input method takes for itself


@pytest.mark.parametrize("place", ["days/", "days/today", "days/2026-03-08"])
def test_enter_adds_what_was_typed_and_shift_enter_breaks_the_line(page, bot, place):
    page.goto(bot.at(place))
    text = page.locator("#add textarea")
    if not text.is_visible():
        page.get_by_text("Add a fact to this day").first.click()
        page.get_by_label("Time").fill("09:00")
    text.fill(f"Typed at {place}")
    text.press("Shift+Enter")
    text.press_sequentially("below")
    assert text.evaluate(COMPOSED) is False
    text.press("Enter")
    expect(page.locator("#messages")).to_contain_text("Added to")
    assert f"Typed at {place}\nbelow" in "".join(log.read_text() for log in bot.root.glob("2*.md"))


@pytest.mark.parametrize("width", [PHONE, 320])
def test_a_long_fact_fits_a_phone(windows, bot, width):
    bot.write("2026-03-07.md", entries(("09:00", "Ana likes tea. " * 167)))
    page = windows(viewport={"width": width, "height": 740}).page
    page.goto(bot.at("days/2026-03-07"))
    expect(page.get_by_role("link", name="Rest of this fact")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_everything_works_without_javascript(windows, bot):
    page = windows(java_script_enabled=False).page
    page.goto(bot.at("days/?month=2026-03"))
    page.locator("table.month").get_by_role("link", name="Sunday, 15 March 2026").click()
    page.get_by_role("link", name="450 alike until 07:29").click()
    expect(page.locator(".facts > li")).to_have_count(148)
    page.get_by_label("Filter this day").fill("called")
    page.get_by_role("button", name="Filter").click()
    expect(page.locator("mark")).to_have_text(["called"])
    page.get_by_role("link", name="Go to today").click()
    page.get_by_label("Add a fact to today").fill("Written without a script")
    page.get_by_role("combobox", name="Chat", exact=True).fill("telegram-3")
    page.get_by_role("button", name="Add", exact=True).click()
    row = page.locator(".facts > li", has_text="Written without a script")
    expect(row).to_contain_text("telegram-3")
    row.get_by_role("button", name="Forget").click()
    settled(page)
    expect(row).to_have_count(0)


def test_an_entry_is_opened_with_enter_and_stays_open(window, page, bot):
    names = [
        f"{one} {two}" for one in ("red", "green", "old", "new") for two in ("pears", "plums", "dates", "limes", "figs")
    ]
    said = [
        (f"{9 + n // 9:02}:{n:02}", f"About {name}\n\n- **Club:** likes {name}\n- so do I")
        for n, name in enumerate(names)
    ]
    bot.write("2026-03-04.md", entries(*said))
    page.clock.install()
    page.goto(bot.at("days/2026-03-04"))
    heard(page)
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    text = page.locator(".fold[open] .prose")
    expect(text.locator("strong")).to_have_text("Club:")
    expect(text.locator("li")).to_have_count(2)
    window.inspect_in_every_look()
    window.look("light", WIDE)
    bot.append("2026-03-04.md", entries(("20:00", "Somebody called")))
    look_again(page)
    expect(page.locator(".facts")).to_contain_text("Somebody called")
    expect(text.locator("strong")).to_have_text("Club:")
    page.get_by_role("link", name="10:00, 9 facts").click()
    expect(page.locator(".facts [data-row]")).to_have_count(9)


@pytest.fixture(scope="module")
def full_day(bot):
    """A day of 148 entries, no two neighbours alike."""
    said = [
        (f"{n // 7:02}:{n % 7 * 8:02}", f"{chr(97 + n % 26)}{chr(98 + n // 26)} is said\n\n- first\n- **then** more")
        for n in range(148)
    ]
    bot.write("2026-03-06.md", entries(*said))
    return bot.at("days/2026-03-06")


def test_the_longest_day_fits_in_three_screens(windows, page, full_day):
    window = windows(viewport={"width": 1366, "height": 900})
    window.page.goto(full_day)
    expect(window.page.locator("details.hour")).to_have_count(22)
    assert window.page.evaluate("document.documentElement.scrollHeight") <= 3 * 900
    window.inspect_in_every_look()


def test_an_hour_opens_with_enter_and_stays_open_when_something_in_it_is_forgotten_and_comes_back(page, full_day):
    page.goto(full_day)
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    hour = page.locator("details.hour").nth(1)
    expect(hour).to_have_attribute("open", "")
    expect(hour.locator("[data-row]:visible")).to_have_count(8)  # its own, too
    page.keyboard.press("j")
    expect(hour.locator(".facts > li").first).to_be_focused()
    hour.locator(".facts > li").first.locator("summary").click()
    hour.locator(".facts > li").first.get_by_role("button", name="Forget").click()
    expect(page.locator("details.hour").nth(1).locator("[data-row]:visible")).to_have_count(7)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator("details.hour").nth(1).locator("[data-row]:visible")).to_have_count(8)


def test_all_entries_are_unfolded_and_laid_out_as_they_come_into_sight(windows, page, full_day):
    window = windows(viewport={"width": 1366, "height": 650})
    asked = []
    window.page.on("request", lambda request: asked.append(request.url) if "whole=1" in request.url else None)
    window.page.goto(full_day)
    window.page.get_by_role("link", name="Unfold all").click()
    expect(window.page.locator(".facts .fold")).to_have_count(141)  # as many as a page has room for
    expect(window.page.locator(".facts .fold:not([open])")).to_have_count(0)
    expect(window.page.locator(".prose li").first).to_have_text("first")
    assert len(asked) < 40
    rows = window.page.locator(".facts > li")
    expect(rows.nth(100).locator(".fact")).to_contain_text("**then** more")
    for row in (rows.nth(100), rows.last):  # the page has room for the text of the first alone
        row.scroll_into_view_if_needed()
        expect(row.locator(".prose strong")).to_have_text("then")
    window.inspect_in_every_look()
    window.page.get_by_role("link", name="Fold all").click()
    expect(window.page.locator("details.hour:not([open])")).to_have_count(22)


def test_the_text_of_a_heavy_day_comes_when_an_entry_is_opened_with_all_that_can_be_done_to_it(
    window, windows, page, bot
):
    text = "- **Club:** three new replies\n" * 40
    bot.write(
        "2026-03-09.md",
        entries(
            *(
                (f"{n // 7:02}:{n % 7 * 8:02}", f"{chr(97 + n % 26)} of {chr(97 + n // 26)}\n\n{text}")
                for n in range(148)
            )
        ),
    )
    page.goto(bot.at("days/2026-03-09"))
    page.locator("details.hour").last.locator("summary").first.click()
    last = page.locator(".facts > li").last
    expect(last.locator(".fact")).to_have_text("Show all")
    last.locator("summary").press("e")
    expect(page.get_by_label("Text of the fact")).to_be_focused()
    page.keyboard.press("Escape")
    last.locator("summary").click()
    expect(last.locator(".prose strong")).to_have_count(40)
    expect(last.locator(".deeds > *")).to_have_text(["Edit", "History", "Move to long-term", "Forget"])
    window.inspect_in_every_look()
    last.get_by_role("button", name="Forget").click()
    expect(page.locator(".facts > li")).to_have_count(147)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".facts > li")).to_have_count(148)
    without = windows(java_script_enabled=False).page
    without.goto(bot.at("days/2026-03-09"))
    without.locator("details.hour").last.locator("summary").first.click()
    without.locator(".facts > li").last.locator("summary").click()
    without.locator(".facts > li").last.get_by_role("link", name="Show all").click()
    expect(without.get_by_label("Text of the fact")).to_have_value(re.compile("r of f"))


@pytest.mark.parametrize("scripted", [True, False], ids=["with a script", "without"])
def test_on_a_phone_the_list_of_a_day_has_one_row_above_it(windows, bot, scripted):
    page = windows(**Thumb.PHONE, java_script_enabled=scripted).page
    thumb = Thumb(page)
    page.goto(bot.at(f"days/{CHATTY}?open=1"))
    assert page.locator(".facts .pick, .list-head form").evaluate_all(SEEN) == 0
    thumb.tap(page.locator("label", has_text="Select"), PRIMARY)
    expect(page.locator(".facts .pick").first).to_be_visible()
    thumb.tap(page.locator("label", has_text="Filter"), PRIMARY)
    field = page.get_by_label("Filter this day")
    expect(field).to_be_visible()
    if scripted:
        expect(field).to_be_focused()
    field.fill("Chat 7 says")
    field.press("Enter")
    page.wait_for_url("**q=Chat*")
    expect(page.get_by_label("Filter this day")).to_be_visible()  # which tells why there is so little


def test_on_a_desk_the_same_stands_open(page, bot):
    page.goto(bot.at(f"days/{CHATTY}?open=1"))
    expect(page.get_by_label("Filter this day")).to_be_visible()
    expect(page.locator(".facts .pick").first).to_be_visible()
    assert page.locator(".list-head > label").evaluate_all(SEEN) == 0
