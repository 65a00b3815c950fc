"""Text that would like to run, in files, their names, chats, a bot's name, the history: it is shown and does nothing."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from memory.dialects.kenobot import sample
from tests.browser.site import Browsing, unmoved

pytestmark = pytest.mark.browser
RUNS = "window.ran=(window.ran||0)+1"
SCRIPT = f"<script>{RUNS}</script>"
IMAGE = f'<img src=x onerror="{RUNS}">'
LINK = f"[a link](javascript:{RUNS}) <a href='javascript:{RUNS}' onclick='{RUNS}'>another</a>"
BREAKOUT = f"</textarea></title></script>\"'><svg onload='{RUNS}'></svg>{{{{ 7|add:7 }}}}"
ALL = f"{SCRIPT} {IMAGE} {LINK} {BREAKOUT}"
NAME = "\"'><img src=x onerror=window.ran=1>&javascript:{{7}}"  # as much as a file name can hold
CHAT = f"chats/{NAME}"
BROKEN = f"chats/broken {NAME}/2001-02-04.md"  # a directory named like a log
OLD = "2001-02-03"
HARM = """() => {
  const all = [...document.querySelectorAll("*")];
  const leads = (name) => ["href", "src", "action", "formaction", "xlink:href"].includes(name);
  const runs = ({name, value}) => /^on/i.test(name) || (leads(name) && /^\\s*(javascript|data):/i.test(value));
  const ours = (one) => one.src.startsWith(`${location.origin}/static/`) || one.type === "application/json";
  return {
    ran: window.ran ?? null,
    runs: all.filter((one) => [...one.attributes].some(runs)).map((one) => one.outerHTML),
    scripts: [...document.scripts].filter((one) => !ours(one)).map((one) => one.outerHTML),
    images: document.images.length,
  };
}"""
HARMLESS = {"ran": None, "runs": [], "scripts": [], "images": 0}
PLACES = (
    "",
    "memory",
    "facts/MEMORY.md",
    "history/MEMORY.md",
    "documents/",
    f"documents/?day={quote(ALL)}",
    f"documents/{CHAT}/MEMORY.md",
    f"facts/{CHAT}/MEMORY.md",
    f"history/{CHAT}/MEMORY.md",
    f"facts/{OLD}.md",
    f"documents/working/{NAME}.md",
    f"documents/@sessions/{NAME}.jsonl",
    f"documents/{BROKEN}",
    "compaction?scope=all",
    "history/",
    "compaction",
    f"compaction?scope=chat:{quote(NAME)}",
    f"compaction?retention_days={quote(SCRIPT)}",
    "settings",
    f"documents/{NAME}",
)


@pytest.fixture(scope="module")
def bot(site, cookies, browser):
    """A bot to whom everybody said only such things, and that was edited, compacted and undone since."""
    bot = site.new_bot("hostile", with_sample=False, name=ALL[:100])
    bot.write("MEMORY.md", f"# {ALL}\n\n- {ALL}\n\n{ALL}\n\n```\n{ALL}\n```\n\n| {SCRIPT} |\n|-|\n| {IMAGE} |\n")
    bot.write(f"{CHAT}/MEMORY.md", f"- {ALL}\n")
    bot.write(f"{CHAT}/{OLD}.md", f"## 09:00 — {ALL}\n{ALL}\n")
    bot.write(f"{OLD}.md", f"# {ALL}\n\n## 09:00 — {ALL}\n- {ALL}\n\n## 10:00 — {SCRIPT}\n\n{ALL}\n")
    bot.write(f"working/{NAME}.md", ALL)
    (bot.root / BROKEN).mkdir(parents=True)
    turns = [{"role": role, "content": ALL, "timestamp": 981190800000} for role in ("user", "assistant", ALL)]
    bot.write(f"../sessions/{NAME}.jsonl", "".join(json.dumps(turn) + "\n" for turn in turns))
    window = Browsing.open(browser, site.url, storage_state=cookies)
    window.expect_status(409)
    page = window.page
    page.route("**/moved/**", unmoved)
    page.goto(bot.at())
    bot.append("MEMORY.md", f"\n- {ALL} from outside\n")
    page.goto(bot.at("memory"))
    expect(page.locator("#dirty")).to_contain_text("No unsaved changes")
    for path in ("MEMORY.md", f"{CHAT}/MEMORY.md"):
        page.goto(bot.at(f"documents/{path}"))
        expect(page.locator("#dirty")).to_contain_text("No unsaved changes")
        page.locator(".cm-content").click()
        page.keyboard.press("Control+End")
        page.keyboard.insert_text(f"\n- {ALL}\n")
        page.get_by_role("button", name="Review changes").click()
        expect(page.locator("#review tr:visible", has_text="<script>").first).to_be_visible()
        bot.write(path, f"- {ALL} of another\n{bot.read(path)}")
        page.get_by_role("button", name=re.compile("^Save")).click()
        page.locator("#bar").get_by_role("button", name="Compare").click()
        expect(page.locator("#bar tr:visible", has_text="of another").first).to_be_visible()
        assert page.evaluate(HARM) == HARMLESS
        page.get_by_role("button", name="Merge and save").click()
        expect(page.get_by_role("status").filter(has_text=f"Saved {path}")).to_be_visible()
        assert page.evaluate(HARM) == HARMLESS
    page.goto(bot.at(f"compaction?scope=chat:{quote(NAME)}"))
    page.locator("#plan-head .filled").click()
    page.wait_for_url("**/compaction/*")
    assert page.evaluate(HARM) == HARMLESS
    window.close()
    return bot


@pytest.mark.parametrize("place", PLACES, ids=range(len(PLACES)))
def test_page_shows_hostile_text_and_runs_none_of_it(window, bot, place):
    window.expect_status(404, 422)
    page = window.page
    status = page.goto(bot.at(place)).status
    assert page.evaluate(HARM) == HARMLESS
    if status != 404:
        expect(page.get_by_role("complementary", name="Bot")).to_contain_text(f"{SCRIPT} {IMAGE}")


def test_every_change_shows_hostile_text_and_runs_none_of_it(window, bot):
    page = window.page
    page.goto(bot.at("history/"))
    addresses = page.locator(".rows a[href*='/changes/']").evaluate_all("(all) => all.map((one) => one.href)")
    assert len(addresses) >= 4
    for address in {*addresses, *(one.replace("/changes/", "/compaction/") for one in addresses)}:
        page.goto(address)
        assert page.evaluate(HARM) == HARMLESS, address


def test_links_of_hostile_text_lead_nowhere(window, bot):
    page = window.page
    page.goto(bot.at("memory"))
    expect(page.locator("#preview")).to_contain_text("a link")
    for name in ("a link", "another"):
        page.locator("#preview").get_by_text(name).first.click()
    assert page.evaluate(HARM) == HARMLESS
    assert page.url.endswith("/memory")


def test_admin_shows_hostile_text_and_runs_none_of_it(window, bot):
    page = window.page
    for name in ("bot", "changeset", "delivery", "job"):
        page.goto(f"/admin/memory/{name}/")
        found = page.evaluate(HARM)
        assert (found["ran"], found["runs"]) == (None, []), name


def test_turn_with_hostile_text_shows_it_under_changes(site, window):
    page = window.page
    site.turn(chat_id=NAME, message=ALL, response=f"{ALL}<memory>{ALL}</memory><working-memory>{ALL}</working-memory>")
    page.goto(site.bot.at())
    changes = page.get_by_role("region", name="Changes", exact=True)
    expect(changes.get_by_role("listitem").filter(has_text="<script>window.ran").first).to_be_visible()
    assert page.evaluate(HARM) == HARMLESS
    page.goto(site.bot.at("chats/"))
    assert page.evaluate(HARM) == HARMLESS
    assert sample.INES in page.content()
