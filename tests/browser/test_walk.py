"""What somebody with a KenoBot does on their first evening, in light on a desk and in the dark on a phone, with the bot writing to
the same files."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.site import IN_STEP, LOOKS, PHONE, WIDE, heard, settled
from tests.support.amounts import LONG

FACTS = {
    ("light", 1280): "The town hall wants six cargo bikes serviced before Easter",
    ("light", 360): "The choir rents the blue tandem in June",
    ("dark", 1280): "Kenji lands in Porto on the 14th, late in the evening",
    ("dark", 360): "Tomás paid the electricity for this quarter",
}
pytestmark = pytest.mark.browser


def in_look(*look):
    """The stories take turns: each is lived in one of the looks, in a long run in all."""
    return pytest.mark.parametrize(("scheme", "width"), LOOKS if LONG else [look])


@pytest.fixture
def visitor(strangers, scheme, width):
    """A stranger in one look."""
    window = strangers()
    window.look(scheme, width)
    return window


@pytest.fixture
def owner(windows, scheme, width):
    window = windows()
    window.look(scheme, width)
    return window


@pytest.fixture
def look(scheme, width):
    """The look's name, as pictures have it."""
    return scheme if width == WIDE else f"{scheme}-phone"


def go(page, place):
    """Presses a place; its name may have a number behind it."""
    link = page.get_by_role("navigation", name="Navigation").get_by_role("link", name=re.compile(rf"^{place}\b"))
    settled(page)
    if not link.is_visible():  # on the phone the dock has four places, the others are behind it
        page.locator(".more > summary", has_text="More").click()
    link.click()


def write_at_the_end(page, text):
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text(text)


@in_look("dark", PHONE)
def test_link_edit_difference_save_history_undo(site, visitor, look):
    page, bot, before = visitor.page, site.bot, site.bot.files()
    page.goto(site.new_link())
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(site.url + bot.at())
    expect(page.get_by_role("heading", level=1)).to_have_text("KenoBot")
    expect(page.get_by_text(IN_STEP)).to_be_visible()

    go(page, "Memory")
    expect(page.get_by_text("No unsaved changes")).to_be_visible()
    write_at_the_end(page, "- The tandem is **booked** in May.\n")
    preview = page.get_by_role("region", name="Preview")
    expect(preview.get_by_role("listitem").filter(has_text="The tandem is booked in May.")).to_be_visible()
    expect(preview.locator("strong", has_text="booked")).to_be_visible()
    expect(page.get_by_text("Unsaved · 1 line changed")).to_be_visible()
    page.get_by_role("button", name="Review changes").click()
    expect(page.locator("#review header", has_text="Changes")).to_be_focused()
    expect(page.locator("#review tr:visible", has_text="The tandem is **booked**")).to_be_visible()
    visitor.inspect()
    assert bot.files() == before

    page.get_by_role("button", name=re.compile("^Save")).click()
    toast = page.get_by_role("status").filter(has_text="Saved MEMORY.md")
    expect(toast.get_by_role("button", name="Undo")).to_be_visible()
    expect(page.get_by_text("No unsaved changes")).to_be_visible()
    assert bot.read() == before["MEMORY.md"].decode() + "- The tandem is **booked** in May.\n"
    visitor.inspect()

    page.get_by_role("navigation", name="Views of this file").get_by_role("link", name="History").click()
    page.locator(".rows ins", has_text="The tandem is booked in May.").first.click()
    expect(page.locator(".diff tr:visible", has_text="The tandem is **booked** in May.")).to_be_visible()
    expect(page.get_by_text("MEMORY.md: −1 line, +0 lines.")).to_be_visible()
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator("#messages").get_by_text(re.compile("^Undone: "))).to_be_visible()
    visitor.inspect()
    assert bot.files() == before


@pytest.fixture
def before(site):
    """MEMORY.md as it is before a test, and is again after it."""
    text = site.bot.read()
    yield text
    site.bot.write("MEMORY.md", text)


