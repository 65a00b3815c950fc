"""The desk while somebody else writes: drafts, bars, two windows, no JavaScript, only keys."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Error, expect

from tests.browser.site import settled, unmoved

pytestmark = pytest.mark.browser
POLL = 11_000  # ms; the desk asks every ten seconds whether the file moved on
SCREENS = (1280, 800), (1366, 650), (1920, 1080), (360, 640)
IN_SIGHT = """(one) => {
  const box = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + 8));
}"""
SAVE = re.compile("^Save( |$)")


@pytest.fixture(scope="module")
def bot(site):
    return site.new_bot("desk")


class Document:
    """One document of the bot, and the desk's parts in any window that has it open."""

    def __init__(self, bot, name):
        self.bot, self.path = bot, f"chats/{name}/MEMORY.md"
        self.address = bot.at(f"documents/{self.path}")
        bot.write(self.path, "# Notes\n\n- First line\n- Second line\n")

    def open(self, window, text=None, clock=False):
        page = window.page
        if clock:
            page.clock.install()
        else:  # however slow the machine is, only what a test does itself tells the desk that the file moved on
            page.route("**/moved/**", unmoved)
        page.goto(self.address)
        expect(page.locator("#dirty")).to_contain_text("No unsaved changes")
        if text:
            self.type(page, text)
        return page

    def type(self, page, text, where="Control+End"):
        field(page).click()
        page.keyboard.press(where)
        page.keyboard.insert_text(text)

    @property
    def text(self):
        return self.bot.read(self.path)


@pytest.fixture
def document(bot, request):
    return Document(bot, re.sub(r"\W+", "-", request.node.name))


def field(page):
    return page.locator(".cm-content")


def bar(page):
    return page.locator("#bar")


def saved(page):
    return page.get_by_role("status").filter(has_text="Saved chats/")


def test_bot_appends_while_somebody_types_and_merge_keeps_both(window, document):
    page = document.open(window, "- Mine\n", clock=True)
    document.bot.append(document.path, "- Theirs, from the bot\n")
    page.clock.run_for(POLL)
    expect(bar(page)).to_contain_text("Something else added 1 line while you were editing.")
    expect(bar(page)).to_contain_text("It doesn’t touch your change.")
    expect(bar(page).get_by_role("button", name="Compare")).to_be_visible()
    expect(bar(page).get_by_role("link", name="Reload")).to_be_visible()
    expect(field(page)).to_contain_text("- Mine")
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        assert [one.evaluate(IN_SIGHT) for one in bar(page).locator("p strong, button, a").all()] == [True] * 3

    bar(page).get_by_role("button", name="Compare").click()
    expect(bar(page).locator("tr:visible", has_text="- Theirs, from the bot")).to_be_visible()
    expect(bar(page).locator("tr:visible", has_text="- Mine")).to_be_visible()
    assert "Mine" not in document.text
    page.get_by_role("button", name="Merge and save").click()
    expect(saved(page)).to_be_visible()
    expect(field(page)).to_contain_text("- Theirs, from the bot")
    expect(bar(page)).to_be_empty()
    expect(page.get_by_role("button", name=SAVE)).to_be_disabled()
    assert sorted(document.text.splitlines()[-2:]) == ["- Mine", "- Theirs, from the bot"]


def test_bot_appends_just_before_a_save_and_both_are_kept(window, document):
    page = document.open(window, "- Mine\n")
    document.bot.append(document.path, "- Theirs\n")
    page.get_by_role("button", name=SAVE).click()
    expect(page.get_by_text("Saved. One line added by someone else was kept.")).to_be_visible()
    assert sorted(document.text.splitlines()[-2:]) == ["- Mine", "- Theirs"]
    expect(page.locator("#dirty")).to_contain_text("No unsaved changes")
    expect(field(page)).to_contain_text("- Theirs")

    document.type(page, "- More\n")
    document.bot.append(document.path, f"- The key of the shop is sk-proj-{'Ab12Cd34' * 4}\n")
    page.get_by_role("button", name=SAVE).click()
    expect(page.get_by_text("This text holds a secret or personal data, which is hidden.")).to_be_visible()
    expect(page.get_by_text("Saved. One line added by someone else was kept.")).to_be_visible()
    expect(field(page)).to_have_count(0)
    assert "Cd34" not in page.content()
    assert "- More" in document.text


