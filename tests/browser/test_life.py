"""A fact is followed from where it was said to where it went, and brought back from there."""

from __future__ import annotations

import os
import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
SAID = "Keeps bees on the roof"


def row(page, text):
    return page.locator(".facts > li[data-row]", has_text=text)


def test_fact_is_followed_through_its_life_and_back(window, site):
    bot = site.new_bot("bees")
    bot.append("MEMORY.md", f"\n- {SAID}\n")
    page = window.page
    page.goto(bot.at("facts/MEMORY.md"))
    row(page, SAID).get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", name="History of this fact")).to_be_visible()
    page.get_by_label("Text of the fact").fill("Keeps three hives of bees on the roof")
    page.get_by_role("button", name="Save").click()
    row(page, "three hives").get_by_role("link", name="History").click()
    expect(page.locator("#life li")).to_have_count(2)
    window.inspect_in_every_look()
    _picture(page, "life")
    address = page.url
    page.goto(bot.at("documents/MEMORY.md"))
    page.get_by_role("link", name="Who wrote what").click()
    expect(page.locator(".blame > li", has_text="three hives")).to_contain_text("you")
    window.inspect_in_every_look()
    _picture(page, "blame")
    page.goto(address)
    page.locator("form").get_by_role("button", name="Forget").click()
    expect(page.locator(".toast")).to_contain_text("Forgot")
    page.goto(bot.at("trash"))
    row(page, "three hives").get_by_role("link", name="History").click()
    expect(page.locator("#life")).to_contain_text("no longer in memory")
    expect(page.locator("#life li").last).to_contain_text("Forgotten")
    window.inspect_in_every_look()
    _picture(page, "gone")
    page.locator("#life").get_by_role("button", name="Restore").click()
    expect(page.locator(".toast")).to_contain_text("1 fact restored")
    page.goto(re.sub(r"#.*", "", address))
    expect(page.locator("#life li").last).to_contain_text("Restored")
    assert "- Keeps three hives of bees on the roof" in bot.read()
    window.checked()


def _picture(page, name):
    if folder := os.environ.get("LIFE_PICTURES"):
        for scheme in ("light", "dark"):
            for width in (1366, 360):
                page.emulate_media(color_scheme=scheme)
                page.set_viewport_size({"width": width, "height": 650})
                page.screenshot(path=f"{folder}/{name}-{scheme}-{width}.png", full_page=True)
