"""A nanobot in a real browser: its entries read in every look, one reworded and taken back, in its own database."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import expect

from tests.dialects.nanobot import home

pytestmark = pytest.mark.browser
PLACES = (
    *("entries/?kind=decision", "entries/?q=nothing-like-it", "chats/telegram_123", "chats/telegram_123/transcript"),
    *("documents/", "facts/@database/telegram_123.jsonl", "prompt/?chat=telegram_123&q=which+database"),
    *("", "entries/", "chats/", "settings"),
)


@pytest.fixture(scope="module")
def there(site):
    workspace, file = home.make(site.folder / "kept" / ".nanobot")
    site.manage("add-bot", str(workspace), "--name", "Nano")
    return file


def contents(file):
    with closing(sqlite3.connect(file)) as rows:
        return [text for (text,) in rows.execute("SELECT content FROM memory_entries WHERE is_deleted = 0 ORDER BY id")]


def test_an_entry_is_reworded_in_the_database_and_it_is_taken_back(window, there):
    page, before = window.page, contents(there)
    page.goto("/nano/facts/@database/telegram_123.jsonl")
    row = page.locator(".fact, li", has_text="let's use Postgres for the shop").first
    expect(row).to_be_visible()
    row.get_by_role("link", name=re.compile("Edit")).or_(
        row.get_by_role("button", name=re.compile("Edit"))
    ).first.click()
    field = page.get_by_role("textbox").filter(has_text="Postgres")
    field.fill("let's use MariaDB for the shop")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".toast")).to_be_visible()
    assert "let's use MariaDB for the shop" in contents(there)
    page.get_by_role("button", name="Undo").first.click()
    expect(page.get_by_text(re.compile("^Undone: ")).first).to_be_visible()
    assert contents(there) == before


@pytest.mark.alike(first=7)  # test_nanobot_screens looks at the others
@pytest.mark.parametrize("place", PLACES)
def test_page_of_a_nanobot_in_every_look(window, there, place):
    window.page.goto(f"/nano/{place}")
    window.inspect_in_every_look()
