"""Facts in a real browser: mended where they are read, by hand and by key, and nothing typed is lost."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.site import PHONE, heard

pytestmark = pytest.mark.browser
LOG = "# 2026-02-07\n\n## 09:00 — Likes tea\n\n## 09:30 — Plans a talk\n\n## 10:00 - Rides a bicycle\n\n"
DAY = "2026-02-07.md"


@pytest.fixture(scope="module")
def shelf(site):
    return site.new_bot("facts", with_sample=False)


@pytest.fixture
def bot(shelf):
    shelf.write(DAY, LOG)
    shelf.write("MEMORY.md", "# Memory\n\n- one\n- two\n- three\n" + "- " + "long words " * 200 + "end\n")
    return shelf


@pytest.fixture
def page(window, bot):
    window.page.goto(bot.at(f"facts/{DAY}"))
    return window.page


def row(page, text):
    return page.locator(".facts > li").filter(has_text=text)


def test_page_in_every_look(window, page, bot):
    for place in (f"facts/{DAY}", "facts/MEMORY.md", "facts/MEMORY.md?q=nothing", "facts/2026-02-08.md"):
        page.goto(bot.at(place))
        window.inspect_in_every_look()


def test_entry_open_for_editing_in_every_look(window, page):
    row(page, "Likes tea").get_by_role("link", name="Edit").click()
    expect(page.get_by_label("Text of the fact")).to_be_focused()
    window.inspect_in_every_look()


def test_many_in_every_look(window, page, bot):
    for text in ("Likes tea", "Plans a talk", "Rides a bicycle"):
        row(page, text).get_by_label("Select").check()
    window.inspect_in_every_look()
    page.get_by_role("button", name="Forget selected").click()
    expect(page.get_by_role("heading", name="Forget 3 facts?")).to_be_focused()
    window.inspect_in_every_look()
    page.get_by_role("link", name="Cancel").click()
    expect(row(page, "Likes tea")).to_be_visible()
    assert bot.read(DAY) == LOG


def test_enter_saves_and_undo_brings_it_back(page, bot):
    row(page, "Likes tea").get_by_role("link", name="Edit").click()
    expect(page.get_by_label("Text of the fact")).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.type(" with milk")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("and sugar")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    assert bot.read(DAY) == LOG.replace("Likes tea", "Likes tea with milk\nand sugar")
    expect(row(page, "Likes tea").locator(".fold > summary")).to_be_focused()  # it has two lines now
    page.get_by_role("button", name="Undo").click()
    expect(row(page, "Likes tea")).not_to_contain_text("sugar")
    assert bot.read(DAY) == LOG


def test_escape_leaves_it_as_it_was(page, bot):
    row(page, "Likes tea").get_by_role("link", name="Edit").click()
    page.get_by_label("Text of the fact").fill("Something else")
    page.keyboard.press("Escape")
    expect(row(page, "Likes tea").get_by_role("link", name="Edit")).to_be_focused()
    expect(page.get_by_label("Text of the fact")).to_have_count(0)
    assert bot.read(DAY) == LOG


def test_emptied_entry_asks_before_it_goes(page, bot):
    row(page, "Plans a talk").get_by_role("link", name="Edit").click()
    page.get_by_label("Text of the fact").fill("")
    page.keyboard.press("Enter")
    page.locator("[data-editing]").get_by_role("button", name="Forget").click()
    expect(page.get_by_role("status").filter(has_text="Forgotten")).to_be_visible()
    expect(row(page, "Plans a talk")).to_have_count(0)
    assert "Plans a talk" not in bot.read(DAY)


def test_text_that_cannot_stand_stays_in_its_field(window, page, bot):
    window.expect_status(422)
    page.goto(bot.at("facts/MEMORY.md"))
    bot.write("MEMORY.md", "prose of mine\n")
    page.reload()
    row(page, "prose").get_by_role("link", name="Edit").click()
    page.get_by_label("Text of the fact").fill("two\n\nparagraphs")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("The text wouldn’t stay one fact here")
    expect(page.get_by_label("Text of the fact")).to_have_value("two\n\nparagraphs")
    assert bot.read() == "prose of mine\n"


def test_what_is_typed_in_one_row_outlives_a_hand_on_another(page, bot):
    row(page, "Likes tea").get_by_role("link", name="Edit").click()
    page.get_by_label("Text of the fact").fill("Half a thought")
    row(page, "Plans a talk").get_by_role("button", name="Forget").click()
    expect(page.get_by_label("Text of the fact")).to_have_value("Half a thought")
    expect(page.get_by_label("Text of the fact")).to_be_focused()
    assert bot.read(DAY) == LOG


def test_what_is_typed_while_an_answer_is_on_its_way_stays_in_hand(page, bot):
    held = []
    page.route("**/forget", lambda route: held.append(route))
    with page.expect_request("**/forget"):
        row(page, "Plans a talk").get_by_role("button", name="Forget").click()
    row(page, "Likes tea").get_by_role("link", name="Edit").click()
    expect(page.get_by_label("Text of the fact")).to_be_focused()
    page.keyboard.type(" with milk")
    held.pop().continue_()
    expect(row(page, "Plans a talk")).to_have_count(0)
    expect(page.get_by_label("Text of the fact")).to_be_focused()
    page.keyboard.type(" and sugar")
    page.keyboard.press("Enter")
    expect(row(page, "Likes tea with milk and sugar")).to_be_visible()
    assert bot.read(DAY) == LOG.replace("tea", "tea with milk and sugar").replace("## 09:30 — Plans a talk\n\n", "")


def test_a_press_on_one_row_while_another_one_goes_is_done_after_it(page, bot):
    held = []
    page.route("**/forget", lambda route: held.append(route), times=1)
    with page.expect_request("**/forget"):
        row(page, "Plans a talk").get_by_role("button", name="Forget").click()
    row(page, "Likes tea").get_by_role("button", name="Forget").click()
    held.pop().continue_()
    expect(row(page, "Plans a talk")).to_have_count(0)
    expect(row(page, "Likes tea")).to_have_count(0)


def test_selected_facts_are_asked_about_though_a_row_was_just_going(page, bot):
    held = []
    page.route("**/forget", lambda route: held.append(route), times=1)
    row(page, "Likes tea").get_by_role("checkbox").check()
    with page.expect_request("**/forget"):
        row(page, "Plans a talk").get_by_role("button", name="Forget").click()
    page.locator("[data-deed=move]").click()
    held.pop().continue_()
    expect(page.get_by_role("heading", name="Move 1 fact")).to_be_visible()
    expect(page.locator(".acting")).to_contain_text("Likes tea")


def test_what_can_be_done_to_a_row_takes_no_width_from_its_text(page, bot):
    there = row(page, "Likes tea")
    line, said, about = (part.bounding_box() for part in (there, there.locator(".said"), there.locator(".about")))
    assert about["x"] - (said["x"] + said["width"]) < 20
    assert line["x"] + line["width"] - (about["x"] + about["width"]) < 50


def test_leaving_asks_while_something_is_typed_in_a_row(page, bot):
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    row(page, "Likes tea").get_by_role("link", name="Edit").click()
    page.get_by_label("Text of the fact").click()
    page.keyboard.type(" with milk")
    with page.expect_event("dialog"):
        page.get_by_role("navigation", name="Navigation").get_by_role("link", name="Chats").click(no_wait_after=True)
    expect(page.get_by_label("Text of the fact")).to_have_value("Likes tea with milk")
    assert asked == ["beforeunload"]
    page.get_by_label("Text of the fact").press("Escape")
    page.get_by_role("navigation", name="Navigation").get_by_role("link", name="Chats").click()
    page.wait_for_url("**/chats/")
    assert asked == ["beforeunload"]


def test_bot_that_writes_while_an_entry_is_open_is_kept(page, bot):
    row(page, "Likes tea").get_by_role("link", name="Edit").click()
    bot.append(DAY, "## 11:00 — Written meanwhile\n\n")
    page.get_by_label("Text of the fact").fill("Likes coffee")
    page.keyboard.press("Enter")
    expect(row(page, "Likes coffee")).to_be_visible()
    expect(row(page, "Written meanwhile")).to_be_visible()
    assert bot.read(DAY) == LOG.replace("tea", "coffee") + "## 11:00 — Written meanwhile\n\n"


def test_long_text_unfolds_where_it_stands_and_stays_so(page, bot):
    page.goto(bot.at("facts/MEMORY.md"))
    long = row(page, "long words")
    long.get_by_role("link", name="Rest of this fact").click()
    expect(long.locator(".fact")).to_have_text(re.compile("end$"))
    bot.append("MEMORY.md", "- four\n")
    heard(page)
    page.evaluate("document.querySelector('form.step').requestSubmit()")
    expect(row(page, "four")).to_be_visible()
    expect(long.locator(".fact")).to_have_text(re.compile("end$"))


def test_one_thumb_on_the_phone(window, page, bot):
    window.look("light", PHONE)
    page.reload()
    heard(page)  # or what it hears of the files closes the menu that is pressed
    for name, text in (("Move to long-term", "Plans a talk"), ("Forget", "Likes tea")):
        row(page, text).get_by_label("More").click()
        row(page, text).get_by_role("button", name=name).click()
        expect(row(page, text)).to_have_count(0)
        expect(page.locator(".toast.success").get_by_role("button", name="Undo")).to_be_visible()
    assert bot.read().endswith("- 2026-02-07 09:30 — Plans a talk\n")  # it keeps its day and its clock
    assert bot.read(DAY) == "# 2026-02-07\n\n## 10:00 - Rides a bicycle\n\n"


def test_everything_without_scripts(windows, bot):
    quiet = windows(java_script_enabled=False)
    page = quiet.page
    page.goto(bot.at(f"facts/{DAY}"))
    row(page, "Likes tea").get_by_role("link", name="Edit").click()
    page.get_by_label("Text of the fact").fill("Likes coffee")
    page.get_by_role("button", name="Save").click()
    expect(row(page, "Likes coffee")).to_be_visible()
    row(page, "Plans a talk").get_by_role("button", name="Move to long-term").click()
    expect(page.get_by_role("status").filter(has_text="Moved")).to_be_visible()
    expect(row(page, "Plans a talk")).to_have_count(0)
    for text in ("Likes coffee", "Rides a bicycle"):
        row(page, text).get_by_label("Select").check()
    page.get_by_role("button", name="Forget selected").click()
    page.get_by_role("button", name="Forget 2 facts").click()
    expect(page.get_by_text("Forgot 2 facts")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(row(page, "Likes coffee")).to_be_visible()
    assert "Likes coffee" in bot.read(DAY)


def test_selected_facts_move_under_a_heading_by_keys_and_come_back(window, page, bot):
    page.goto(bot.at("facts/MEMORY.md"))
    before = bot.files()
    for key in "jxjxm":
        page.keyboard.press(key)
    expect(page.get_by_role("heading", name="Move 2 facts")).to_be_focused()
    page.get_by_label("Under heading").select_option(label="Memory")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator(".diff ins, .diff .added").first).to_be_attached()
    window.inspect_in_every_look()
    page.get_by_role("button", name="Move", exact=True).click()
    expect(page.locator(".toast.success")).to_contain_text("Moved 2 facts")
    assert bot.files() != before
    page.locator(".toast.success").get_by_role("button", name="Undo").click()
    expect(page.locator(".toast")).to_contain_text("Undone")
    assert bot.files() == before


def test_selected_facts_are_merged_and_come_back(window, page, bot):
    page.goto(bot.at("facts/MEMORY.md"))
    before = bot.files()
    for key in "jxjx+":
        page.keyboard.press(key)
    expect(page.get_by_role("heading", name="Merge 2 facts")).to_be_focused()
    page.get_by_label("Text of the fact").fill("one and two")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator(".diff ins").first).to_be_attached()
    expect(page.locator(".noted")).to_have_count(0)
    window.inspect_in_every_look()
    page.get_by_role("button", name="Merge", exact=True).click()
    expect(page.locator(".toast.success")).to_contain_text("Merged 2 facts")
    assert bot.read().startswith("# Memory\n\n- one and two\n- three\n")
    page.locator(".toast.success").get_by_role("button", name="Undo").click()
    expect(page.locator(".toast")).to_contain_text("Undone")
    assert bot.files() == before


def test_what_a_search_finds_is_moved(window, page, bot):
    page.goto(bot.at("search/?q=tea"))
    page.locator(".hits > li").filter(has_text="Likes tea").get_by_label("Select").check()
    page.get_by_role("button", name="Move …").click()
    expect(page.get_by_role("heading", name="Move 1 fact")).to_be_focused()
    page.get_by_role("button", name="Move", exact=True).click()
    expect(page.locator(".toast.success")).to_contain_text("Moved 1 fact")
    assert "- 2026-02-07 09:00 — Likes tea\n" in bot.read()
    assert "Likes tea" not in bot.read(DAY)
