"""Every page in light and dark, on a desk and on a phone: readable, reachable, and quiet."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.site import Browsing
from tests.support.amounts import some

pytestmark = pytest.mark.browser
LONG_NAME = "a-session-with-a-name-that-nobody-would-choose-and-that-never-ends-0123456789-0123456789"
EVERY_FORM = """\
# A document with everything in it

Words, *emphasis*, **weight**, ~~gone~~, `code`, [a link](https://example.org/a/very/long/address/that/does/not/break/anywhere).

> Somebody said this.

- [x] done
- [ ] not done

1. First
2. Second

| a | table | with | many | columns | that | are | wide |
|---|---|---|---|---|---|---|---|
| 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8888888888888888888888888888888888888888 |

```
code that is so long that it would push a narrow page wide, if nobody had thought of it before it was too late
```

averyveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryverylongwordwithoutanybreakinit
"""
PAGES = {
    "documents-of-a-day": "documents/?day=2001-02-03",
    "document": f"documents/chats/{LONG_NAME}/MEMORY.md",
    "facts-of-a-document": f"facts/chats/{LONG_NAME}/MEMORY.md",
    "log": "documents/2001-02-03.md",
    "transcript": "documents/@sessions/telegram-48213377.jsonl",
    "not-utf8": "documents/2001-02-04.md",
    "new-document": "documents/chats/nobody/MEMORY.md",
    "compaction-of-one-kind": "compaction?fate=duplicate&scope=all",
    "compaction-empty": "compaction?retention_days=365&scope=chat:telegram-48213377",
    "compaction-refused": "compaction?retention_days=0",
}
# Those that test_every_page looks at with other things on them.
AGAIN = {
    "overview": "",
    "memory": "memory",
    "documents": "documents/",
    "facts": "facts/MEMORY.md",
    "compaction": "compaction",
    "history-of-memory": "history/MEMORY.md",
    "history": "history/",
    "settings": "settings",
}
LOOKED_AT = PAGES | dict(some(list(AGAIN.items()), 4))


def write_anew(page, text):
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


@pytest.fixture(scope="module")
def full(site):
    """A bot with a few weeks of memory, and with what real directories hold beside that."""
    bot = site.new_bot("full")
    bot.write(f"chats/{LONG_NAME}/MEMORY.md", EVERY_FORM)
    bot.write(
        "2001-02-03.md", f"# 2001-02-03\n\n## 09:00 — {'An entry without an end. ' * 20}\n\n## 10:00 — {'x' * 300}\n"
    )
    (bot.root / "2001-02-04.md").write_bytes(b"## 09:00 \xe2\x80\x94 Caf\xe9\n")
    (bot.root / "2001-02-05.md").mkdir()
    return bot


@pytest.fixture(scope="module")
def changes(full, browser, site, cookies):
    """Numbers of change sets: two edits of one line, a compaction that stands, one that was taken back."""
    window = Browsing.open(browser, site.url, storage_state=cookies)
    page, numbers = window.page, {}

    def number():
        return int(re.search(r"/(\d+)$", page.url)[1])

    for name, text in (("first", "- One way to say it\n"), ("second", "- Another way to say it\n")):
        page.goto(full.at("documents/chats/edited/MEMORY.md"))
        write_anew(page, text)
        page.get_by_role("button", name=re.compile("^Save")).click()
        expect(page.get_by_text("Saved chats/edited/MEMORY.md")).to_be_visible()
        page.goto(full.at("history/chats/edited/MEMORY.md"))
        page.locator(".rows a").first.click()
        page.wait_for_url("**/changes/*")
        numbers[name] = number()
    for name, chat in (("run", "telegram--1001982734650"), ("undone", "http-http-workshop")):
        page.goto(full.at(f"compaction?scope=chat:{chat}"))
        page.locator("#plan-head").get_by_role("button", name=re.compile("^Move ")).click()
        page.wait_for_url("**/compaction/*")
        numbers[name] = number()
    page.locator("main header.head").get_by_role("button", name="Undo", exact=True).click()
    page.wait_for_url("**/changes/*")
    numbers["taken back"] = number()
    window.close()
    return numbers


@pytest.mark.parametrize("place", LOOKED_AT.values(), ids=LOOKED_AT)
def test_page_of_a_full_bot(looking, full, changes, place):
    if "=0" in place:
        looking.expect_status(422)
    looking.page.goto(full.at(place))
    looking.inspect_in_every_look()


@pytest.mark.parametrize("name", ["first", "second", "run", "undone", "taken back"])
def test_page_of_a_change(looking, full, changes, name):
    looking.page.goto(full.at(f"changes/{changes[name]}"))
    looking.inspect_in_every_look()


@pytest.mark.parametrize("name", ["run", "undone"])
def test_page_of_a_run(looking, full, changes, name):
    looking.page.goto(full.at(f"compaction/{changes[name]}"))
    looking.inspect_in_every_look()


def test_page_that_says_what_stands_in_the_way_of_an_undo(window, full, changes):
    window.expect_status(409)
    window.page.goto(full.at(f"changes/{changes['second']}"))
    window.page.evaluate(
        "(address) => { const form = document.querySelector('form[action$=\"/undo\"]'); form.action = address; form.submit(); }",
        full.at(f"changes/{changes['first']}/undo"),
    )
    expect(window.page.get_by_role("heading", level=1)).to_have_text("This change couldn’t be undone")
    window.inspect_in_every_look()


def test_pages_of_a_file_that_moved_on(window, full):
    """As a whole page, which is what comes without JavaScript: asking, comparing, confirming."""
    window.expect_status(409)
    page, path = window.page, "chats/moved/MEMORY.md"
    full.write(path, "- Mine was made from this\n- And this stays\n")
    page.goto(full.at(f"documents/{path}"))
    write_anew(page, "- Mine says something else\n- And this stays\n")
    full.write(path, "- Theirs came first\n- And this stays\n")
    page.evaluate("document.getElementById('editor').submit()")
    expect(page.get_by_text("Something else wrote to this file while you were editing.")).to_be_visible()
    window.inspect_in_every_look()
    for button, words in (
        ("Compare", "The file now, and your text"),
        ("Keep mine", "Replace their version with yours?"),
    ):
        page.get_by_role("button", name=button).click()
        expect(page.get_by_text(words)).to_be_visible()
        window.inspect_in_every_look()


def test_pages_of_no_bot(looking):
    looking.expect_status(404)
    for address in ("/password", "/nowhere/at/all"):
        looking.page.goto(address)
        looking.inspect_in_every_look()


def test_ways_in(strangers, site):
    window = strangers()
    window.expect_status(410, 200)
    for address in ("/login", "/login?token=used", site.new_link()):
        window.page.goto(address)
        window.inspect_in_every_look()
    window.page.goto("/login")
    window.page.get_by_label("Username").fill("owner")
    window.page.get_by_label("Password").fill("not the one")
    window.page.get_by_role("button", name="Log in").click()
    expect(window.page.get_by_role("alert")).to_be_visible()
    window.inspect_in_every_look()
