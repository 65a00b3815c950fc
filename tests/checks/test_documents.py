"""Documents that are read otherwise than they were meant, and memory that is open to others: found, mended, undone."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, strategies as st

from memory import index
from memory.checks import findings, permissions, structure
from memory.models import ChangeSet, Document, Finding
from memory.text.markdown.oddities import Odd, mend_oddity, oddities
from tests.web.checks.test_findings import confirmed, press

pytestmark = pytest.mark.database(cases=1)
FENCED = "# Notes\n\n- Likes Go\n\n```sh\nls -la\n\n- Not code any more\n"
TOKEN = "123456789:" + "Abc-_" * 7


@pytest.fixture
def desk(desk, monkeypatch):
    monkeypatch.setattr(permissions, "_is_reachable", lambda _place: True)  # a test's own directory is its owner's only
    return desk


def look(desk, rule=structure.NAME):
    index.refresh(desk.bot, accept_vanished=True)
    findings.look(desk.bot)
    rows = Finding.objects.filter(bot=desk.bot, rule=rule, gone=None).order_by("path", "line")
    return [(row.path, row.key, row.line, row.text) for row in rows]


@pytest.mark.slow
def test_an_open_fence_and_a_glued_heading_are_found_and_mended_each_as_one_change(desk):
    desk.write("MEMORY.md", f"##Projects\n\n{FENCED}")
    assert look(desk) == [("MEMORY.md", "heading", 1, "##Projects"), ("MEMORY.md", "fence", 7, "```sh")]
    page = press(desk, desk.get("tidy/"), "```sh", "Close the fence")
    assert "Closed a code fence" in page.text
    assert desk.read() == f"##Projects\n\n{FENCED}```\n"
    page = press(desk, page, "##Projects", "Add the space")
    assert desk.read() == f"## Projects\n\n{FENCED}```\n"
    assert look(desk) == []
    desk.post(f"changes/{ChangeSet.objects.latest('pk').pk}/undo")
    assert desk.read() == f"##Projects\n\n{FENCED}```\n"
    assert [key for _path, key, *_rest in look(desk)] == ["heading"]


@pytest.mark.parametrize(
    "text",
    [
        "# Notes\n\n```sh\nls\n```\n",
        "#todo buy milk\n",
        "```md\n##Not a heading\n```\n",
        "## Projects\n\n######\n",
        "- item ##1 of the list\n",
        "#!/bin/sh\n",
        "The sign ``` in a line of prose\n",
    ],
)
def test_what_is_as_it_should_be_is_left_in_peace(desk, text):
    desk.write("MEMORY.md", text)
    assert look(desk) == []


def test_a_file_is_looked_at_when_it_is_another_and_its_finding_goes_with_it(desk):
    desk.write("2026-03-01.md", FENCED)
    assert len(look(desk)) == 1
    assert not Document.objects.exclude(checked=Document.objects.get(path="2026-03-01.md").sha256).filter(
        path="2026-03-01.md"
    )
    (desk.root / "2026-03-01.md").unlink()
    assert look(desk) == []


def test_a_fix_that_comes_too_late_says_so(desk):
    desk.write("MEMORY.md", FENCED)
    look(desk)
    page = desk.get("tidy/")
    desk.write("MEMORY.md", "- Likes Go\n")
    page = press(desk, page, "```sh", "Close the fence")
    assert "This file has changed since you looked. Nothing was changed now." in page.text
    assert desk.read() == "- Likes Go\n"


@given(st.text(alphabet="#a` \n~-", max_size=60))
def test_mending_ends_each_oddity_and_takes_nothing_away(text):
    for one in oddities(text):
        after = mend_oddity(text, one.odd)
        assert after != text
        assert len(oddities(after)) <= len(oddities(text)) or one.odd is Odd.FENCE
        assert after.replace(" ", "").startswith(text.replace(" ", "").rstrip("\n"))


def mode(desk, path):
    return (desk.root / path).stat().st_mode & 0o777


def test_what_others_can_change_is_found_and_closed_as_a_change_that_can_be_undone(desk):
    (desk.root / "MEMORY.md").chmod(0o666)
    assert look(desk, permissions.NAME) == [("MEMORY.md", permissions.WRITE, 0, "")]
    page = desk.get("tidy/")
    button = next(one for one in page.soup.select("button") if one.get_text() == "Close it to others")
    shown = desk.post(button["formaction"].removeprefix("/keno/"))
    assert "Its mode 0666 becomes 0664." in shown.text
    confirmed(desk, shown)
    assert mode(desk, "MEMORY.md") == 0o664
    assert look(desk, permissions.NAME) == []
    desk.post(f"changes/{ChangeSet.objects.latest('pk').pk}/undo")
    assert mode(desk, "MEMORY.md") == 0o666


def test_what_others_can_read_is_none_but_for_a_secret(desk):
    (desk.root / "MEMORY.md").chmod(0o644)
    assert look(desk, permissions.NAME) == []
    desk.write("MEMORY.md", f"- The shop’s bot is {TOKEN}\n")
    look(desk)
    assert look(desk, permissions.NAME) == [("MEMORY.md", permissions.READ, 0, "")]


def test_a_directory_has_its_command_and_no_path_outside_of_the_memory(desk):
    desk.write("chats/telegram-1/MEMORY.md", "- Likes Go\n")
    os.chmod(desk.root, 0o777)
    os.chmod(desk.root / "chats/telegram-1", 0o777)
    assert [(path, text) for path, _key, _line, text in look(desk, permissions.NAME)] == [
        (".", "chmod o-w ."),
        ("chats/telegram-1", "chmod o-w chats/telegram-1"),
    ]
    page = desk.get("tidy/")
    assert "chmod o-w chats/telegram-1" in page.text
    assert str(desk.root) not in page.text
    os.chmod(desk.root, 0o700)
    os.chmod(desk.root / "chats/telegram-1", 0o755)
    desk.write("MEMORY.md", "- Likes Rust\n")
    assert look(desk, permissions.NAME) == []


def test_nothing_is_open_where_others_cannot_come_near(desk, monkeypatch):
    monkeypatch.undo()
    (desk.root / "MEMORY.md").chmod(0o666)
    desk.root.chmod(0o700)
    assert look(desk, permissions.NAME) == []
