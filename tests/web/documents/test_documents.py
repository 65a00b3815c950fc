"""Other documents: what the bot keeps beside its days and chats, and what cannot be read."""

from __future__ import annotations

import os

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

PATTERNS = "procedural/patterns.json"
GOOD = '[\n  {"trigger": "deploy", "response": "ask"}\n]\n'


@pytest.fixture
def full(desk):
    desk.write("2026-01-01.md", "## 10:00 — a\n\n")
    desk.write("chats/telegram-1/2026-01-01.md", "## 10:00 — b\n\n")
    desk.write("chats/telegram-2/MEMORY.md", "- c\n")
    desk.write("working/telegram-1.md", "busy")
    desk.write("identity/soul.md", "# Soul\n")
    desk.write(PATTERNS, GOOD)
    desk.write("notes.txt", "nothing to a bot")
    desk.indexed()
    return desk


def listed(page, heading):
    box = page.soup.find(id=heading).find_parent("section")
    return [" ".join(row.get_text(" ").split()) for row in box.select("li")]


def test_own_documents_are_listed_with_what_they_are(full):
    page = full.get("documents/")
    own = listed(page, "h-own")
    assert [row.split()[0] for row in own] == ["MEMORY.md", "identity/soul.md", PATTERNS]
    assert "Who the bot is" in own[1]
    assert "How the bot reacts to triggers. JSON only." in own[2]
    assert "2 facts" in own[0]
    assert "MEMORY.md Compaction moves old facts here. 2 facts" in own[0], "what is read of it depends on the message"


def test_days_chats_and_the_like_are_a_line_each_with_a_way_there(full):
    page = full.get("documents/")
    assert listed(page, "h-elsewhere") == ["Days 1", "Chats 2", "Working memory 1"]
    for link in page.soup.find(id="h-elsewhere").find_parent("section").select("a"):
        assert full.client.get(link["href"]).status_code == 200


def test_files_of_others_are_counted(full):
    assert "1 unrecognised file. It was counted but not opened." in full.get("documents/").text
    full.write("more.txt", "x")
    full.indexed()
    assert "2 unrecognised files. They were counted but not opened." in full.get("documents/").text


def test_files_that_are_all_gone_stay_listed_until_somebody_says_that_it_was_meant(full):
    for path in [path for path in full.root.rglob("*") if path.is_file()]:
        path.unlink()
    for page in ("memory", "days/2026-01-01", "documents/identity/soul.md"):
        full.get(page)
    full.indexed()
    for page in ("", "documents/", "days/2026-01-01", "compaction"):
        button = full.get(page).soup.find(id="above").find("button", attrs={"name": "vanished"})
        assert button.get_text() == "I removed them; update the list", page
    page = full.get("documents/")
    assert [row.split()[0] for row in listed(page, "h-own")] == ["MEMORY.md", "identity/soul.md", PATTERNS]
    assert listed(page, "h-elsewhere") == ["Days 1", "Chats 2", "Working memory 1"]
    full.post("step", vanished="yes")
    assert full.get("documents/").soup.find(id="h-elsewhere") is None
    assert full.get("").soup.find(id="above").find("button") is None


def test_missing_long_term_memory_is_offered(desk):
    (desk.root / "MEMORY.md").unlink()
    page = desk.get("documents/")
    assert "Not created yet. The bot creates it, or you can." in page.text
    assert page.link("MEMORY.md") == f"/{desk.bot.slug}/memory"


def test_what_cannot_be_read_comes_first_with_the_reason(full):
    (full.root / "2026-01-01.md").unlink()
    os.mkfifo(full.root / "2026-01-01.md")
    full.indexed()
    page = full.get("documents/")
    (row,) = listed(page, "h-unreadable")
    assert row.startswith("2026-01-01.md")
    assert len(row) > len("2026-01-01.md unreadable")
    assert page.soup.find("section")["id"] == "unreadable"
    assert "1 file can’t be read" in full.get().text


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("SOUL", ["identity/soul.md"]),
        ("telegram-1", ["chats/telegram-1/2026-01-01.md", "working/telegram-1.md"]),
        ("%", []),
        ("nowhere", []),
    ],
)
def test_documents_are_found_by_their_names(full, query, found):
    page = full.get("documents/", q=query)
    assert [link.get_text() for link in page.soup.select("#live li a.mono")] == found
    assert ("No matching files" in page.text) == (not found)


@pytest.mark.parametrize("query", ["\x00", "<b>", "'", "a" * 300, "\ud800"])
def test_odd_searches_find_nothing_and_break_nothing(full, query):
    page = full.get("documents/", q=query.encode("utf-8", "replace").decode())
    assert page.status == 200
    assert page.soup.select("#live b") == []


def test_long_lists_come_in_pages(full):
    for number in range(70):
        full.write(f"identity/{number:03}.md", "x")
    full.indexed()
    page = full.get("documents/", q="identity/")
    assert "71 files match “identity/”" in page.text
    after = full.get("documents/" + page.link("Next"))
    assert len(after.soup.select("#live li")) == 21


def test_statements_do_not_grow_with_the_documents(full):
    def statements():
        with CaptureQueriesContext(connection) as queries:
            full.get("documents/")
        return len(queries)

    few = statements()
    for number in range(60):
        full.write(f"chats/http-{number}/2026-01-01.md", "## 10:00 — a\n\n")
        full.write(f"identity/{number}.md", "x")
    full.indexed()
    assert statements() == few


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[\n  {"trigger": "deploy"\n  "response": 1}\n]\n', "Line 3, column 3 isn’t valid JSON"),
        ("", "Line 1, column 1 isn’t valid JSON"),
        ("[" * 100_000, "This isn’t valid JSON for the bot."),
    ],
)
def test_json_that_is_none_is_not_saved_and_the_place_is_named(full, text, told):
    page = full.save(text, path=PATTERNS)
    assert told in page.text
    assert "Nothing was saved." in page.text
    assert page.field == text
    assert full.read(PATTERNS) == GOOD


def test_json_is_saved_as_it_was_typed(full):
    text = '[\n  {"trigger": "deploy", "response": "wait"}\n]\n'
    full.save(text, path=PATTERNS)
    assert full.read(PATTERNS) == text