def test_what_is_typed_while_a_save_is_joined_stays(window, document):
    page = document.open(window, "- Mine\n")
    document.bot.append(document.path, "- Theirs\n")
    held = []
    page.route(re.compile("/save/"), lambda route: held.append(route))
    with page.expect_request(re.compile("/save/")):
        page.get_by_role("button", name=SAVE).click()
    document.type(page, "- Typed on\n")
    with page.expect_response(re.compile("/save/")) as asked:
        held.pop().continue_()
    asked.value.finished()
    expect(page.locator("#dirty")).to_contain_text("Unsaved")
    expect(field(page)).to_contain_text("- Typed on")
    page.unroute(re.compile("/save/"))
    page.get_by_role("button", name=SAVE).click()
    expect(page.locator("#dirty")).to_contain_text("No unsaved changes")
    assert sorted(document.text.splitlines()[-3:]) == ["- Mine", "- Theirs", "- Typed on"]


def test_bot_rewrites_just_before_a_save_and_merge_and_save_keeps_both(window, document):
    window.expect_status(409)
    page = document.open(window, "- Mine\n")
    document.bot.write(document.path, "- Theirs\n" + document.text)
    page.get_by_role("button", name=SAVE).click()
    expect(bar(page)).to_contain_text("Nothing saved yet.")
    assert "Mine" not in document.text
    page.get_by_role("button", name="Merge and save").click()
    expect(saved(page)).to_be_visible()
    assert (document.text.splitlines()[0], document.text.splitlines()[-1]) == ("- Theirs", "- Mine")
    expect(page.locator("#dirty")).to_contain_text("No unsaved changes")


def test_reload_takes_theirs(window, document):
    page = document.open(window, "- Mine\n", clock=True)
    document.bot.append(document.path, "- Theirs\n")
    page.clock.run_for(POLL)
    bar(page).get_by_role("link", name="Reload").click()
    expect(page.locator("#dirty")).to_contain_text("No unsaved changes")
    expect(field(page)).to_contain_text("- Theirs")
    expect(field(page)).not_to_contain_text("- Mine")


def test_second_of_two_windows_gets_the_conflict_and_may_overwrite(windows, document):
    ours, theirs = windows(), windows()
    ours.expect_status(409)
    mine, other = document.open(ours), document.open(theirs)
    document.type(mine, "# Notes\n\n- First line, mine\n", where="Control+a")
    document.type(other, "# Notes\n\n- First line, of the other window\n", where="Control+a")
    other.get_by_role("button", name=SAVE).click()
    expect(saved(other)).to_be_visible()
    mine.get_by_role("button", name=SAVE).click()
    expect(bar(mine)).to_contain_text(
        "Nothing saved yet."
    )  # the answer to Save, and not what the bar asked for by itself
    expect(bar(mine)).to_contain_text("owner wrote to this file while you were editing.")
    expect(bar(mine).get_by_role("button", name="Merge")).to_have_count(0)
    assert document.text == "# Notes\n\n- First line, of the other window\n"
    expect(field(mine)).to_contain_text("- First line, mine")

    bar(mine).get_by_role("button", name="Keep mine").click()
    expect(bar(mine)).to_contain_text("Replace their version with yours?")
    assert document.text == "# Notes\n\n- First line, of the other window\n"
    bar(mine).get_by_role("button", name="Overwrite").click()
    expect(saved(mine)).to_be_visible()
    assert document.text == "# Notes\n\n- First line, mine\n"


def test_what_the_bar_asked_before_a_save_is_not_laid_over_its_answer(windows, document):
    ours, theirs = windows(), windows()
    ours.expect_status(409)
    mine, held = document.open(ours), []
    mine.route("**/moved/**", lambda route: held.append(route))
    with mine.expect_request("**/moved/**"):
        document.type(mine, "# Notes\n\n- First line, mine\n", where="Control+a")
    other = document.open(theirs)
    document.type(other, "# Notes\n\n- First line, of the other window\n", where="Control+a")
    other.get_by_role("button", name=SAVE).click()
    expect(saved(other)).to_be_visible()
    mine.get_by_role("button", name=SAVE).click()
    expect(bar(mine)).to_contain_text("Nothing saved yet.")
    with suppress(Error), mine.expect_response("**/moved/**", timeout=1_000):  # it was given up
        held[0].continue_()
    expect(bar(mine)).to_contain_text("Nothing saved yet.")


