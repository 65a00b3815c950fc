"""Two people at one desk: the second hears what the first did, and what either typed is still there."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from memory.dialects.kenobot.sample import INES
from tests.browser.site import IN_STEP, unmoved

pytestmark = pytest.mark.browser
DAY = "2026-02-10"
LOG = f"# {DAY}\n\n## 09:00 — Likes tea\n\n## 09:30 — Plans a talk\n\n"
NOTES = "# Notes\n\n- First line\n- Second line\n\n## Apart\n\n- Last line\n"
PAPER = "chats/shared/MEMORY.md"
SAVE = re.compile("^Save( |$)")


@pytest.fixture(scope="module")
def shelf(site):
    return site.new_bot("shared")


@pytest.fixture
def bot(shelf):
    shelf.write(f"{DAY}.md", LOG)
    shelf.write(PAPER, NOTES)
    return shelf


@pytest.fixture
def both(window, colleague, bot):
    """Both have the same place open."""

    def open_both(place):
        for one in (window, colleague):
            one.page.goto(bot.at(place))
            expect(one.page.locator("#mark")).to_contain_text(IN_STEP)
        return window.page, colleague.page

    return open_both


def row(page, text):
    return page.locator(".facts > li", has_text=text)


def reword(page, text, to):
    row(page, text).get_by_role("link", name="Edit").click()
    page.get_by_label("Text of the fact").fill(to)


def save(page):
    page.locator("[data-editing]").get_by_role("button", name="Save").click()


def type_at(page, line, text):
    page.locator(".cm-line", has_text=line).click()
    page.keyboard.press("End")
    page.keyboard.insert_text(text)


def name(page, name, words="Add a name"):
    page.get_by_text(words, exact=True).click()
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Save name").click()


def saved(page):
    """The message; beside the field it may say “draft saved”."""
    return page.get_by_role("status").filter(has_text=re.compile("Saved"))


def test_both_edit_one_document_and_both_texts_are_kept(window, both, bot):
    window.expect_status(409)
    mine, theirs = both(f"documents/{PAPER}")
    mine.route("**/moved/**", unmoved)
    type_at(mine, "Last line", ", mine")
    type_at(theirs, "First line", ", theirs")
    theirs.get_by_role("button", name=SAVE).click()
    expect(saved(theirs)).to_be_visible()
    mine.get_by_role("button", name=SAVE).click()
    bar = mine.locator("#bar")
    expect(bar).to_contain_text("Tomás wrote to this file while you were editing.")
    expect(mine.locator(".cm-content")).to_contain_text("Last line, mine")
    assert "mine" not in bot.read(PAPER)
    mine.get_by_role("button", name="Merge and save").click()
    expect(saved(mine)).to_be_visible()
    both_kept = NOTES.replace("First line", "First line, theirs").replace("Last line", "Last line, mine")
    assert bot.read(PAPER) == both_kept
    saved(theirs).get_by_role("button", name="Undo").click()
    expect(theirs.get_by_text(re.compile("^Undone: ")).first).to_be_visible()
    assert bot.read(PAPER) == NOTES.replace("Last line", "Last line, mine")


def test_a_draft_is_its_writers_own(both, bot):
    mine, theirs = both(f"documents/{PAPER}")
    type_at(mine, "First line", ", only a draft")
    expect(mine.locator("#draft-state")).to_have_text("draft saved")
    theirs.reload()
    expect(theirs.locator("#dirty")).to_contain_text("No unsaved changes")
    expect(theirs.get_by_text("You have a draft from")).to_have_count(0)
    expect(theirs.locator(".cm-content")).not_to_contain_text("only a draft")


@pytest.mark.alike
@pytest.mark.parametrize("they", ["reword", "forget"])
def test_an_entry_that_is_gone_is_not_written_over(window, both, bot, they):
    window.expect_status(422)
    mine, theirs = both(f"days/{DAY}")
    reword(mine, "Likes tea", "Likes tea with milk")
    if they == "reword":
        reword(theirs, "Likes tea", "Likes coffee")
        save(theirs)
    else:
        row(theirs, "Likes tea").get_by_role("button", name="Forget").click()
    expect(theirs.locator(".toast").get_by_role("button", name="Undo")).to_be_visible()
    expect(row(theirs, "Likes tea")).to_have_count(0)
    left = bot.read(f"{DAY}.md")
    save(mine)
    expect(mine.get_by_role("alert")).to_contain_text("This fact no longer exists or was changed.")
    expect(mine.get_by_label("Text of the fact")).to_have_value("Likes tea with milk")
    expect(mine.get_by_label("Text of the fact")).to_be_focused()
    assert bot.read(f"{DAY}.md") == left
    theirs.locator(".toast").get_by_role("button", name="Undo").click()
    expect(row(theirs, "Likes tea")).to_be_visible()
    save(mine)
    expect(saved(mine)).to_be_visible()
    expect(row(mine, "Likes tea with milk")).to_be_visible()
    assert bot.read(f"{DAY}.md") == LOG.replace("tea", "tea with milk")


def test_an_entry_that_another_rewords_is_not_forgotten(both, bot):
    mine, theirs = both(f"days/{DAY}")
    reword(theirs, "Likes tea", "Likes coffee")
    save(theirs)
    expect(row(theirs, "Likes coffee")).to_be_visible()
    row(mine, "Likes tea").get_by_role("button", name="Forget").click()
    expect(mine.get_by_role("alert")).to_contain_text("This fact no longer exists or was changed.")
    expect(row(mine, "Likes coffee")).to_be_visible()
    assert bot.read(f"{DAY}.md") == LOG.replace("tea", "coffee")


def test_two_entries_of_one_day_at_once(both, bot):
    mine, theirs = both(f"days/{DAY}")
    reword(mine, "Likes tea", "Likes tea with milk")
    reword(theirs, "Plans a talk", "Plans two talks")
    save(theirs)
    expect(row(theirs, "Plans two talks")).to_be_visible()
    save(mine)
    expect(row(mine, "Likes tea with milk")).to_be_visible()
    expect(row(mine, "Plans two talks")).to_be_visible()
    assert bot.read(f"{DAY}.md") == LOG.replace("tea", "tea with milk").replace("a talk", "two talks")


def test_each_undoes_their_own(both, bot):
    bot.append(f"{DAY}.md", "## 10:00 — Rides a bicycle\n\n")
    mine, theirs = both(f"days/{DAY}")
    for page, text in ((mine, "Likes tea"), (theirs, "Plans a talk")):
        row(page, text).get_by_role("button", name="Forget").click()
        expect(row(page, text)).to_have_count(0)
    mine.keyboard.press("u")
    expect(row(mine, "Likes tea")).to_be_visible()
    expect(row(mine, "Plans a talk")).to_have_count(0)
    assert bot.read(f"{DAY}.md") == LOG.replace("## 09:30 — Plans a talk", "## 10:00 — Rides a bicycle")


def test_a_chat_is_named_by_both_at_once(both, bot):
    mine, theirs = both(f"chats/{INES}")
    name(mine, "Ines")
    expect(mine.get_by_role("heading", level=1)).to_have_text("Ines")
    name(theirs, "Boss")
    expect(theirs.get_by_role("alert")).to_contain_text("Someone just renamed this chat to Ines.")
    expect(theirs.get_by_role("alert")).to_contain_text("“Boss” was not saved.")
    expect(theirs.get_by_role("heading", level=1)).to_have_text("Ines")
    name(theirs, "Boss", "Rename")
    expect(theirs.get_by_role("heading", level=1)).to_have_text("Boss")
    mine.reload()
    expect(mine.get_by_role("heading", level=1)).to_have_text("Boss")
