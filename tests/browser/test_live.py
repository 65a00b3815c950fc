"""A page that stays in step with the files, without taking anything out of somebody's hands."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Error, expect

from tests.browser.site import WALK, heard, look_again

pytestmark = pytest.mark.browser
NEWS = "Something new is available."
# Notes whether a row with these words ever comes back.
NOTICE = """(words) => {
  window.back = false;
  new MutationObserver(() => { window.back ||= document.querySelector(".facts").textContent.includes(words); })
    .observe(document.getElementById("main"), {childList: true, subtree: true, characterData: true});
}"""
# A bot's changes so far become old ones: what a chart is drawn of.
LONG_AGO = """
from datetime import timedelta
from django.utils import timezone
from memory.models import ChangeSet
ChangeSet.objects.filter(bot__slug="{slug}").update(created=timezone.now() - timedelta(days=9))
"""


@pytest.fixture
def bot(site, request):
    return site.new_bot(f"live-{abs(hash(request.node.name)) % 10**8}")


def today():
    return datetime.now(UTC).date().isoformat()


def opened(window, bot, place=""):
    """A page that has heard of everything so far; from here on its clock goes when it is told to."""
    page = window.page
    page.clock.install()
    page.goto(bot.at(place))
    heard(page)
    return page


def test_what_the_bot_wrote_appears_by_itself(window, bot):
    page = opened(window, bot)
    bot.append(f"{today()}.md", "## 23:58 — Prefers the blue cups\n\n")
    look_again(page)
    expect(page.get_by_role("region", name="Changes")).to_contain_text("Prefers the blue cups")
    expect(page.locator("#mark")).to_contain_text("changed just now")


def test_a_hit_appears_beside_a_choice_of_months_that_nobody_made(window, site, bot):
    bot.append("2026-01-05.md", "## 10:00 — Prefers the blue cups\n\n")
    site.manage("status", "--bot", bot.slug)
    page = opened(window, bot, "search?q=blue+cups")
    expect(page.get_by_label("From")).to_be_visible()
    bot.append(f"{today()}.md", "## 23:58 — Washes the blue cups by hand\n\n")
    look_again(page)
    expect(page.locator("#live")).to_contain_text("by hand")
    expect(page.get_by_text(NEWS)).not_to_be_visible()


def test_number_above_the_findings_follows_them(window, bot):
    page = opened(window, bot, "tidy/")
    before = page.locator("#reviewed").inner_text()
    bot.append("MEMORY.md", "- The password of the router is hunter2hunter2\n")
    look_again(page)
    expect(page.locator(".findings > li").filter(has_text="the router")).to_be_visible()
    expect(page.locator("#reviewed")).not_to_have_text(re.compile(rf"^{before.partition(' ')[0]} "))


@pytest.mark.parametrize("place", ["memory", "days/"])
def test_days_beside_a_page_follow_the_logs(window, site, bot, place):
    site.manage("status", "--bot", bot.slug)  # or the first page, asked for before the walk, knows no facts
    page = opened(window, bot, place)
    said = page.locator("#days-beside li").filter(has_text="Today").locator(".when")
    before = int(said.inner_text())
    bot.append(f"{today()}.md", "## 23:58 — Prefers the blue cups\n\n")
    look_again(page)
    expect(said).to_have_text(str(before + 1))


def test_number_of_days_above_their_list_follows_it(window, site, bot):
    bot.write("2024-02-29.md", "## 09:00 — Leapt\n\n")
    site.manage("status", "--bot", bot.slug)
    page = opened(window, bot, "days/")
    before = int(page.locator("#days-told").inner_text().split()[0])
    bot.write("2024-02-28.md", "## 09:00 — Nearly leapt\n\n")
    look_again(page)
    expect(page.get_by_role("link", name="Wednesday, 28 February 2024")).to_be_attached()
    expect(page.locator("#days-told")).to_contain_text(f"{before + 1} days, ")


def test_focus_and_what_is_open_stay(window, site, bot):
    page = opened(window, bot)
    bot.append("MEMORY.md", "- Sold the red cups\n")
    look_again(page)
    site.run("shell", "--verbosity", "0", "-c", LONG_AGO.format(slug=bot.slug))
    page.reload()
    heard(page)
    page.get_by_text("Show as table").click()
    page.get_by_role("link", name="Edit memory").focus()
    learned = page.get_by_role("region", name="Learned this week")
    line = learned.locator(".rows a").first
    line.focus()
    goal, words = line.get_attribute("href"), line.inner_text()
    bot.append(f"{today()}.md", "## 23:58 — Prefers the blue cups\n\n")
    look_again(page)
    expect(page.get_by_role("region", name="Changes")).to_contain_text("Prefers the blue cups")
    expect(learned.locator(".rows a").first).to_have_text("Prefers the blue cups")
    expect(page.locator("details.aside")).to_have_attribute("open", "")
    expect(page.locator(":focus")).to_have_attribute("href", goal)
    expect(page.locator(":focus")).to_have_text(words)


def test_what_is_pressed_stays_what_it_was(window, bot):
    page = opened(window, bot)
    bot.append(f"{today()}.md", "## 23:57 — Prefers the blue cups\n\n")
    look_again(page)
    lately = page.get_by_role("region", name="Changes")
    undo = lately.get_by_role("button", name="Undo: Prefers the blue cups")
    undo.hover()
    page.mouse.down()
    bot.append("MEMORY.md", "- Sold the red cups\n")
    with page.expect_response(lambda answer: answer.url.endswith(bot.at())):
        look_again(page)
    expect(lately.get_by_text("Sold the red cups")).to_have_count(0)
    page.mouse.up()
    expect(page.locator("#messages")).to_contain_text("Undone: Prefers the blue cups")
    assert b"Sold the red cups" in (bot.root / "MEMORY.md").read_bytes()


def test_news_of_the_files_takes_no_button_from_under_a_finger(window, bot):
    page = opened(window, bot, "facts/MEMORY.md")
    page.wait_for_load_state("networkidle")  # it has been told of what the first walk found
    row = page.locator("[data-row]").nth(2)
    row.get_by_role("link", name="Edit").click()
    page.get_by_label("Text of the fact").fill("Prefers the blue cups")
    save = page.locator("[data-editing]").get_by_role("button", name="Save")
    place = save.bounding_box()
    save.hover()
    page.mouse.down()
    bot.write("MEMORY.md", bot.read().replace("## ", "## New ", 1))
    look_again(page)
    expect(page.get_by_text(NEWS)).to_be_hidden()
    assert save.bounding_box() == place
    page.mouse.up()
    expect(page.locator(".facts")).to_contain_text("Prefers the blue cups")
    assert "Prefers the blue cups" in bot.read()


def test_news_of_the_files_moves_nothing(window, bot):
    page = opened(window, bot, "facts/MEMORY.md")
    page.locator("[data-row]").nth(2).get_by_role("link", name="Edit").click()
    save = page.locator("[data-editing]").get_by_role("button", name="Save")
    place = save.bounding_box()
    bot.append("MEMORY.md", "- Sold the red cups\n")
    look_again(page)
    expect(page.get_by_text(NEWS)).to_be_visible()
    assert save.bounding_box() == place


@pytest.mark.parametrize("while_pressed", [False, True])
def test_a_button_pressed_while_another_is_answered_is_not_lost(window, bot, while_pressed):
    page = opened(window, bot, "facts/MEMORY.md")
    rows, held = page.locator("[data-row]"), []
    first, second = (rows.nth(number).locator(".fact").inner_text() for number in (1, 3))
    page.route("**/entry/forget", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/entry/forget"):
        rows.nth(1).get_by_role("button", name="Forget").click()
    other = page.locator("[data-row]", has_text=second).get_by_role("button", name="Forget")
    other.hover()
    page.mouse.down()
    if not while_pressed:
        page.mouse.up()
    held[0].continue_()
    expect(page.locator("[data-row]", has_text=first)).to_have_count(0)
    page.mouse.up()
    expect(page.locator("[data-row]", has_text=second)).to_have_count(0)
    assert first not in bot.read()
    assert second not in bot.read()


def test_news_waits_for_a_button_that_is_being_answered(window, bot):
    page = opened(window, bot, "facts/MEMORY.md")
    rows, held = page.locator("[data-row]"), []
    first, second = (rows.nth(number).locator(".fact").inner_text() for number in (1, 3))
    page.route("**/entry/forget", lambda route: route.continue_() if held else held.append(route))
    rows.nth(1).get_by_role("button", name="Forget").click()
    bot.append("MEMORY.md", "- Sold the red cups\n")
    with page.expect_response(f"**{bot.at('facts/MEMORY.md')}"):
        look_again(page)
    page.locator("[data-row]", has_text=second).get_by_role("button", name="Forget").click()
    expect(page.locator("[data-row]", has_text="Sold the red cups")).to_have_count(0)
    held[0].continue_()
    for words in (first, second):
        expect(page.locator("[data-row]", has_text=words)).to_have_count(0)
    expect(page.locator("[data-row]", has_text="Sold the red cups")).to_be_visible()


def test_a_row_goes_on_being_the_same_when_others_come_before_it(window, bot):
    page = opened(window, bot)
    bot.append(f"{today()}.md", "## 23:57 — Prefers the blue cups\n\n")
    look_again(page)
    lately = page.get_by_role("region", name="Changes")
    undo = lately.get_by_role("button", name="Undo: Prefers the blue cups").element_handle()
    bot.append("MEMORY.md", "- Sold the red cups\n")
    look_again(page)
    expect(lately.get_by_text("Sold the red cups")).to_be_visible()
    assert undo.get_attribute("aria-label") == "Undo: Prefers the blue cups"


def test_a_page_asked_for_before_something_was_done_does_not_take_it_back(window, bot):
    page = opened(window, bot, "facts/MEMORY.md")
    before, held = page.request.get(bot.at("facts/MEMORY.md")).text(), []
    words = page.locator(".fact").first.inner_text()
    row = page.locator("[data-row]", has_text=words)
    page.route(f"**{bot.at('facts/MEMORY.md')}", lambda route: route.continue_() if held else held.append(route))
    bot.append("MEMORY.md", "- Sold the red cups\n")
    with page.expect_request(f"**{bot.at('facts/MEMORY.md')}"):
        look_again(page)
    row.get_by_role("button", name="Forget").click()
    expect(row).to_have_count(0)
    page.evaluate(NOTICE, words)
    with suppress(Error):  # the page has given up on it
        held[0].fulfill(body=before, content_type="text/html")
    bot.append("MEMORY.md", "- Sold the blue cups\n")
    look_again(page)
    expect(page.locator(".facts")).to_contain_text("Sold the blue cups")
    assert not page.evaluate("window.back")


def test_ticks_stay_on_their_rows(window, bot):
    page = opened(window, bot, "facts/MEMORY.md")
    page.wait_for_load_state("networkidle")  # it has been told of what the first walk found
    row = page.locator("[data-row]").nth(2)
    words = row.locator(".fact").inner_text()
    row.get_by_role("checkbox").check()
    bot.write("MEMORY.md", "- A new line above all others\n" + bot.read())
    look_again(page)
    expect(page.locator("[data-row]").first).to_contain_text("A new line above all others")
    expect(page.locator("[data-row]", has=page.locator("input:checked"))).to_have_count(1)
    expect(page.locator("[data-row]", has=page.locator("input:checked")).locator(".fact")).to_have_text(words)


def test_a_day_stays_in_hand_while_the_bot_writes(window, bot):
    log = "2026-02-11.md"
    bot.write(log, "".join(f"## 09:{n:02} — {word} was learned\n\n" for n, word in enumerate(dir(str)[-45:])))
    page = opened(window, bot, "days/2026-02-11")
    page.get_by_label("Filter this day").fill("half a thou")
    row = page.locator("[data-row]", has_text="splitlines was")
    row.get_by_role("checkbox").check()
    row.get_by_role("link", name="Edit").focus()
    scrolled = page.evaluate("scrollY")
    bot.append(log, "## 23:00 — Everybody went home\n\n")
    look_again(page)
    expect(page.locator("[data-row]").last).to_contain_text("Everybody went home")
    expect(row.get_by_role("checkbox")).to_be_checked()
    expect(row.get_by_role("link", name="Edit")).to_be_focused()
    expect(page.get_by_label("Filter this day")).to_have_value("half a thou")
    assert page.evaluate("scrollY") == scrolled > 0


def test_what_is_typed_for_today_and_in_the_editor_outlives_the_bot(window, bot):
    page = opened(window, bot, "days/today")
    field = page.get_by_label("Add a fact to today")
    field.fill("Half a thought")
    bot.append(f"{today()}.md", "## 23:58 — Prefers the blue cups\n\n")
    look_again(page)
    expect(page.locator(".facts")).to_contain_text("Prefers the blue cups")
    expect(field).to_have_value("Half a thought")
    expect(field).to_be_focused()
    page.goto(bot.at("memory"))
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("- Only a draft")
    bot.append("MEMORY.md", "- The bot says something\n")
    look_again(page)
    expect(page.locator("#bar")).to_contain_text("added 1 line while you were editing.")
    expect(page.locator(".cm-content")).to_contain_text("- Only a draft")
    expect(page.locator(".cm-content")).to_be_focused()


def test_nothing_moves_while_somebody_edits(window, bot):
    page = opened(window, bot, "facts/MEMORY.md")
    page.locator("[data-edit]").nth(1).click()
    field = page.locator("[data-editing] textarea")
    field.fill("What I am typing")
    bot.append("MEMORY.md", "- The bot says something\n")
    look_again(page)
    expect(page.get_by_text(NEWS)).to_be_visible()
    expect(page.locator(".facts")).not_to_contain_text("The bot says something")
    expect(field).to_have_value("What I am typing")
    window.inspect()
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".facts")).to_contain_text("The bot says something")
    expect(field).to_have_value("What I am typing")


def test_news_comes_by_itself_once_nobody_edits(window, bot):
    page = opened(window, bot, "facts/MEMORY.md")
    page.locator("[data-edit]").nth(1).click()
    bot.append("MEMORY.md", "- The bot says something\n")
    look_again(page)
    expect(page.get_by_text(NEWS)).to_be_visible()
    page.keyboard.press("Escape")
    look_again(page)
    expect(page.locator(".facts")).to_contain_text("The bot says something")
    expect(page.get_by_text(NEWS)).not_to_be_visible()


def test_the_mark_counts_on_and_says_so_when_nobody_answers(window, bot):
    page = opened(window, bot)
    page.clock.run_for(5_000)
    time = page.locator("#mark time")
    expect(time).to_have_text("just now")
    time.evaluate("(time) => { time.dateTime = new Date(Date.parse(time.dateTime) - 120_000).toISOString(); }")
    page.clock.run_for(2_000)
    expect(time).to_have_text(re.compile("^[23] min ago$"))
    page.route("**/step", lambda route: route.abort())
    window.troubles.clear()
    page.clock.run_for(WALK)
    expect(page.locator("#mark")).to_contain_text("Kenoweb is not responding")
    window.troubles.clear()


def test_a_hidden_tab_asks_for_nothing(window, bot):
    page = opened(window, bot)
    page.wait_for_load_state("networkidle")
    asked = []
    page.on("request", lambda request: "/static/" in request.url or asked.append(request.url))
    page.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
    page.clock.run_for(3 * WALK)
    assert asked == []
    page.evaluate("Object.defineProperty(document, 'hidden', {value: false, configurable: true})")
    with page.expect_response("**/step"):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_a_page_that_is_being_left_asks_for_no_news(window, bot, tmp_path):
    page = window.page
    page.goto(bot.at("export"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Download ZIP").click()
    download.value.save_as(tmp_path / "memory.zip")
    bot.write("MEMORY.md", "- something else\n")
    page.clock.install()
    page.get_by_label("Kenoweb export").set_input_files(tmp_path / "memory.zip")
    page.get_by_role("button", name="Preview import").click()
    heard(page)
    sent, walked, asked = [], [], []
    page.route("**/step", lambda route: walked.append(route))
    page.route("**/import/**", lambda route: (sent if route.request.method == "POST" else asked).append(route))
    bot.append(f"{today()}.md", "## 23:58 — Prefers the blue cups\n\n")
    with page.expect_request("**/step"):
        page.clock.run_for(WALK)
    with page.expect_request("**/import/**"):
        page.get_by_role("button", name="Import 1 file").click(no_wait_after=True)
    with page.expect_response("**/step") as step:
        walked[0].continue_()
    assert "kenoweb:changed" in step.value.headers["hx-trigger"]
    time.sleep(0.5)  # nothing in a page that is being left can be waited for
    sent[0].continue_()
    expect(page.get_by_text("Imported 1 file")).to_be_visible()
    assert asked == []


def test_the_time_of_what_was_learned_stands_beside_its_first_line_on_a_phone(window, site, bot):
    bot.append(f"{today()}.md", f"## 23:58 — **The blue cups** {'are for guests ' * 12}\n\nand stand below.\n\n")
    page = opened(window, bot)
    look_again(page)
    page.set_viewport_size({"width": 360, "height": 740})
    line = page.locator(".learned > li", has_text="The blue cups").first
    expect(line.locator(".time")).to_have_text("23:58")
    tops = "(line) => ['a strong', '.time'].map((one) => line.querySelector(one).getBoundingClientRect().y)"
    first, moment = line.evaluate(tops)  # at once, since the page may be laid over
    assert abs(moment - first) < 8
    assert line.bounding_box()["height"] > 80
