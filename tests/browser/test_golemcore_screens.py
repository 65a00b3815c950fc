"""The screens of a GolemCore in a real browser: from its workspace to an item that is forgotten, and back."""

from __future__ import annotations

import shutil

import pytest
from playwright.sync_api import expect

from tests.browser.site import Browsing
from tests.dialects.golemcore.bot import DATA

pytestmark = pytest.mark.browser
BOT = "/golem"
PLACES = (
    *("", "entries/", "entries/scores?q=deploy", "entries/losses", "sessions", "prompt/?q=deploy", "days/"),
    *("settings/preferences", "settings"),
)
RULE = "Deploys only Tuesday and Thursday before 14:00, never on Friday"


@pytest.fixture(scope="module")
def workspace(site, browser, cookies):
    """The workspace, added as its owner adds it."""
    root = site.folder / "golem" / "workspace"
    shutil.copytree(DATA, root)
    window = Browsing.open(browser, site.url, storage_state=cookies)
    page = window.page
    page.goto("/bots/add")
    page.get_by_label("Memory directory (the one with MEMORY.md)").fill(str(root))
    page.get_by_role("button", name="Check").click()
    expect(page.locator("main")).to_contain_text("GolemCore")
    page.get_by_label("Name", exact=True).fill("Golem")
    page.get_by_role("button", name="Add this bot").click()
    page.wait_for_url(f"**{BOT}/")
    window.close()
    return root


def tree(workspace):
    return {path: path.read_bytes() for path in workspace.rglob("*.jsonl*")}


@pytest.mark.parametrize("place", PLACES)
def test_screen_of_a_golemcore_in_every_look(looking, workspace, place):
    looking.page.goto(f"{BOT}/{place}")
    looking.inspect_in_every_look()
    assert looking.page.locator("main .filled:visible").count() <= 1


def test_an_item_is_forgotten_with_its_copies_and_it_is_undone(window, workspace):
    page, before = window.page, tree(workspace)
    page.goto(f"{BOT}/entries/?q=never+on+Friday&kind=CONSTRAINT")
    page.get_by_role("link", name=RULE).first.click()
    row = page.locator(".facts > li").filter(has_text=RULE).first
    row.get_by_role("button", name="Forget").click()
    expect(page.locator(".toast")).to_contain_text("Forgot")
    assert not any(f'"content":"{RULE}"'.encode() in data for data in tree(workspace).values())
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".toast")).to_contain_text("Undone")
    assert tree(workspace) == before


def test_entries_are_selected_and_moved_by_keys_from_their_table(window, workspace):
    page, before = window.page, tree(workspace)
    page.goto(f"{BOT}/entries/?kind=CONSTRAINT")
    expect(page.locator(".chosen")).not_to_be_in_viewport()
    for key in "jxjx":
        page.keyboard.press(key)
    expect(page.locator("tr:has(.select:checked)")).to_have_count(2)
    window.inspect_in_every_look()
    page.keyboard.press("m")
    expect(page.get_by_role("heading", name="Move 2 facts")).to_be_visible()
    expect(page.locator(".acting .noted")).to_contain_text("kind Constraint")
    window.inspect_in_every_look()
    page.get_by_role("button", name="Move", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("Moved 2 facts")
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".toast")).to_contain_text("Undone")
    assert tree(workspace) == before