def held_back(page, act):
    """The next answer to an act of the editor, which the test lets go."""
    held = []
    page.route(re.compile(f"/{act}/"), lambda route: held.append(route), times=1)
    return held


def conflict(page, document):
    """The bar of a file in which somebody else changed the very lines."""
    document.type(page, "# Notes\n\n- First line, mine\n", where="Control+a")
    document.bot.write(document.path, "# Notes\n\n- First line, theirs\n")
    page.clock.run_for(POLL)
    expect(bar(page).get_by_role("button", name="Compare")).to_be_visible()


def test_the_bar_pressed_while_save_is_under_way_answers_after_it(window, document):
    window.expect_status(409)
    page = document.open(window, clock=True)
    conflict(page, document)
    held = held_back(page, "save")
    with page.expect_request(re.compile("/save/")):
        page.get_by_role("button", name=SAVE).click()
    bar(page).get_by_role("button", name="Compare").click()
    held.pop().continue_()
    expect(bar(page)).to_contain_text("Nothing saved yet.")
    page.clock.run_for(100)
    expect(bar(page).locator("tr:visible", has_text="theirs")).to_be_visible()
    expect(field(page)).to_contain_text("- First line, mine")


def test_save_pressed_while_the_bar_is_answering_saves_after_it(window, document):
    page = document.open(window, "- Mine\n", clock=True)
    document.bot.append(document.path, "- Theirs\n")
    page.clock.run_for(POLL)
    held = held_back(page, "compare")
    with page.expect_request(re.compile("/compare/")):
        bar(page).get_by_role("button", name="Compare").click()
    page.keyboard.press("Control+s")
    held.pop().continue_()
    expect(bar(page).locator("tr:visible", has_text="- Theirs")).to_be_visible()
    page.clock.run_for(100)
    expect(saved(page)).to_be_visible()
    assert sorted(document.text.splitlines()[-2:]) == ["- Mine", "- Theirs"]


def test_what_is_typed_and_saved_while_a_save_is_under_way_is_saved_too(window, document):
    page = document.open(window, "- One\n", clock=True)
    held = held_back(page, "save")
    with page.expect_request(re.compile("/save/")):
        page.get_by_role("button", name=SAVE).click()
    document.type(page, "- Two\n")
    page.keyboard.press("Control+s")
    held.pop().continue_()
    expect(saved(page)).to_be_visible()
    page.clock.run_for(100)
    expect(page.locator("#dirty")).to_contain_text("No unsaved changes")
    assert document.text.splitlines()[-2:] == ["- One", "- Two"]


def test_draft_is_offered_after_a_reload_and_in_another_browser(windows, document):
    first, second = windows(), windows()
    asked = []
    first.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page = document.open(first, "- Only a draft\n")
    expect(page.locator("#draft-state")).to_have_text("draft saved")
    page.reload()
    assert asked == ["beforeunload"]
    document.open(second)
    for page in (first.page, second.page):
        expect(page.get_by_text("You have a draft from")).to_be_visible()
        expect(field(page)).not_to_contain_text("Only a draft")
        page.get_by_role("link", name="Use draft").click()
        expect(field(page)).to_contain_text("- Only a draft")
        expect(page.locator("#dirty")).to_contain_text("Unsaved · 1 line changed")
    assert "draft" not in document.text
    page.get_by_role("button", name=SAVE).click()
    expect(saved(page)).to_be_visible()
    assert document.text.endswith("- Only a draft\n")
    first.page.goto(document.address)
    expect(first.page.get_by_text("You have a draft from")).to_have_count(0)


def test_draft_can_be_discarded(window, document):
    page = document.open(window, "- Only a draft\n")
    expect(page.locator("#draft-state")).to_have_text("draft saved")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.get_by_role("button", name="Discard draft").click()
    settled(page)
    expect(page.get_by_text("You have a draft from")).to_have_count(0)
    expect(field(page)).not_to_contain_text("Only a draft")


