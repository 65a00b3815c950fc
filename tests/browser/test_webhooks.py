"""Webhooks in the browser: samples that work when pasted, a list that renews itself, everything readable without scripts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from tests.browser.site import settled
from tests.support.amounts import some

pytestmark = pytest.mark.browser

PROGRAMS = {"sh": ["sh"], "python": [sys.executable, "-"], "js": ["node", "-"]}
PLACES = ("", "secrets", "refused", "try")


def make_secret(page, bot, name="Test"):
    """A new secret of a bot, by hand; its text as the page shows it."""
    page.goto(bot.at("webhooks/secrets"))
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Create secret").click()
    return page.get_by_label("Secret", exact=True).input_value()


@pytest.mark.parametrize("fence", PROGRAMS)
def test_samples_work_when_pasted(site, window, fence):
    program = PROGRAMS[fence]
    needed = [program[0], *(["openssl", "curl", "od"] if fence == "sh" else [])]
    if missing := [name for name in needed if not shutil.which(name)]:
        pytest.skip(f"{', '.join(missing)} is not on this machine")
    bot = site.new_bot(f"pasted-{fence}", with_sample=False)
    secret = make_secret(window.page, bot)
    window.page.goto(bot.at("webhooks/try"))
    for form in ("body", "standard"):
        text = window.page.locator(f"[data-sample={form}-{fence}] code").text_content()
        environment = {"PATH": os.environ["PATH"], "WEBHOOK_SECRET": secret}
        done = subprocess.run(program, input=text, capture_output=True, text=True, timeout=30, env=environment)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["stored"]["memories"] == 1
        (log,) = bot.root.glob("2*.md")
        assert "Likes tea" in log.read_text()
        log.unlink()


def test_list_renews_itself_and_keeps_the_focus(site, window):
    site.turn(message="hello", response="one", chat_id="focus-1")
    page = window.page
    page.clock.install()
    page.goto(site.bot.at("webhooks/"))
    link = page.locator(".calls .clock").first
    link.focus()
    kept = link.get_attribute("id")
    site.turn(message="hello", response="two", chat_id="focus-2")
    page.clock.run_for(11_000)  # it asks every ten seconds
    page.get_by_text("http-focus-2").wait_for()
    expect(page.locator(":focus")).to_have_attribute("id", kept)


def test_pages_can_be_read_in_every_look(site, window):
    answer = site.turn(message="<b>hello", response=f"ok <memory>{'x' * 300} </memory>", chat_id="y" * 200)
    assert answer["status"] == "ok"
    for place in some(PLACES, 4):
        window.page.goto(site.bot.at(f"webhooks/{place}"))
        window.inspect_in_every_look()
    window.page.goto(site.bot.at("webhooks/"))
    window.page.locator(".calls .clock").first.click()
    window.page.get_by_role("heading", name="Stored").wait_for()
    window.inspect_in_every_look()


def test_secret_is_made_replaced_and_revoked_without_scripts(site, windows):
    page = windows(java_script_enabled=False).page
    bot = site.new_bot("scriptless", with_sample=False)
    secret = make_secret(page, bot)
    assert secret.startswith("whsec_")
    settled(page)
    expect(page.get_by_role("button", name="Copy")).to_have_count(0)
    page.goto(bot.at("webhooks/secrets"))
    page.get_by_role("button", name="Replace Test").click()
    assert page.get_by_label("Secret", exact=True).input_value() != secret
    page.goto(bot.at("webhooks/secrets"))
    page.get_by_role("button", name="Revoke Test", exact=True).click()
    expect(page.locator(".secrets").get_by_text("active", exact=True)).to_have_count(1)


def test_test_is_sent_seen_and_undone(site, window):
    page = window.page
    bot = site.new_bot("tried", with_sample=False)
    make_secret(page, bot)
    page.goto(bot.at("webhooks/try"))
    page.get_by_role("link", name="Use a reply with a fact to store").click()
    page.get_by_role("button", name="Send a test").click()
    page.locator("#outcome").get_by_text("1 fact").wait_for()
    expect(page.locator("#outcome")).to_be_focused()
    (log,) = bot.root.glob("2*.md")
    assert "Tested the webhook" in log.read_text()
    page.get_by_role("button", name="Undo what it stored").click()
    page.get_by_text("no longer there").wait_for()
    assert list(bot.root.glob("2*.md")) == []
