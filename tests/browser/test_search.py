"""The search in a real browser: while one types, by keyboard, in any script, and never an older answer over a newer one."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Error, expect

from tests.browser.site import IN_STEP, PHONE

pytestmark = pytest.mark.browser
MEMORY = (
    "# Memory\n\n## Garten\n- Die Bäume im Garten gießen\n- Müller kommt am Freitag 🎉\n\n## 旅行\n- 我们去北京吃烤鸭\n"
)
LOG = "# 2026-02-07\n\n" + "".join(f"## 09:{at:02} — Likes tea number {at}\n\n" for at in range(60))


@pytest.fixture(scope="module")
def bot(site):
    bot = site.new_bot("search", with_sample=False)
    bot.write("MEMORY.md", MEMORY)
    bot.write("2026-02-07.md", LOG)
    bot.write("chats/telegram-9/2026-02-07.md", "## 10:00 — Ana: the boat trip is in May\n\n")
    return bot


@pytest.fixture
def page(window, bot):
    window.page.goto(bot.at("search/"))
    expect(window.page.locator("#mark")).to_contain_text(IN_STEP)
    return window.page


def box(page):
    return page.get_by_label("Search this bot’s memory")


def rows(page):
    return page.locator(".hits > li")


def look_for(page, text):
    box(page).fill("")
    box(page).press_sequentially(text, delay=15)


@pytest.mark.parametrize(
    ("typed", "text", "mark"),
    [
        ("baume giess", "Die Bäume im Garten gießen", "Bäume"),
        ("müll", "Müller kommt am Freitag 🎉", "Müller"),
        ("北京", "我们去北京吃烤鸭", "北京"),
        ("🎉", "Müller kommt am Freitag 🎉", "🎉"),
    ],
)
def test_found_while_typing_in_any_script(page, typed, text, mark):
    look_for(page, typed)
    expect(rows(page).first.locator(".fact")).to_have_text(text)
    expect(rows(page).first.locator("mark").first).to_have_text(mark)
    expect(page).to_have_url(re.compile(r"/search/\?q=."))
    expect(box(page)).to_be_focused()


def test_address_follows_and_the_history_does_not_fill(page, bot):
    before = page.evaluate("history.length")
    look_for(page, "boat trip")
    expect(page).to_have_url(re.compile(r"\?q=boat\+trip$"))
    assert page.evaluate("history.length") == before
    page.reload()
    expect(box(page)).to_have_value("boat trip")
    expect(rows(page).first).to_contain_text("Ana: the boat trip is in May")


def test_an_older_answer_does_not_win(page):
    """The first question is answered late, after the second."""
    held = []
    page.route(re.compile(r"/search/\?q=tea$"), lambda route: held.append(route))
    with page.expect_request(re.compile(r"/search/\?q=tea$")):
        look_for(page, "tea")
    look_for(page, "boat")
    expect(rows(page).first).to_contain_text("boat trip")
    for route in held:
        with suppress(Error):  # the page has given up on it
            route.continue_()
    page.wait_for_timeout(300)
    expect(rows(page).first).to_contain_text("boat trip")
    expect(page).to_have_url(re.compile(r"\?q=boat$"))


def test_how_many_were_found_is_said(page):
    look_for(page, "boat")
    expect(page.locator("#said[role=status]")).to_have_text("1 result")
    look_for(page, "zzzq")
    expect(page.locator("#said[role=status]")).to_have_text("No results")


def test_keys_lead_through_and_back(page, bot):
    look_for(page, "tea number")
    expect(page).to_have_url(re.compile(r"\?q=tea\+number$"))
    expect(rows(page)).to_have_count(20)
    page.keyboard.press("ArrowDown")
    expect(rows(page).nth(0)).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("j")
    expect(rows(page).nth(2)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("k")
    expect(rows(page).nth(0)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(box(page)).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(box(page)).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/documents/2026-02-07\.md\?line=\d+$"))


def test_document_opens_at_the_line(page, bot):
    page.goto(bot.at("documents/2026-02-07.md?line=101"))
    line = page.locator(".mount[data-line] .cm-activeLine")
    expect(line).to_have_text("## 09:49 — Likes tea number 49")
    expect(line).to_be_in_viewport()


def test_hit_is_mended_where_it_stands(page, bot):
    bot.write("chats/telegram-10/MEMORY.md", "- Keeps bees on the roof\n")
    page.goto(bot.at("search/?q=bees"))
    expect(rows(page)).to_have_count(1)
    rows(page).first.get_by_role("link", name="Edit").click()
    page.get_by_label("Text of the fact").fill("Keeps bees in the garden")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    expect(rows(page).first.locator(".fact")).to_have_text("Keeps bees in the garden")
    assert bot.read("chats/telegram-10/MEMORY.md") == "- Keeps bees in the garden\n"


def test_box_of_another_page_offers_and_leads(page, bot):
    page.goto(bot.at("days/"))
    page.keyboard.press("/")
    page.keyboard.type("boat tri", delay=20)
    options = page.locator("#near [role=option]")
    expect(options.nth(0)).to_contain_text("boat tri")
    expect(options.nth(1)).to_contain_text("Ana: the boat trip is in May")
    expect(box(page)).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    expect(box(page)).to_have_attribute("aria-activedescendant", "near-0")
    page.keyboard.press("Escape")
    expect(page.locator("#near")).to_be_hidden()
    page.keyboard.press("Enter")
    page.wait_for_url("**/search/?q=boat+tri")
    expect(rows(page).first).to_contain_text("boat trip")


def test_late_answer_takes_no_choice_and_opens_nothing_again(page, bot):
    page.goto(bot.at("days/"))
    options, held = page.locator("#near [role=option]"), []
    page.keyboard.press("/")
    page.keyboard.type("boat")
    expect(options.nth(0)).to_contain_text("“boat”")
    page.route(re.compile(r"/near\?q=boat."), lambda route: held.append(route))
    for more, keys in ((" trip", ("ArrowDown", "ArrowDown")), (" may", ("Escape",))):
        with page.expect_request(re.compile(r"/near\?q=boat.*" + more.strip())):
            page.keyboard.insert_text(more)
        for key in keys:
            page.keyboard.press(key)
        held.pop().continue_()
        expect(options.nth(0)).to_contain_text(f"{more}”")
        if more == " trip":
            expect(box(page)).to_have_attribute("aria-activedescendant", "near-1")
            expect(page.locator("#near-1")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#near")).to_be_hidden()


def test_option_of_the_box_opens_its_line(page, bot):
    page.goto(bot.at())
    page.keyboard.press("/")
    page.keyboard.type("北京", delay=20)
    expect(page.locator("#near [role=option]").nth(0)).to_contain_text("北京")
    expect(page.locator("#near [role=option]").nth(1)).to_contain_text("我们去北京吃烤鸭")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/documents/MEMORY.md?line=8")


def test_what_was_looked_for_is_offered_again(page, bot):
    look_for(page, "boat trip")
    expect(page).to_have_url(re.compile(r"\?q=boat\+trip$"))
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.goto(bot.at("search/"))
    page.locator("#lately").get_by_role("link", name="boat trip").click()
    expect(rows(page).first).to_contain_text("boat trip")


def test_every_look(window, page, bot):
    for place in (
        "search/",
        "search/?q=tea+tier:global",
        "search/?q=boat+zzzq",
        "search/?q=zzzq",
        "search/?q=chat:tele",
    ):
        page.goto(bot.at(place))
        window.inspect_in_every_look()
    page.goto(bot.at("search/?q=boat"))
    page.locator(".why summary").first.click()
    window.inspect_in_every_look()


def test_offer_under_the_box_in_every_look(window, page, bot):
    page.goto(bot.at("days/"))
    for scheme, width in (("light", 1280), ("dark", PHONE)):
        window.look(scheme, width)
        look_for(page, "tea")
        expect(page.locator("#near [role=option]").first).to_contain_text("tea")
        window.inspect()


def test_without_javascript_there_is_the_same(windows, bot):
    page = windows(java_script_enabled=False).page
    page.goto(bot.at())
    box(page).fill("boat trip")
    page.keyboard.press("Enter")
    expect(rows(page).first).to_contain_text("boat trip")
    rows(page).first.locator(".why > summary").click()
    rows(page).first.get_by_role("link", name="Show in file").click()
    expect(page.locator(".facts > li:target")).to_contain_text("boat trip")
    page.go_back()
    box(page).fill("boat tea")
    page.keyboard.press("Enter")
    page.locator(".filters").get_by_role("link", name="Chats").click()
    expect(page.locator(".filters .on")).to_contain_text("tier:chat")


def test_news_of_the_page_without_the_search_are_not_laid_over_its_results(page):
    held = []
    page.route("**/step", lambda route: route.abort())  # its own news would come instead
    page.route("**/search/search/", lambda route: held.append(route))
    with page.expect_request("**/search/search/"):
        page.evaluate("document.dispatchEvent(new Event('kenoweb:changed'))")
    look_for(page, "müll")
    expect(rows(page).first.locator("mark").first).to_have_text("Müller")
    with page.expect_response(lambda answer: "?q=" in answer.url and "hx-request" not in answer.request.headers):
        held[-1].continue_()
    expect(rows(page).first.locator("mark").first).to_have_text("Müller")
