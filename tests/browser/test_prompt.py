"""The prompt in a real browser: read, priced and mended in German, Chinese and emoji, by hand, by key, and without scripts."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from tests.browser.site import PHONE, heard
from tests.support.amounts import some

pytestmark = pytest.mark.browser
CHAT = "telegram-5"
GERMAN, CHINESE, EMOJI = "Wohnt in Köln und trinkt grünen Tee", "她喜欢在早上喝绿茶", "👩‍👩‍👧 lives next door 🙂"
MEMORY = f"# Memory\n\n- {GERMAN}\n- {CHINESE}\n- {EMOJI}\n"


@pytest.fixture(scope="module")
def shelf(site):
    shelf = site.new_bot("prompted", with_sample=False)
    shelf.write(f"chats/{CHAT}/MEMORY.md", "- Über den Umzug\n")
    site.manage("status", "--bot", shelf.slug)  # or the first page, asked for before the walk, knows no such chat
    return shelf


@pytest.fixture
def bot(shelf):
    shelf.write("MEMORY.md", MEMORY)
    shelf.write(f"{datetime.now(UTC).date()}.md", "## 09:00 — Plans a talk\n\n")
    shelf.write(f"chats/{CHAT}/MEMORY.md", "- Über den Umzug\n")
    shelf.write("chats/telegram-6/MEMORY.md", "- Nothing for others\n")
    return shelf


@pytest.fixture
def page(window, bot):
    window.page.goto(bot.at(f"prompt/?chat={CHAT}"))
    heard(window.page)
    window.page.reload()  # with all that the walk has found
    return window.page


def row(page, text):
    return page.locator(".prompt > li").filter(has_text=text)


def total(page):
    return int(re.match(r"[\d,]+", page.locator("#sum").inner_text())[0].replace(",", ""))


def shown(page):
    """What the parts on the page cost together."""
    return sum(
        int(one.split()[0].replace(",", "")) for one in page.locator(".part > summary .cost").all_text_contents()
    )


def test_page_in_every_look(window, page, bot):
    for place in (f"prompt/?chat={CHAT}", f"prompt/?chat={CHAT}&by=cost", "prompt/?chat=", "prompt/?chat=nobody"):
        window.expect_status(422)
        page.goto(bot.at(place))
        window.inspect_in_every_look()


def test_fact_open_for_editing_in_every_look(window, page):
    row(page, CHINESE).get_by_role("link", name="Edit").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Text of the fact")).to_be_focused()
    window.inspect_in_every_look()


@pytest.mark.parametrize(
    ("old", "new"),
    some(
        [
            (EMOJI, "👨‍👩‍👧‍👦🎉 moved to Würzburg"),
            (CHINESE, "她喜欢在晚上喝红茶，周末去爬山"),
            (GERMAN, "Zieht im März nach Würzburg"),
        ],
        3,
    ),
)
def test_pressing_a_fact_mends_it_and_the_sums_follow(page, bot, old, new):
    assert total(page) == shown(page)
    before = total(page)
    row(page, old).locator(".fact").click()
    expect(page.get_by_label("Text of the fact")).to_have_value(old)
    page.get_by_label("Text of the fact").fill(f"{new} {new} {new}")
    page.keyboard.press("Enter")
    expect(row(page, f"{new} {new} {new}").get_by_role("link", name="Edit")).to_be_focused()
    assert bot.read() == MEMORY.replace(old, f"{new} {new} {new}")
    assert total(page) == shown(page) > before
    page.get_by_role("button", name="Undo").click()
    expect(row(page, old)).to_be_visible()
    page.wait_for_load_state()
    assert total(page) == before
    assert bot.read() == MEMORY


def test_everything_by_key(page, bot):
    page.goto(bot.at())
    page.keyboard.press("g")
    page.keyboard.press("p")
    page.wait_for_url("**/prompt/")
    page.keyboard.press("f")
    expect(page.get_by_label("Message")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Control+A")
    page.keyboard.type(CHAT)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/prompt/?chat={CHAT}*")
    expect(row(page, "Über den Umzug")).to_be_visible()
    row(page, GERMAN).get_by_role("link", name="Edit").focus()
    page.keyboard.press("e")
    expect(page.get_by_label("Text of the fact")).to_be_focused()
    page.keyboard.press("Escape")
    expect(row(page, GERMAN).get_by_role("link", name="Edit")).to_be_focused()


def test_text_is_copied_to_the_letter(windows, bot):
    window = windows(permissions=["clipboard-read", "clipboard-write"])
    window.page.goto(bot.at(f"prompt/?chat={CHAT}"))
    window.page.evaluate("window.setTimeout = () => 0")  # what the button says is there for two seconds
    window.page.get_by_role("button", name="Copy").click()
    expect(window.page.get_by_role("button", name="Copied")).to_be_visible()
    copied = window.page.evaluate("navigator.clipboard.readText()")
    window.page.get_by_role("link", name="Plain text").click()
    window.page.wait_for_url("**/prompt/text*")
    assert window.page.locator("body").inner_text().strip() == copied.strip()
    assert MEMORY in copied


def test_chats_are_offered_while_somebody_types(page, bot):
    page.get_by_label("Chat").fill("gram-6")
    expect(page.locator("#chats option")).to_have_count(1)
    expect(page.locator("#chats option")).to_have_attribute("value", "telegram-6")


def test_most_expensive_comes_first_and_can_be_mended_there(page):
    page.get_by_role("link", name=re.compile("Most expensive first")).click()
    page.wait_for_url("**by=cost*")
    costs = [int(one.split()[0]) for one in page.locator(".prompt .cost").all_text_contents()]
    assert costs == sorted(costs, reverse=True)
    first = page.locator(".prompt > li").first
    first.get_by_role("link", name="Edit").click()
    expect(page.get_by_label("Text of the fact")).to_be_focused()


def test_what_the_bot_writes_appears_with_its_cost(page, bot):
    heard(page)
    before = total(page)
    bot.append("MEMORY.md", "- 新朋友叫马克 🎈\n")
    page.evaluate("document.querySelector('form.step').requestSubmit()")
    expect(row(page, "新朋友叫马克")).to_be_visible()
    assert total(page) == shown(page) > before


def test_one_thumb_on_the_phone(window, page):
    window.look("light", PHONE)
    page.reload()
    row(page, EMOJI).get_by_role("link", name="Edit").click()
    page.get_by_label("Text of the fact").fill("🙂")
    page.get_by_role("button", name="Save").click()
    expect(row(page, "- 🙂")).to_be_visible()


def test_everything_without_scripts(windows, bot):
    page = windows(java_script_enabled=False).page
    page.goto(bot.at("prompt/"))
    page.get_by_label("Chat").fill(CHAT)
    page.get_by_role("button", name="Show").click()
    expect(row(page, "Über den Umzug")).to_be_visible()
    expect(page.get_by_role("button", name="Copy")).to_be_hidden()
    row(page, CHINESE).get_by_role("link", name="Edit").click()
    page.get_by_label("Text of the fact").fill("她不喝茶")
    page.get_by_role("button", name="Save").click()
    expect(row(page, "她不喝茶")).to_be_visible()
    assert bot.read() == MEMORY.replace(CHINESE, "她不喝茶")
    page.get_by_role("link", name="Plain text").click()
    page.wait_for_url("**/prompt/text*")
    expect(page.locator("body")).to_contain_text("她不喝茶")
