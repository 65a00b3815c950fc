"""The page of what was forgotten: found, filtered, restored one by one and many at once."""

from __future__ import annotations

import pytest

from memory.models import Fact
from tests.web.conftest import MEMORY


@pytest.fixture
def trash(desk):
    """Two facts were forgotten, of two files."""
    desk.write("2026-11-20.md", "# 2026-11-20\n\n## 10:00 — Bought tea\n\n## 11:00 — Sold a boat\n")
    desk.indexed()
    for text in ("Bought tea", "Likes Google Docs"):
        one = Fact.objects.select_related("document").get(text=text)
        desk.post("entry/forget", path=one.document.path, fact=f"{one.key}:{one.nth}:{one.document.path}")
        desk.indexed()
    return desk


def boxes(page):
    return [one["value"] for one in page.soup.select("main input[name=fact]")]


def test_it_says_what_where_when_and_by_whom(trash):
    page = trash.get("trash")
    assert page.text.index("Likes Google Docs") < page.text.index("Bought tea")
    row = page.soup.find("p", string="Bought tea").find_parent("li")
    assert row.select_one(".about").get_text("|", strip=True) == "2026-11-20.md|you|just now"


def test_it_is_filtered_by_words_and_by_file(trash):
    assert "Likes Google" not in trash.get("trash", q="TEA").text
    assert "Bought tea" not in trash.get("trash?path=MEMORY.md").text
    assert "Nothing matches" in trash.get("trash", q="nobody").text


def test_one_comes_back_by_its_button(trash):
    one = boxes(trash.get("trash"))[0]
    page = trash.post("trash/restore", one=one, fact=boxes(trash.get("trash")))
    assert "1 fact restored" in page.text
    assert trash.read() == MEMORY
    assert "Bought tea" not in trash.read("2026-11-20.md")
    assert [chip.get_text() for chip in trash.get("trash").soup.select(".about .chip")] == ["in memory"]


def test_of_two_copies_in_a_file_the_other_one_is_no_return(desk):
    desk.write("MEMORY.md", "- Likes tea\n- Has a cat\n- Likes tea\n")
    desk.indexed()
    one = Fact.objects.filter(text="Likes tea").last()
    desk.post("entry/forget", path="MEMORY.md", fact=f"{one.key}:{one.nth}:MEMORY.md")
    page = desk.get("trash")
    assert [chip.get_text() for chip in page.soup.select(".about .chip")] == ["in memory"]
    assert boxes(page) == []


def test_many_come_back_at_once_and_are_undone_at_once(trash):
    page = trash.post("trash/restore", fact=boxes(trash.get("trash")))
    assert "2 facts restored" in page.text
    assert trash.read() == MEMORY
    assert "Bought tea" in trash.read("2026-11-20.md")
    undo = page.soup.select_one(".toast form")["action"]
    trash.client.post(undo)
    assert "Google" not in trash.read()
    assert "Bought tea" not in trash.read("2026-11-20.md")


def test_what_can_not_come_back_is_said(desk):
    desk.write("MEMORY.md", "# Memory\n\n- Before it\n- Wanted again\n- Behind it\n")
    desk.indexed()
    one = Fact.objects.get(text="Wanted again")
    desk.post("entry/forget", path="MEMORY.md", fact=f"{one.key}:{one.nth}:MEMORY.md")
    desk.write("MEMORY.md", "Something else\n")
    page = desk.post("trash/restore", one=boxes(desk.get("trash"))[0])
    assert "“Wanted again” can’t be restored: MEMORY.md has changed around its place." in page.text
    assert desk.read() == "Something else\n"


@pytest.mark.parametrize("sent", ["", "x", "1", "1.2", "1..1", "1.a.b", "9" * 50 + ".a.1", "٣.a.٣"])
def test_odd_names_change_nothing(trash, sent):
    assert "Nothing was changed." in trash.post("trash/restore", one=sent).text


def test_nothing_forgotten_is_said(desk):
    assert "Nothing forgotten yet" in desk.get("trash").text
