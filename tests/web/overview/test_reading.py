"""The first look at a large memory: a page that stands at once, says how far it is, and gives way to Home."""

from __future__ import annotations

import shutil

import pytest

from memory import index
from memory.models import Document
from memory.web.overview import views


@pytest.fixture
def large(desk, monkeypatch):
    monkeypatch.setattr(views, "FILES", 10)
    for number in range(1, 12):
        desk.write(f"2026-03-{number:02}.md", f"## 10:00 — Fact {number}\n\n")
    return desk


def ask(desk):
    """What the page asks each second."""
    headers = {"HX-Request": "true", "HX-Trigger": "reading"}
    return desk.client.get(f"/{desk.bot.slug}/", headers=headers)


def test_a_large_memory_is_read_beside_the_page(large):
    page = large.get()
    assert "Reading 12 files …" in page.text
    assert not Document.objects.exists(), "nobody waits for it"
    assert page.soup.select_one("progress")["value"] == "0"
    assert "HX-Refresh" not in ask(large).headers
    large.step()
    assert ask(large).headers["HX-Refresh"] == "true"
    assert "12 files" in large.get().text


def test_without_script_the_next_page_reads_it(large):
    refresh = large.get().soup.select_one("noscript meta")["content"]
    assert refresh == "1; url=?read=1"
    assert large.get("?read=1").soup.select_one(".strip") is not None
    assert Document.objects.count() == 12


def test_a_small_memory_is_read_at_once(desk):
    assert desk.get().soup.select_one("#reading") is None
    assert Document.objects.count() == 1


@pytest.mark.parametrize("is_empty", [False, True])
def test_any_page_says_that_the_files_are_read_until_they_are(desk, is_empty):
    if is_empty:
        (desk.root / "MEMORY.md").unlink()
    unread = desk.get("documents/")
    assert unread.soup.select_one("#unread:not([hidden])").get_text() == "Reading the files …"
    stated = {"seen": unread.soup.find("input", {"name": "seen"})["value"]}
    told = desk.client.post(f"/{desk.bot.slug}/step", stated, headers={"HX-Request": "true"})
    assert "kenoweb:changed" in told["HX-Trigger"]
    assert desk.get("documents/").soup.select_one("#unread:not([hidden])") is None


def test_home_calls_nothing_tidy_before_its_first_check(desk):
    unchecked = desk.get()
    assert "Not checked yet Checked each time the files are read." in unchecked.text
    assert "All tidy" not in unchecked.text
    stated = [one["value"] for one in unchecked.soup.select("[name=seen]")]
    told = desk.client.post(f"/{desk.bot.slug}/step", {"seen": stated}, headers={"HX-Request": "true"})
    assert "kenoweb:changed" in told["HX-Trigger"]
    assert "All tidy" in desk.get().text


def test_home_says_beside_a_hint_that_nothing_was_checked(desk):
    desk.write("MEMORY.md", "- x\n" * 3000)
    desk.indexed()
    unchecked = desk.get()
    assert "of the recommended 10 KB" in unchecked.text
    assert "Not checked yet. Checked each time the files are read." in unchecked.text
    desk.step()
    checked = desk.get()
    assert "Not checked yet" not in checked.text
    assert len(checked.soup.select("[name=seen]")) == 1


def test_what_cannot_be_read_is_said_and_not_waited_for(large):
    shutil.rmtree(large.root)
    index.refresh(large.bot)
    page = large.get()
    assert page.soup.select_one("#reading") is None
    assert page.soup.select_one("#above .severity, #above .fullbar") is not None