def test_keys_skip_link_and_saving(window, document):
    page = document.open(window)
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    for _ in range(20):
        page.keyboard.press("Tab")
        if field(page).evaluate("(one) => one === document.activeElement"):
            break
    expect(field(page)).to_be_focused()
    page.keyboard.press("Control+End")
    page.keyboard.type("- By keys alone")
    page.keyboard.press("Control+s")
    expect(saved(page)).to_be_visible()
    assert document.text.endswith("- By keys alone")
    expect(page.locator("#dirty")).to_contain_text("No unsaved changes")
    page.keyboard.press("Control+s")
    assert document.text.endswith("- By keys alone")


def test_typing_over_a_selection_leaves_only_what_was_typed(window, document):
    page = document.open(window)
    field(page).click()
    page.keyboard.press("Control+a")
    page.keyboard.type("# Anew")
    page.keyboard.press("Control+s")
    expect(saved(page)).to_be_visible()
    assert document.text == "# Anew"
    page.keyboard.press("Control+z")
    expect(field(page)).to_contain_text("- Second line")


def test_save_is_off_while_nothing_changed(window, document):
    page = document.open(window)
    expect(page.get_by_role("button", name=SAVE)).to_be_disabled()
    document.type(page, "x")
    expect(page.get_by_role("button", name=SAVE)).to_be_enabled()
    page.keyboard.press("Backspace")
    expect(page.get_by_role("button", name=SAVE)).to_be_disabled()


def test_everything_works_without_javascript(windows, document):
    window = windows(java_script_enabled=False)
    window.expect_status(409)
    page = window.page
    page.goto(document.address)
    text = page.get_by_role("textbox", name=f"Text of {document.path}")
    text.fill("# Notes\n\n- First line\n- Second **line**, mine\n")
    page.get_by_role("button", name="Review changes").click()
    expect(page.locator("#review tr:visible", has_text="- Second **line**, mine")).to_be_visible()
    page.get_by_role("button", name="Preview", exact=True).click()
    expect(page.locator("#preview strong")).to_have_text("line")
    document.bot.write(document.path, f"- Theirs\n{document.text}")
    page.get_by_role("button", name=SAVE).click()
    expect(page.get_by_text("Nothing saved yet.")).to_be_visible()
    expect(text).to_have_value("# Notes\n\n- First line\n- Second **line**, mine\n")
    page.get_by_role("button", name="Compare").click()
    expect(bar(page).locator("tr:visible", has_text="- Theirs")).to_be_visible()
    page.get_by_role("button", name="Merge and save").click()
    expect(saved(page)).to_be_visible()
    assert document.text == "- Theirs\n# Notes\n\n- First line\n- Second **line**, mine\n"
    saved(page).get_by_role("button", name="Undo").click()
    expect(page.get_by_text(re.compile("^Undone: ")).first).to_be_visible()
    assert document.text == "- Theirs\n# Notes\n\n- First line\n- Second line\n"


def test_compaction_works_without_javascript(windows, bot):
    page = windows(java_script_enabled=False).page
    before = bot.files()
    page.goto(bot.at("compaction?scope=chat:http-http-workshop"))
    page.get_by_role("button", name=re.compile("^Move .* facts?,?")).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("moved")
    assert bot.files() != before
    page.locator("main .head").get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_text("Compaction undone").first).to_be_visible()
    assert bot.files() == before


def test_colours_can_be_chosen_and_stay(window, bot):
    page = window.page
    window.look("light", 1280)
    page.goto(bot.at())
    page.locator(".me > summary").click()
    page.get_by_role("button", name="Dark").click()
    page.locator(".me > summary").click()
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    page.goto(bot.at("documents/"))
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 22, 24)"


def test_a_button_that_is_pressed_while_the_desk_asks_anew_is_not_lost(window, document):
    page = document.open(window, "- Mine\n", clock=True)
    document.bot.append(document.path, "- Theirs\n")
    page.clock.run_for(POLL)
    expect(bar(page)).to_contain_text("added 1 line while you were editing.")
    bar(page).get_by_role("button", name="Compare").hover()
    page.mouse.down()
    document.bot.append(document.path, "- More of theirs\n")
    with page.expect_response(re.compile("/moved")) as asked:
        page.clock.run_for(POLL)
    asked.value.finished()
    page.clock.run_for(100)
    page.mouse.up()
    expect(bar(page).locator("tr:visible", has_text="- Mine")).to_be_visible()
