"""What is held is reviewed: by keys alone, without JavaScript, and by two people."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
LOG = "2026-03-04.md"
TAGS = "<memory>Likes tea</memory><memory>Lives in Porto</memory><memory>Has a cat</memory><memory>Plays chess</memory>"


@pytest.fixture
def bot(site, request, window):
    """A bot that holds what its deliveries say, with one that says four things."""
    bot = site.new_bot(request.node.name.replace("_", "-")[5:45], with_sample=False)
    bot.write("MEMORY.md", "# Memory\n\n- Older than all of this\n")
    window.page.goto(bot.at("webhooks/settings"))
    window.page.get_by_label("Facts from deliveries").select_option("ask")
    window.page.get_by_role("button", name="Save").click()
    expect(window.page.get_by_text("Settings saved")).to_be_visible()
    deliver(site, bot, TAGS)
    return bot


def deliver(site, bot, response, **fields):
    file = site.folder / f"{bot.slug}-turn.json"
    turn = {
        "session_id": "telegram-42",
        "message": "Hello",
        "response": response,
        "at": "2026-03-04T05:06:07Z",
        **fields,
    }
    file.write_text(json.dumps(turn))
    return site.manage("--bot", bot.slug, "turn", str(file))


def reviewing(page, bot):
    """The page that Home's row leads to."""
    page.goto(bot.at())
    page.locator("main li").filter(has_text="held").get_by_role("link", name="Review").click()
    expect(page.get_by_role("heading", name="Held for review", level=1)).to_be_visible()
    return page


def test_review_by_keys_alone(bot, site, window):
    page = window.page
    page.goto(bot.at())
    expect(page.get_by_text("4 facts are held for review")).to_be_visible()
    assert "MEMORY.md" in bot.files()
    assert LOG not in bot.files()
    reviewing(page, bot)
    page.keyboard.press("j")
    page.keyboard.press("a")
    expect(page.get_by_text("1 accepted.")).to_be_visible()
    assert bot.read(LOG) == "## 05:06 — Likes tea\n\n"
    expect(page.locator("#p-2")).to_be_focused()
    page.keyboard.press("r")
    expect(page.get_by_text("1 rejected. No file was changed.")).to_be_visible()
    expect(page.locator("#p-3")).to_be_focused()
    page.keyboard.press("j")
    expect(page.locator("#p-4 :focus")).to_have_count(1)
    page.keyboard.press("k")
    page.keyboard.press("e")
    field = page.locator("#text-3")
    expect(field).to_be_focused()
    field.fill("Has two cats")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 accepted.")).to_be_visible()
    assert bot.read(LOG) == "## 05:06 — Likes tea\n\n## 05:06 — Has two cats\n\n"
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator("#p-2 .chip")).to_contain_text("rejected by")
    assert bot.read(LOG) == "## 05:06 — Likes tea\n\n"
    expect(page.locator("#p-4").get_by_role("button", name="Accept")).to_be_visible()


def test_review_without_javascript(bot, site, strangers, cookies):
    page = strangers(java_script_enabled=False, storage_state=cookies).page
    reviewing(page, bot)
    page.locator("#p-1").get_by_role("button", name="Reject").click()
    expect(page.get_by_text("1 rejected.")).to_be_visible()
    page.locator("#p-2 summary").click()
    page.locator("#text-2").fill("Lives in Lisbon")
    page.locator("#p-2").get_by_role("button", name="Save and accept").click()
    expect(page.get_by_text("1 accepted.")).to_be_visible()
    page.get_by_role("button", name="Accept 2 facts").click()
    expect(page.get_by_text("All reviewed")).to_be_visible()
    assert bot.read(LOG) == "## 05:06 — Lives in Lisbon\n\n## 05:06 — Has a cat\n\n## 05:06 — Plays chess\n\n"
    page.locator("#p-1").get_by_role("link", name="Delivery from telegram-42").click()
    expect(page.get_by_text("rejected by you")).to_be_visible()


def test_of_two_people_one_decides_and_the_other_is_told(bot, site, window, strangers, cookies):
    mine, theirs = window.page, strangers(storage_state=cookies).page
    for page in (mine, theirs):
        reviewing(page, bot)
    theirs.locator("#p-1 summary").click()
    theirs.locator("#text-1").fill("Likes coffee")
    mine.locator("#p-1").get_by_role("button", name="Accept").click()
    expect(mine.get_by_text("1 accepted.")).to_be_visible()
    theirs.locator("#p-1").get_by_role("button", name="Save and accept").click()
    expect(theirs.get_by_text("already edited or reviewed")).to_be_visible()
    assert bot.read(LOG) == "## 05:06 — Likes tea\n\n"


def test_a_large_removal_waits_with_its_difference(bot, site, window):
    page = window.page
    (bot.root / "chats/telegram-42").mkdir(parents=True)
    bot.write("chats/telegram-42/context.md", "".join(f"- Fact number {number}\n" for number in range(10)))
    told = deliver(site, bot, "<chat-context>- Fact number 1</chat-context>", message="Tidy up")
    assert told["status"] == "held"
    page.goto(bot.at())
    expect(page.get_by_text("wants to remove much of a file")).to_be_visible()
    reviewing(page, bot)
    row = page.locator("#p-5")
    expect(row).to_contain_text("Removes 9 of 10 facts")
    page.get_by_role("button", name="Accept 4 facts").click()
    expect(page.get_by_text("4 accepted.")).to_be_visible()
    assert bot.read("chats/telegram-42/context.md").count("Fact number") == 10
    row.get_by_role("button", name="Accept").click()
    expect(page.get_by_text("All reviewed")).to_be_visible()
    assert bot.read("chats/telegram-42/context.md") == "- Fact number 1"
