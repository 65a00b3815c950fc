"""The whole desk in a browser that runs no script: every page reads, every form saves."""

from __future__ import annotations

import os
import re
import time

import pytest
from playwright.sync_api import expect

from memory.dialects.kenobot.sample import FAMILY, INES, SHOP
from tests.browser.site import write_sample

pytestmark = pytest.mark.browser
PAGES = {
    "": "KenoBot",
    "memory": "Long-term memory",
    "days/": "Days",
    "days/today": None,
    "chats/": "Chats",
    f"chats/{SHOP}": SHOP,
    f"chats/{SHOP}/transcript": SHOP,
    f"prompt/?chat={SHOP}": "Prompt",
    "working/": "Working memory",
    "tidy/": "Tidy up",
    "compaction": "Compaction",
    f"compaction?scope=chat:{SHOP}": SHOP,
    "history/": "History",
    "history/MEMORY.md": None,
    "documents/": "Files",
    "documents/MEMORY.md": None,
    "facts/MEMORY.md": None,
    "webhooks/": "Webhooks",
    "webhooks/secrets": "Webhooks",
    "webhooks/refused": "Webhooks",
    "webhooks/try": "Webhooks",
    "settings": "Settings",
    "settings/costs": "Settings",
    "webhooks/settings": "Webhooks",
    "export": "Export and import",
    "go?q=workshop": "Go to or run",
    "/keys": "Keyboard shortcuts",
    "/bots/": "Bots",
    "/bots/add": "Add a bot",
    "/people/": "People",
    "/people/1": None,
    "/account": "Account",
    "/password": None,
}


@pytest.fixture(scope="module")
def bot(site):
    return site.new_bot("scriptless-desk")


@pytest.fixture
def window(windows):
    return windows(java_script_enabled=False)


@pytest.fixture
def page(window):
    return window.page


def press(page, name):
    click(page.locator("main").get_by_role("button", name=name, exact=True).first)


def click(control):
    """Without scripts each button leads to a page, and what it did is done when that is there."""
    with control.page.expect_navigation():
        control.click()


def undo(page):
    click(page.locator(".toast").get_by_role("button", name="Undo"))


def row(page, text):
    return page.locator(".facts > li", has_text=text)


def test_every_page_can_be_read(page, bot):
    for place, heading in PAGES.items():
        answer = page.goto(place if place.startswith("/") else bot.at(place))
        assert answer.status == 200, place
        if heading:
            expect(page.get_by_role("heading", level=1)).to_have_text(heading if place else "scriptless-desk")
        assert not page.locator(".scripted:visible").all_inner_texts(), place


def test_an_entry_is_added_mended_forgotten_and_brought_back(page, bot):
    before = bot.files()
    page.goto(bot.at("days/today"))
    page.get_by_label("Add a fact to today").fill("The kettle is broken")
    press(page, "Add")
    row(page, "The kettle").get_by_role("link", name="Edit").click()
    page.get_by_label("Text of the fact").fill("The kettle is\nbroken again")
    press(page, "Save")
    (log,) = (path for path, data in bot.files().items() if data != before.get(path))
    assert "The kettle is\nbroken again" in bot.read(log)
    row(page, "The kettle").locator("summary").click()  # it has two lines now
    click(row(page, "The kettle").get_by_role("button", name="Forget"))
    expect(row(page, "The kettle")).to_have_count(0)
    assert bot.files() == before
    undo(page)
    expect(row(page, "The kettle")).to_be_visible()
    row(page, "The kettle").locator("summary").click()
    click(row(page, "The kettle").get_by_role("button", name="Move to long-term"))
    expect(row(page, "The kettle")).to_have_count(0)
    assert "The kettle is" in bot.read()
    undo(page)
    assert "The kettle is" not in bot.read()


def test_several_entries_are_forgotten_after_a_question(page, bot):
    bot.write("2026-02-12.md", "## 09:00 — Likes tea\n\n## 09:30 — Plans a talk\n\n## 10:00 — Rides\n\n")
    page.goto(bot.at("facts/2026-02-12.md"))
    for text in ("Likes tea", "Rides"):
        row(page, text).get_by_role("checkbox").check()
    press(page, "Forget selected")
    press(page, "Forget 2 facts")
    expect(page.locator(".facts > li")).to_have_count(1)
    undo(page)
    expect(page.locator(".facts > li")).to_have_count(3)


def test_a_fact_is_added_where_it_stands(page, bot):
    before = bot.read()
    page.goto(bot.at("facts/MEMORY.md"))
    page.get_by_role("textbox", name="Add a fact").fill("Sleeps well")
    press(page, "Add")
    expect(row(page, "Sleeps well")).to_be_visible()
    assert bot.read() == before + "- Sleeps well\n"
    undo(page)
    assert bot.read() == before


def test_long_term_memory_is_edited_and_its_change_undone(page, bot):
    before = bot.read()
    page.goto(bot.at("memory"))
    page.get_by_role("textbox", name="Text of MEMORY.md").fill(before + "- Likes quiet\n")
    press(page, "Save")
    assert bot.read() == before + "- Likes quiet\n"
    page.goto(bot.at("history/"))
    click(page.locator("main .rows").get_by_role("button", name=re.compile("^Undo: ")).first)
    assert bot.read() == before


