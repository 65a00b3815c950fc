"""Findings, the prompt of another moment, two side by side, and what an edit would do, in a real browser."""

from __future__ import annotations

import os
import re
import time
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.site import PHONE

pytestmark = pytest.mark.browser
SECRET = "Marta erwartet im Mai ein Kind"
CHINESE = "玛塔五月要生孩子，还没有人知道"
DOCTOR = "The doctor is called Ibarra 🩺"


@pytest.fixture(scope="module")
def shelf(site):
    return site.new_bot("findings", with_sample=False)


@pytest.fixture
def bot(shelf, site):
    shelf.write("chats/telegram-1/MEMORY.md", f"- {SECRET}\n- {CHINESE}\n- {DOCTOR}\n- Ask http-http-7 about it\n")
    shelf.write("chats/http-http-7/MEMORY.md", "- Plans a journey\n")
    shelf.write("MEMORY.md", f"# Memory\n\n- {SECRET}\n- {CHINESE}\n- Overheard: {DOCTOR} (once)\n")
    site.manage("status", "--bot", shelf.slug)
    return shelf


@pytest.fixture
def page(window, bot):
    window.page.goto(bot.at("tidy/"))
    expect(row(window.page, SECRET)).to_be_visible()
    return window.page


def row(page, text):
    return page.locator("form.entries .findings > li").filter(has_text=text)


def test_findings_in_every_look(window, page):
    row(page, SECRET).get_by_text("Ignore …").click()
    window.inspect_in_every_look()


def test_empty_page_in_every_look(window, site):
    bare = site.new_bot("nothing-found", with_sample=False)
    window.page.goto(bare.at("tidy/"))
    expect(window.page.locator(".empty")).to_contain_text(
        "private facts of one chat that are also in shared memory or logs"
    )
    window.inspect_in_every_look()


def test_enter_in_a_reason_ignores_that_finding_and_no_other(page, bot):
    counted = page.locator("#reviewed")
    expect(counted).to_have_text(re.compile(r"^\s*\d+ things"))
    number = int(counted.inner_text().split()[0])
    row(page, CHINESE).get_by_text("Ignore …").click()
    row(page, CHINESE).get_by_label("Reason").fill("Steht in der Zeitung")
    page.keyboard.press("Enter")
    expect(row(page, CHINESE)).to_have_count(0)
    for place in (counted, page.locator("#doors [aria-current] .count"), page.locator("#tree .count").first):
        expect(place).to_contain_text(f"{number - 1}")
    expect(row(page, SECRET)).to_have_count(1)
    page.locator("#ignored summary").click()
    expect(page.locator("#ignored")).to_contain_text("Steht in der Zeitung")
    page.locator("#ignored").get_by_role("button", name="Stop ignoring").click()
    expect(row(page, CHINESE)).to_have_count(1)
    assert CHINESE in bot.read()


def test_a_finding_is_mended_in_place(page, bot):
    row(page, SECRET).get_by_role("link", name="Edit").click()
    page.get_by_label("Text of the fact").fill("Prefers tea")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    assert "- Prefers tea\n" in bot.read()


def test_what_is_a_chats_goes_to_the_chat_and_comes_back(page, bot):
    row(page, DOCTOR).get_by_role("button", name="Move to telegram-1").click()
    page.get_by_role("button", name="Move", exact=True).click()
    expect(page.get_by_role("status").filter(has_text="Moved to the chat’s own memory")).to_be_visible()
    assert f"Overheard: {DOCTOR}" in bot.read("chats/telegram-1/MEMORY.md")
    assert DOCTOR not in bot.read()
    page.get_by_role("button", name="Undo").first.click()
    expect(page.get_by_role("status").filter(has_text="Undone")).to_be_visible()
    assert DOCTOR in bot.read()


def test_without_script_a_finding_is_ignored_too(windows, bot, page):
    plain = windows(java_script_enabled=False)
    plain.page.goto(bot.at("tidy/"))
    row(plain.page, SECRET).get_by_text("Ignore …").click()
    row(plain.page, SECRET).get_by_label("Reason").fill("Known")
    row(plain.page, SECRET).get_by_role("button", name="Ignore").click()
    expect(plain.page.locator("#ignored")).to_contain_text("Ignored 1")
    plain.page.locator("#ignored summary").click()
    plain.page.locator("#ignored").get_by_role("button", name="Stop ignoring").click()
    expect(row(plain.page, SECRET)).to_have_count(1)


