"""A site that somebody lives with: chats are called by name, a call was refused, something was edited, compacted and undone."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from memory.dialects.kenobot.sample import FAMILY, INES, SHOP
from tests.browser.site import Browsing

CALLS = (
    ("48213377", "Tomás has his dates: the 3rd to the 17th.", "Tomás is free from the 3rd to the 17th of April"),
    ("-1001982734650", "Who brings the chairs?", "Cousin Rita brings six folding chairs to the lunch"),
    ("48213377", "Thanks!", ""),
)
EDIT = "- The truing stand has a new dial gauge since the spring."
TWICE = "Rodas do Norte delivers on Thursdays"
CONTEXT = "Ines writes from her phone, often from the workshop's door.\n"


@dataclass(frozen=True)
class Lived:
    """What happened, by number, and the days that have something to show."""

    edit: int
    undo: int
    run: int
    delivery: int
    person: int
    secret: int
    planned: int
    blocked: int
    running: int
    removed: str
    token: str
    today: str
    old: str


NOTHING = Lived(0, 0, 0, 0, 0, 0, 0, 0, 0, "", "", "", "")


def days_ago(days):
    return (datetime.now(UTC) - timedelta(days=days)).date().isoformat()


def live(site, browser, cookies, folder):
    """Some days of somebody's work with the bot that the environment names; what came of it."""
    bot = site.bot
    bot.write(f"chats/{INES}/context.md", CONTEXT)
    bot.write(
        f"{days_ago(9)}.md", bot.read(f"{days_ago(9)}.md") + "".join(f"## 1{n}:00 — {TWICE}\n\n" for n in range(1, 6))
    )
    window = Browsing.open(browser, site.url, storage_state=cookies)
    page = window.page
    for chat, name in ((INES, "Ines"), (FAMILY, "Family")):
        page.goto(bot.at(f"chats/{chat}"))
        page.get_by_text("Add a name").click()
        page.get_by_label("Name").fill(name)
        page.get_by_role("button", name="Save name").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
    person = invited(page)
    for chat, message, fact in CALLS:
        reply = f"Noted.<memory>{fact}</memory>" if fact else "You are welcome."
        site.turn(channel="telegram", chat_id=chat, message=message, response=reply)
    refused(site)
    found = Lived(
        edit=edited(page, bot),
        undo=taken_back(page, bot),
        run=compacted(page, bot),
        delivery=number(page, bot.at("webhooks/"), ".calls .clock"),
        person=person,
        secret=secret(page, bot),
        **jobs(site),
        removed=removed(page, site),
        token=sent(page, bot, folder),
        today=days_ago(0),
        old=days_ago(9),
    )
    window.close()
    return found


def number(page, address, link):
    """The number at the end of where the first such link of a page leads."""
    page.goto(address)
    return int(re.search(r"(\d+)$", page.locator(link).first.get_attribute("href"))[1])


def invited(page):
    page.goto("/people/")
    page.get_by_label("Login").fill("tomas")
    page.locator("main [name=name]").fill("Tomás")
    page.get_by_role("button", name="Add and create link").click()
    expect(page.get_by_label("Login link")).to_be_visible()
    page.goto("/people/")
    return int(re.search(r"(\d+)$", page.get_by_role("link", name="Tomás").get_attribute("href"))[1])


def refused(site):
    body, headers = b'{"message": "hello"}', {"X-Webhook-Signature": "sha256=" + "0" * 64}
    with pytest.raises(urllib.error.HTTPError, match="401") as refusal:
        urllib.request.urlopen(urllib.request.Request(f"{site.url}/webhook", body, headers), timeout=10)
    refusal.value.close()


def edited(page, bot):
    page.goto(bot.at("memory"))
    page.locator(".cm-line", has_text="The truing stand needs").click()
    page.keyboard.press("Home")
    page.keyboard.press("Shift+End")
    page.keyboard.insert_text(EDIT)
    page.get_by_role("button", name=re.compile("^Save")).click()
    expect(page.get_by_text("Saved MEMORY.md")).to_be_visible()
    return number(page, bot.at("history/MEMORY.md"), "main .rows a")


def taken_back(page, bot):
    page.goto(bot.at("days/today"))
    page.get_by_label("Add a fact to today").fill("Something that was a mistake")
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.get_by_text(re.compile("^Undone: ")).first).to_be_visible()
    return number(page, bot.at("history/"), "main .rows a")


def compacted(page, bot):
    page.goto(bot.at(f"compaction?scope=chat:{SHOP}"))
    page.get_by_role("button", name=re.compile("^Move .* facts?,?")).click()
    page.wait_for_url("**/compaction/*")
    return int(page.url.rpartition("/")[2])


def secret(page, bot):
    page.goto(bot.at("webhooks/secrets"))
    page.get_by_label("Name").fill("The workshop's laptop")
    page.get_by_role("button", name="Create secret").click()
    expect(page.get_by_label("Secret", exact=True)).to_be_visible()
    page.goto(bot.at("webhooks/secrets"))
    return int(re.search(r"secrets/(\d+)/", page.content())[1])


def jobs(site):
    """Jobs by number: one waits for somebody, one would have lost something, one is under way for as long as the site is."""
    return json.loads(site.run("shell", "--verbosity", "0", "-c", "from tests.browser.lived import make; make()"))


def make():
    """In a process of the site's own: jobs as a worker would have left them."""
    from memory.models import Bot, Fact
    from tests.web.jobs.made_jobs import job, propose, source

    bot = Bot.objects.get(slug="kenobot")
    first, second, third, *_more = map(source, Fact.objects.filter(bot=bot).select_related("document")[:9])
    planned = job(bot, "planned")
    propose(planned, "merge", [first, second], text=f"{first['text']}; {second['text']}", path="MEMORY.md")
    propose(
        planned, "supersede", [second], newer=third, flags=["The newer fact is older than the one that it supersedes."]
    )
    propose(planned, "archive", [third], path="archive.md")
    propose(planned, "keep", [first], path="MEMORY.md", state="refused")
    blocked = job(bot, "failed", trouble="The model’s plan would lose 1 fact. Nothing was changed.")
    propose(blocked, "merge", [first, second], text="Both.", state="blocked", losses=["Nothing of it is in the line."])
    much = {"done": 12, "total": 40, "doing": "Asking about part 13 of 40", "lease": timezone.now() + timedelta(days=1)}
    running = job(bot, "running", **much)
    job(
        bot,
        "queued",
        ago=0,
        run_after=timezone.now() + timedelta(days=1),
        attempt=1,
        trouble="The language model is busy.",
    )
    print(json.dumps({"planned": planned.pk, "blocked": blocked.pk, "running": running.pk}))


def removed(page, site):
    other = site.new_bot("old-bot", name="Old bot")
    page.goto(f"/bots/{other.slug}/remove")
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.get_by_role("heading", name="Removed")).to_be_visible()
    return other.slug


def sent(page, bot, folder):
    """The token of an import that waits to be decided."""
    page.goto(bot.at("export"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Download ZIP").click()
    download.value.save_as(folder / "export.zip")
    bot.write(f"{days_ago(3)}.md", "## 09:15 — Something else altogether\n\n")
    page.goto(bot.at("export"))
    page.get_by_label("Kenoweb export").set_input_files(folder / "export.zip")
    page.get_by_role("button", name="Preview import").click()
    page.wait_for_url("**/import/*")
    return page.url.rpartition("/")[2]