def test_working_memory_is_discarded_one_and_all(page, bot):
    pads = bot.root / "working"
    bot.write("working/http-old.md", "- forgotten long ago\n")
    os.utime(pads / "http-old.md", (time.time() - 20 * 86_400,) * 2)
    page.goto(bot.at())
    click(page.get_by_role("button", name="Look again"))
    page.goto(bot.at("working/"))
    click(page.get_by_role("button", name=f"Discard: {FAMILY}"))
    assert not (pads / f"{FAMILY}.md").exists()
    undo(page)
    assert (pads / f"{FAMILY}.md").exists()
    press(page, "Discard all stale …")
    press(page, "Discard 2")
    assert {path.stem for path in pads.glob("*.md")} == {INES, FAMILY}
    undo(page)
    assert {SHOP, "http-old"} < {path.stem for path in pads.glob("*.md")}


def test_a_chat_is_named_and_read_page_by_page(page, bot):
    page.goto(bot.at(f"chats/{INES}/transcript"))
    page.get_by_text("Add a name").click()
    page.get_by_label("Name").fill("Ines")
    press(page, "Save name")
    expect(page.get_by_role("heading", level=1)).to_have_text("Ines")
    page.goto(bot.at("chats/?q=Ines"))
    expect(page.locator(".chats tbody tr")).to_have_count(1)
    page.goto(bot.at(f"chats/{INES}"))
    page.get_by_label("Add a fact to today").fill("Wants a window seat")
    press(page, "Add")
    expect(row(page, "Wants a window seat")).to_be_visible()
    (log,) = (path for path, data in bot.files().items() if b"Wants a window seat" in data)
    assert re.fullmatch(rf"chats/{INES}/[-\d]+\.md", log)


def test_settings_are_saved(page, bot):
    page.goto(bot.at("settings"))
    page.locator("main [name=name]").fill("Quiet bot")
    press(page, "Save")
    expect(page.get_by_text("saved", exact=False).first).to_be_visible()
    page.goto(bot.at())
    expect(page.get_by_role("heading", level=1)).to_have_text("Quiet bot")
    page.goto(bot.at("settings"))
    page.locator("main [name=name]").fill("scriptless-desk")
    press(page, "Save")


def test_a_secret_signs_a_test_and_is_revoked(page, site):
    bot = site.new_bot("scriptless-hook", with_sample=False)
    page.goto(bot.at("webhooks/secrets"))
    page.get_by_label("Name").fill("Test")
    press(page, "Create secret")
    assert page.get_by_label("Secret", exact=True).input_value().startswith("whsec_")
    page.goto(bot.at("webhooks/try?memory=1"))
    press(page, "Send a test")
    expect(page.get_by_role("heading", name="Response")).to_be_visible()
    (log,) = bot.root.glob("2*.md")
    press(page, "Undo what it stored")
    assert not log.exists()
    page.goto(bot.at("webhooks/secrets"))
    press(page, "Revoke Test")
    press(page, "Revoke")
    expect(page.locator(".secrets")).to_contain_text("Revoked")


def test_a_bot_is_added_removed_and_brought_back(page, site):
    write_sample(site.folder / "bruno")
    page.goto("/bots/add")
    page.get_by_label("Memory directory (the one with MEMORY.md)").fill(str(site.folder / "bruno" / "data" / "memory"))
    press(page, "Check")
    press(page, "Add this bot")
    expect(page.get_by_role("heading", level=1)).to_have_text("bruno")
    page.goto("/bots/bruno/remove")
    press(page, "Remove")
    press(page, "Restore bruno")
    expect(page.get_by_role("heading", level=1)).to_have_text("bruno")


def test_a_memory_is_carried_out_and_in_again(page, bot, tmp_path):
    page.goto(bot.at("export"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Download ZIP").click()
    download.value.save_as(tmp_path / "memory.zip")
    before = bot.read()
    bot.write("MEMORY.md", "- something else\n")
    page.get_by_label("Kenoweb export").set_input_files(tmp_path / "memory.zip")
    press(page, "Preview import")
    press(page, "Import 1 file")
    assert bot.read() == before
    undo(page)
    assert bot.read() == "- something else\n"
    bot.write("MEMORY.md", before)


def test_somebody_is_let_in_and_kept_out(page, strangers):
    page.goto("/people/")
    page.get_by_label("Login").fill("lurdes")
    press(page, "Add and create link")
    theirs = strangers(java_script_enabled=False).page
    theirs.goto(page.get_by_label("Login link").input_value())
    press(theirs, "Log in")
    theirs.goto("/account")
    theirs.get_by_label("Display name").fill("Avó Lurdes")
    press(theirs, "Save name")
    press(theirs, "Español")
    expect(theirs.locator("html")).to_have_attribute("lang", "es")
    page.goto("/people/")
    page.get_by_role("link", name="Avó Lurdes").click()
    press(page, "Remove access")
    theirs.goto("/account")
    assert "/login" in theirs.url


def test_palette_colours_keys_and_the_way_out(strangers, colleague_cookies, bot):
    page = strangers(java_script_enabled=False, storage_state=colleague_cookies).page
    page.goto(bot.at())
    page.get_by_label("Search this bot’s memory").fill("dark")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Matching places and actions").click()
    page.locator(".found").get_by_role("button", name="Dark theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.locator(".me > summary").click()
    page.get_by_role("link", name="Keyboard shortcuts").click()
    press(page, "Turn off in this browser")
    expect(page.locator("body")).to_have_attribute("data-keys", "off")
    press(page, "Turn on")
    expect(page.locator("body")).not_to_have_attribute("data-keys", "off")
