"""A workspace in a real browser: added by its directory, read in every look, edited, compacted, taken back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.workspaces import FILES, OPENCLAW, write

pytestmark = pytest.mark.browser
PLACES = (
    *("", "days/", "days/2026-01-03", "documents/", "prompt/", "compaction", "settings", "chats/"),
    *("documents/memory/people/ana.md", "documents/SOUL.md", "documents/memory/main.sqlite"),
)


@pytest.fixture(scope="module")
def root(site):
    return write(site.folder / "nursery" / "workspace", OPENCLAW)


@pytest.fixture(scope="module")
def added(site, root):
    site.manage("add-bot", str(root), "--name", "Shown")
    return "/shown/"


def test_a_workspace_is_added_read_edited_compacted_and_it_is_undone(window, site):
    root = write(site.folder / "other" / "workspace", FILES)
    page, memory = window.page, root / "MEMORY.md"
    page.goto("/bots/add")
    page.get_by_label("Directory that holds MEMORY.md").fill(str(root))
    page.get_by_role("button", name="See what is there").click()
    main = page.locator("main")
    for words in ("HKUDS nanobot", "notes on topics", "index of another tool", "files that are no notes"):
        expect(main).to_contain_text(words)
    page.get_by_label("Name", exact=True).fill("Nursery")
    page.get_by_role("button", name="Add this bot").click()
    page.wait_for_url("**/nursery/")
    page.goto("/nursery/days/2026-01-03")
    expect(main).to_contain_text("12 olive trees sold")
    page.goto("/nursery/documents/")
    for path in ("SOUL.md", "memory/people/ana.md", "memory/history.jsonl", "memory/main.sqlite"):
        expect(page.get_by_text(path, exact=True)).to_be_visible()
    page.get_by_role("link", name="memory/people/ana.md").click()
    page.get_by_role("textbox", name="Text of memory/people/ana.md").fill("# Ana\n\n- buys rosemary every May\n")
    with page.expect_response(re.compile("/save/")):
        page.get_by_role("button", name="Save", exact=True).click()
    assert "rosemary" in (root / "memory/people/ana.md").read_text()
    before = memory.read_text()
    page.goto("/nursery/compaction")
    page.get_by_role("button", name=re.compile("Apply")).click()
    expect(main).to_contain_text("MEMORY.md")
    assert "12 olive trees sold" in memory.read_text()
    assert not (root / "memory/2026-01-04.md").exists()
    page.get_by_role("button", name=re.compile("Undo")).first.click()
    expect(main).to_contain_text(re.compile("[Uu]ndone|taken back|Undid"))
    assert memory.read_text() == before
    assert (root / "memory/2026-01-04.md").read_text() == FILES["memory/2026-01-04.md"]


@pytest.mark.parametrize("place", PLACES)
def test_page_of_a_workspace_in_every_look(window, added, place):
    window.page.goto(f"{added}{place}")
    window.inspect_in_every_look()