@in_look("light", PHONE)
def test_bot_writes_while_somebody_edits_and_both_are_kept(site, owner, before, look):
    page, bot = owner.page, site.bot
    line, mine = "- Prices in euros, with VAT.", "- Coffee until four, tea after that."
    theirs = "- Rodas do Norte delivers on **Thursdays** now.\n"
    page.clock.install()
    page.goto(bot.at("memory"))
    expect(page.get_by_text("No unsaved changes")).to_be_visible()
    page.locator(".cm-line", has_text=line).click()
    page.keyboard.press("End")
    page.keyboard.insert_text("\n" + mine)
    expect(page.get_by_role("region", name="Preview")).to_contain_text(mine[2:])
    page.locator(".cm-line").last.scroll_into_view_if_needed()
    bot.append("MEMORY.md", theirs)
    page.clock.run_for(11_000)  # it asks every ten seconds
    bar = page.locator("#bar")
    expect(bar).to_contain_text("added 1 line while you were editing.")
    expect(page.locator("#draft-state")).to_have_text("draft saved")
    expect(bar.get_by_role("link", name="Reload")).to_be_in_viewport()
    owner.inspect()
    page.get_by_role("button", name="Merge and save").click()
    expect(page.get_by_role("status").filter(has_text="Saved MEMORY.md")).to_be_visible()
    assert bot.read() == before.replace(line, f"{line}\n{mine}") + theirs


@in_look("dark", WIDE)
def test_undo_in_the_toast(site, owner):
    page, bot, before = owner.page, site.bot, site.bot.files()
    page.goto(bot.at("memory"))
    write_at_the_end(page, "- A line that was a mistake.\n")
    page.get_by_role("button", name=re.compile("^Save")).click()
    toast = page.get_by_role("status").filter(has_text="Saved MEMORY.md")
    expect(toast).to_be_visible()
    assert bot.files() != before
    toast.get_by_role("button", name="Undo").click()
    expect(page.get_by_text(re.compile("^Undone: ")).first).to_be_visible()
    page.wait_for_url(site.url + bot.at("memory"))
    expect(page.locator(".cm-content")).not_to_contain_text("A line that was a mistake.")
    assert bot.files() == before


@in_look("light", WIDE)
def test_compaction_line_by_line_applied_and_taken_back(site, owner, look):
    page, bot, before = owner.page, site.bot, site.bot.files()
    page.goto(bot.at())
    page.get_by_role("link", name=re.compile(r"^Compact: \d+ (shared )?logs are older than 30 days")).click()
    expect(page.get_by_role("heading", name="Compaction", exact=True)).to_be_visible()
    lines = page.locator("table.plan tbody tr:not(.group)")
    said = lines.filter(has_text="The boiler is a Vulcano from 2014.")
    expect(said).to_contain_text(re.compile(r"already in MEMORY\.md:\d+"))
    moved = lines.filter(has_text="Winter hours, if it rains for a week:")
    expect(moved).to_contain_text("no test rides")
    expect(moved).to_contain_text("move")
    cells = page.locator("table.plan tbody tr:not(.group) td:not(.box-cell)")
    settled(page)
    planned = cells.all_inner_texts()
    assert bot.files() == before

    page.get_by_role("button", name=re.compile(r"^Move \d+ facts, remove \d+ logs")).click()
    page.wait_for_url(re.compile(r"/compaction/\d+$"))
    done = [re.sub("^leave$", "left", re.sub("^move$", "moved", row)) for row in planned]
    assert cells.all_inner_texts() == done
    assert "## Compacted memories" in bot.read()
    assert "— Winter hours, if it rains for a week:\n" in bot.read()
    assert len(bot.files()) < len(before)

    page.locator("main .head").get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_text("Compaction undone").first).to_be_visible()
    assert bot.files() == before
    go(page, "Tidy up")
    page.get_by_role("navigation", name="Tidy up").get_by_role("link", name="Compaction").click()
    expect(page.get_by_role("heading", name="Earlier compactions")).to_be_visible()
    settled(page)
    assert cells.all_inner_texts() == planned


@in_look("dark", PHONE)
def test_signed_turn_shows_under_changes(site, owner, scheme, width, look):
    page, bot, fact = owner.page, site.bot, FACTS[scheme, width]
    reply = f"Noted, thank you.<memory>{fact}</memory>"
    told = site.turn(channel="telegram", chat_id="48213377", message=fact, response=reply)
    assert (told["status"], told["response"]) == ("ok", "Noted, thank you.")
    page.goto(bot.at())
    heard(page)
    page.reload()  # in step with the files by now: what is pressed below is not fetched anew at that moment
    heard(page)
    entry = page.get_by_role("region", name="Changes", exact=True).get_by_role("listitem").filter(has_text=fact)
    expect(entry).to_contain_text(f"{page.locator('h1').inner_text()} ·")  # who learned it
    expect(page.locator(".gauge.amber")).to_have_count(0)  # many fresh notes are nothing to warn of
    entry.get_by_role("button", name=f"Undo: {fact}").click()
    expect(page.locator("#messages").get_by_text(f"Undone: {fact}")).to_be_visible()
    assert not any(fact.encode() in data for data in bot.files().values())
