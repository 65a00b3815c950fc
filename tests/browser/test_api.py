"""The API in the browser: a token that works when pasted, and the page that lists every call."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def make_token(page, bot, name="Test", scope="read"):
    """A new token of a bot, by hand; its text as the page shows it."""
    page.goto(bot.at("api"))
    page.get_by_label("Name").fill(name)
    page.get_by_label("Access").select_option(scope)
    page.get_by_role("button", name="Create API key").click()
    return page.get_by_label("API key", exact=True).input_value()


def test_the_sample_works_when_pasted(site, window):
    if not shutil.which("curl"):
        pytest.skip("curl is not on this machine")
    bot = site.new_bot("called")
    token = make_token(window.page, bot, "Pasted")
    window.inspect()
    sample = window.page.get_by_label("Try it in a terminal").input_value()
    assert shlex.split(sample)[2] == f"Authorization: Bearer {token}"
    done = subprocess.run(["sh", "-c", sample], capture_output=True, text=True, timeout=30)
    assert "MEMORY.md" in {one["path"] for one in json.loads(done.stdout)["documents"]}, done.stderr
    window.page.get_by_role("link", name="Done", exact=True).click()
    expect(window.page.locator(".tokens")).to_contain_text(re.compile(r"Last used (just now|\d+ min ago)"))


def test_calls_are_listed_and_their_samples_work_when_pasted(site, window):
    bot = site.new_bot("sampled")
    page = window.page
    token = make_token(page, bot, "Tried")
    page.goto("/api/v1/docs")
    for name in ("list_bots", "list_facts", "search_facts", "fetch_prompt", "plan_compaction", "list_changes"):
        call = page.locator(f"#{name}")
        call.locator("summary").click()
        if shutil.which("curl"):
            told = {**os.environ, "TOKEN": token, "BOT": bot.slug, "KENOWEB": site.url}
            sample = call.locator("pre").inner_text().replace("--json", "-H 'Content-Type: application/json' -d")
            done = subprocess.run(["sh", "-c", sample], capture_output=True, text=True, timeout=30, env=told)
            assert "error" not in json.loads(done.stdout), sample
    for scheme, width in (("light", 1280), ("dark", 360)):
        window.look(scheme, width)
        window.inspect()


def test_prompts_that_were_fetched_fold_out_by_keyboard(site, window):
    bot = site.new_bot("fetched")
    page = window.page
    token = make_token(page, bot, "Fetcher")
    sent = {"data": {"query": "What do I like?"}, "headers": {"Authorization": f"Bearer {token}"}}
    assert page.request.post(f"/api/v1/bots/{bot.slug}/prompt", **sent).status == 200
    page.goto(bot.at("api"))
    row = page.locator(".loaded > li").first
    expect(row).to_contain_text("What do I like?")
    row.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(row.get_by_text("MEMORY.md unchanged")).to_be_visible()
    window.inspect()