def test_nine_birthdays_are_settled_by_one_key_and_come_back(window, site):
    bot = site.new_bot("birthdays", with_sample=False)
    nine = "".join(f"## {hour}:00 — Chuy: birthday is June {hour}\n\n" for hour in range(10, 19))
    bot.write("2026-03-01.md", nine)
    bot.write("MEMORY.md", "- Likes Go\n")
    site.manage("status", "--bot", bot.slug)
    page = window.page
    page.goto(bot.at("tidy/"))
    answers = page.locator(".answers > li")
    expect(answers).to_have_count(9)
    window.inspect_in_every_look()
    page.keyboard.press("1")  # of no finding: it does nothing
    answers.nth(2).get_by_role("button").focus()
    expect(answers.nth(1).locator(".fact")).to_have_css("text-decoration-line", "line-through")
    expect(answers.nth(2).locator(".fact")).to_have_css("text-decoration-line", "none")
    page.keyboard.press("3")
    expect(page.get_by_role("status").filter(has_text="Kept one, forgot 8 facts")).to_be_visible()
    expect(page.locator(".answers")).to_have_count(0)
    assert bot.read("2026-03-01.md") == "## 16:00 — Chuy: birthday is June 16\n\n"
    page.get_by_role("button", name="Undo").first.click()
    expect(page.get_by_role("status").filter(has_text="Undone")).to_be_visible()
    assert bot.read("2026-03-01.md") == nine


def test_one_digit_after_another_settles_what_was_folded_too(window, site):
    bot = site.new_bot("digits", with_sample=False)
    names = ("Chuy", "Ana", "Luis", "Marta", "Pedro", "Rosa", "Eva", "Juan", "Olga", "Hugo", "Nora", "Sara")
    twice = [f"## {hour}:00 — {name}: birthday is June {hour}\n\n" for name in names for hour in (10, 11)]
    bot.write("2026-03-01.md", "".join(twice))
    bot.write("MEMORY.md", "- Likes Go\n")
    site.manage("status", "--bot", bot.slug)
    page = window.page
    page.goto(bot.at("tidy/"))
    answers = page.locator(".answers")
    expect(answers).to_have_count(12)
    page.locator(".kind > details > summary").click()
    answers.nth(8).get_by_role("link").first.focus()
    for left in (11, 10, 9, 8, 7):  # the last three of them come to the end of the list
        page.keyboard.press("1")
        expect(answers).to_have_count(left)
        expect(page.locator(".findings > li a:focus")).to_be_visible()


def test_what_an_edit_would_do_is_told_while_typing(window, bot):
    page = window.page
    page.goto(bot.at("documents/MEMORY.md"))
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("- 我喜欢绿茶 🍵 und Grüße")
    told = page.locator("#foreseen")
    expect(told).to_contain_text("like every chat")
    expect(told).to_contain_text("1 fact added")
    expect(told).to_contain_text("→")
    told.locator("summary").click()
    expect(told).to_contain_text("我喜欢绿茶 🍵 und Grüße")
    window.inspect_in_every_look()
    assert "绿茶" not in bot.read()


def test_what_an_edit_would_do_comes_by_a_button_without_script(windows, bot):
    plain = windows(java_script_enabled=False)
    plain.page.goto(bot.at("documents/MEMORY.md"))
    plain.page.get_by_role("textbox", name="Text of MEMORY.md").fill("- Only this\n")
    plain.page.get_by_role("button", name="Effect on the prompt").click()
    expect(plain.page.locator("#foreseen")).to_contain_text("facts removed")
    expect(plain.page.get_by_role("textbox", name="Text of MEMORY.md")).to_have_value("- Only this\n")


def test_the_prompt_of_then_and_what_became_of_it(window, site):
    bot = site.new_bot("then", with_sample=False)
    bot.write("MEMORY.md", "# Memory\n\n- Trinkt grünen Tee\n")
    then = time.time() - 7200
    os.utime(bot.root / "MEMORY.md", (then, then))
    site.manage("status", "--bot", bot.slug)
    bot.write("MEMORY.md", "# Memory\n\n- Trinkt schwarzen Tee\n")
    page = window.page
    page.goto(bot.at("prompt/"))
    expect(page.locator(".prompt")).to_contain_text("Trinkt schwarzen Tee")
    page.get_by_label("As of").fill((datetime.now(UTC) - timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M"))
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".prompt")).to_contain_text("Trinkt grünen Tee")
    window.inspect_in_every_look()
    page.get_by_role("link", name="Compare with now").click()
    expect(page.locator(".diff ins").first).to_have_text("schwarzen")
    window.inspect_in_every_look()


def test_two_chats_side_by_side_on_a_phone(window, bot):
    page = window.page
    window.look("light", PHONE)
    page.goto(bot.at("prompt/compare?chat=telegram-1&with=http-http-7"))
    shown = page.locator(".diff .unified")
    expect(shown.locator("tr.removed").filter(has_text=SECRET)).to_have_count(1)
    expect(shown.locator("tr.added")).to_contain_text("Plans a journey")
    window.inspect_in_every_look()
