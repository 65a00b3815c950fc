"""A workspace in a real browser: added by its directory, read in every look, edited, compacted, taken back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.support.amounts import some
from tests.support.workspaces import FILES, OPENCLAW, write

pytestmark = pytest.mark.browser
PLACES = (
    *("", "days/2026-01-03", "documents/", "prompt/", "compaction", "documents/memory/people/ana.md"),
    *("documents/SOUL.md", "documents/memory/main.sqlite", "prompt/compare", "documents/skills/weather/SKILL.md"),
    *("documents/memory/long.md", "documents/memory/long.md?part=3"),
)
AGAIN = (
    "search/?q=frost",
    "days/",
    "settings",
    "chats/",
    "memory",
    "chats/cli_direct/transcript",
    "facts/memory/people/ana.md",
)
LONG = "# Log\n\n" + "".join(
    f"## Chapter {number}\n\n" + f"- fact of chapter {number}: the north pane is taped\n" * 150 for number in range(16)
)


@pytest.fixture(scope="module")
def root(site):
    return write(site.folder / "nursery" / "workspace", OPENCLAW | {"memory/long.md": LONG})


@pytest.fixture(scope="module")
def added(site, root):
    site.manage("add-bot", str(root), "--name", "Shown")
    return "/shown/"


def test_a_workspace_is_added_read_edited_compacted_and_it_is_undone(window, site):
    root = write(site.folder / "other" / "workspace", FILES)
    page, memory = window.page, root / "MEMORY.md"
    page.goto("/bots/add")
    page.get_by_label("Memory directory (the one with MEMORY.md)").fill(str(root))
    page.get_by_role("button", name="Check").click()
    main = page.locator("main")
    for words in ("HKUDS nanobot", "3 topics", "1 index of another tool", "2 other files"):
        expect(main).to_contain_text(words)
    page.get_by_label("Name", exact=True).fill("Nursery")
    page.get_by_role("button", name="Add this bot").click()
    page.wait_for_url("**/nursery/")
    page.goto("/nursery/days/2026-01-03")
    expect(main).to_contain_text("12 olive trees sold")
    page.goto("/nursery/documents/")
    page.locator("#live summary", has_text="memory").first.click()
    for name in ("SOUL.md", "ana.md", "history.jsonl", "main.sqlite"):
        expect(page.locator("#live").get_by_text(name, exact=True).first).to_be_visible()
    page.locator("#live").get_by_role("link", name="ana.md", exact=True).click()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("# Ana\n\n- buys rosemary every May\n")
    expect(page.locator("#dirty")).to_contain_text("Unsaved")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#dirty")).to_contain_text("No unsaved changes")
    assert "rosemary" in (root / "memory/people/ana.md").read_text()
    before = memory.read_text()
    page.goto("/nursery/compaction")
    page.get_by_role("button", name=re.compile("^Archive .* logs")).click()
    page.wait_for_url("**/compaction/*")
    expect(main).to_contain_text("memory/2026-01-04.md")
    assert memory.read_text() == before
    assert not (root / "memory/2026-01-04.md").exists()
    assert (root / "memory/archive/2026-01-04.md").read_text() == FILES["memory/2026-01-04.md"]
    page.get_by_role("button", name=re.compile("Undo")).first.click()
    expect(page.locator("#messages")).to_contain_text("Compaction undone")
    assert memory.read_text() == before
    assert (root / "memory/2026-01-04.md").read_text() == FILES["memory/2026-01-04.md"]


@pytest.mark.parametrize("place", [*PLACES, *some(AGAIN, 4)])
def test_page_of_a_workspace_in_every_look(looking, added, place):
    looking.page.goto(f"{added}{place}")
    looking.inspect_in_every_look()


def test_a_long_document_is_edited_by_its_part_and_reached_by_its_line(window, added, root):
    page, path = window.page, root / "memory" / "long.md"
    line = LONG.count("\n", 0, LONG.index("fact of chapter 9")) + 1
    page.goto(f"{added}documents/memory/long.md?line={line}")
    expect(page.locator(".cm-activeLineGutter").first).to_have_text(str(line))
    expect(page.locator(".cm-activeLine")).to_contain_text("fact of chapter 9")
    page.locator(".cm-activeLine").click()
    page.keyboard.press("Home")
    page.keyboard.type("- the pump ran dry\n")
    expect(page.locator("#dirty")).to_contain_text("Unsaved")
    page.keyboard.press("Control+s")
    expect(page.locator("#dirty")).to_contain_text("No unsaved changes")
    lines = LONG.split("\n")
    assert path.read_text() == "\n".join([*lines[: line - 1], "- the pump ran dry", *lines[line - 1 :]])
    page.keyboard.type("- and again\n")
    expect(page.locator("#dirty")).to_contain_text("Unsaved")
    page.keyboard.press("Control+s")
    expect(page.locator("#dirty")).to_contain_text("No unsaved changes")
    assert path.read_text() == "\n".join([*lines[: line - 1], "- the pump ran dry", "- and again", *lines[line - 1 :]])
    page.get_by_role("link", name="Next part").click()
    expect(page.locator("nav.parting summary")).to_contain_text("Part ")
    page.locator("nav.parting summary").click()
    page.locator("nav.parting li a").first.click()
    expect(page.locator(".cm-lineNumbers")).to_contain_text("1")
    path.write_text(LONG)


def test_whose_a_memory_is_is_looked_at_and_chosen(window, site):
    root = write(site.folder / "bare", {"MEMORY.md": "- Olive cuttings root in sand.\n"})
    page = window.page
    page.goto("/bots/add")
    page.get_by_label("Memory directory (the one with MEMORY.md)").fill(str(root))
    page.get_by_role("button", name="Check").click()
    expect(page.locator("main")).to_contain_text("This is a guess")
    window.inspect_in_every_look()
    page.get_by_label("Not the right type?").select_option("Claude Code")
    page.get_by_role("button", name="Read as this type").click()
    expect(page.get_by_role("heading", name="Claude Code memory")).to_be_visible()
    page.get_by_role("button", name="Add this bot").click()
    page.wait_for_url("**/bare/")
    page.goto("/bare/settings/reads")
    expect(page.get_by_label("Lines of MEMORY.md")).to_be_visible()
    page.goto("/bare/prompt/")
    expect(page.get_by_label("Chat", exact=True)).to_have_count(0)
    window.inspect_in_every_look()
