"""What compaction put away: listed, opened and found like any document, and named for what it is."""

from __future__ import annotations

import pytest

from memory import index

ARCHIVE = "# Archive\n\n- 2026-01-12 09:01 — It rained on the zeppelin\n"


@pytest.fixture
def archived(desk):
    for path in ("archive.md", "chats/telegram-1/archive.md"):
        target = desk.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(ARCHIVE, encoding="utf-8")
    index.refresh(desk.bot)
    return desk


def test_it_is_among_the_documents_and_says_what_it_is(archived):
    page = archived.get("documents/")
    assert "archive.md" in page.text
    opened = archived.get("documents/archive.md")
    assert opened.status == 200
    assert "It rained on the zeppelin" in opened.field
    assert "Archive" in opened.text


def test_a_chat_s_archive_opens_and_its_facts_are_rows(archived):
    assert archived.get("documents/chats/telegram-1/archive.md").status == 200
    facts = archived.get("facts/archive.md")
    assert facts.status == 200
    assert "It rained on the zeppelin" in facts.text


def test_it_is_found_and_can_be_left_out(archived):
    hit = archived.get("search/", q="zeppelin kind:archive").soup.select_one(".hits > li")
    assert "It rained on the zeppelin" in hit.get_text()
    assert hit.select_one(".chip").get_text() == "archived, never loaded"
    hits = archived.get("search/", q="zeppelin -kind:archive").soup.select(".hit, .rows > li")
    assert not any("It rained" in hit.get_text() for hit in hits)


def test_it_is_not_in_the_prompt(archived):
    page = archived.get("prompt/", chat="telegram-1", q="zeppelin")
    assert page.status == 200
    assert "It rained" not in page.text
