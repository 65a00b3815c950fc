"""Each line of a document says on request which change it came with."""

from __future__ import annotations

from memory.curation import moving
from memory.domain.changes import Append
from memory.journal import commit
from memory.models import ChangeSet, Fact
from tests.journal.conftest import ANA
from tests.web.conftest import MEMORY


def blocks(page):
    """Who, and the lines with their numbers."""
    return [
        (block.p.get_text(" ", strip=True), [(line["value"], line.get_text()) for line in block.select("ol > li")])
        for block in page.soup.select(".blame > li")
    ]


def test_lines_stand_beside_the_change_that_they_came_with(desk):
    desk.indexed()
    desk.save(MEMORY + "- Likes plain text\n")
    page = desk.get("documents/MEMORY.md", blame=1)
    (old, lines), (new, added) = blocks(page)
    assert old.startswith("before Kenoweb’s History")
    assert lines == [(str(number), line) for number, line in enumerate(MEMORY.splitlines(), 1)]
    assert (new, added) == ("you · just now", [("6", "- Likes plain text")])
    assert desk.client.get(page.link("you · just now")).status_code == 200
    assert page.soup.select_one(".tabs [aria-current]").get_text() == "Who wrote what"


def test_line_that_was_moved_here_names_where_it_was_said(desk):
    desk.indexed()
    turn = [Append("2026-11-20.md", "## 10:00 — Sold a boat\n\n".encode())]
    commit(desk.bot, turn, by=ANA, kind=ChangeSet.Kind.CAPTURE)
    desk.indexed()
    moving.promote(desk.bot, [("2026-11-20.md", Fact.objects.get(text="Sold a boat").key, 0)], ANA)
    who, _lines = blocks(desk.get("documents/MEMORY.md", blame=1))[-1]
    assert "moved from 2026-11-20.md, Ana" in who


def test_long_document_comes_a_page_at_a_time(desk):
    desk.write("MEMORY.md", "".join(f"- Fact {number}\n" for number in range(450)))
    page = desk.get("documents/MEMORY.md", blame=1, page=3)
    assert [value for _who, lines in blocks(page) for value, _text in lines] == [
        str(number) for number in range(401, 451)
    ]


def test_document_that_is_not_there_or_cannot_be_read(desk):
    assert desk.get("documents/none.md", blame=1).status == 404
    assert "Empty so far" in desk.get("documents/2026-01-01.md", blame=1).text
    (desk.root / "MEMORY.md").unlink()
    (desk.root / "MEMORY.md").mkdir()
    assert desk.get("documents/MEMORY.md", blame=1).soup.select(".notice.bad")


def test_secrets_are_hidden_among_the_lines(desk):
    desk.write("MEMORY.md", "- The password of the router is hunter2-Xk93\n")
    page = desk.get("documents/MEMORY.md", blame=1)
    assert "hunter2" not in page.response.content.decode()
    assert "router" in page.text


def test_no_half_of_a_secret_ends_a_long_line(desk):
    token = "12345678:AAtowRsW3PJAyuv__p4q3rQOrcTwCE-elrX"
    desk.write("MEMORY.md", f"- {'tea ' * 496}{token} {'tea ' * 90}\n")
    page = desk.get("documents/MEMORY.md", blame=1)
    assert "tea tea" in page.text
    assert token[:12] not in page.response.content.decode()
