"""What somebody outside removed at once is found, and brought back with one press."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory import index
from memory.checks import findings, removals
from memory.models import ChangeSet, Finding
from tests.web.checks.test_findings import press

pytestmark = pytest.mark.database(cases=1)
TWENTY = "".join(f"- Fact number {number} of what the bot knows\n" for number in range(20))


@pytest.fixture
def desk(desk):
    desk.write("MEMORY.md", TWENTY)
    look(desk)
    return desk


def look(desk):
    """What was removed, after a walk: the file and why."""
    index.refresh(desk.bot, accept_vanished=True)
    findings.look(desk.bot)
    rows = Finding.objects.filter(bot=desk.bot, rule=removals.NAME, gone=None)
    return [(row.path, row.text.count("\n") + 1) for row in rows]


def lines(first, last):
    return "".join(TWENTY.splitlines(keepends=True)[first:last])


def test_a_bot_that_forgets_half_of_its_memory_is_brought_back_with_one_press(desk):
    desk.write("MEMORY.md", lines(0, 9))
    assert look(desk) == [("MEMORY.md", 3)]
    desk.append("MEMORY.md", "- Written since\n")
    page = desk.get("tidy/")
    assert "An edit outside Kenoweb removed 11 of its 20 facts." in page.text
    assert "1 file lost many of its facts" in desk.get("").text
    edit = ChangeSet.objects.filter(kind=ChangeSet.Kind.OUTSIDE).first()
    assert page.soup.select_one(f'a[href$="/changes/{edit.pk}"]')
    after = press(desk, page, "Fact number 9", "Undo")
    assert desk.read("MEMORY.md") == TWENTY + "- Written since\n"
    assert "removed 11 of its 20" not in after.text
    assert look(desk) == []


def test_what_was_removed_again_and_again_is_one_finding(desk):
    for _ in range(2):
        desk.write("MEMORY.md", lines(0, 9))
        look(desk)
        desk.write("MEMORY.md", TWENTY)
        look(desk)
    desk.write("MEMORY.md", lines(0, 9))
    assert look(desk) == [("MEMORY.md", 3)]


@pytest.mark.parametrize(
    "now",
    [lines(0, 15), TWENTY + "- One more\n", lines(0, 20).replace("knows", "knows well"), lines(4, 20)],
    ids=["a quarter", "more", "reworded", "four"],
)
def test_what_bots_do_every_day_is_nothing(desk, now):
    desk.write("MEMORY.md", now)
    assert look(desk) == []


def test_long_term_memory_that_is_deleted_is_found_and_a_log_is_not(desk):
    desk.write("2026-03-01.md", "".join(f"## 10:{n:02} — Fact of that day number {n}\n\n" for n in range(10)))
    look(desk)
    (desk.root / "2026-03-01.md").unlink()
    assert look(desk) == []
    (desk.root / "MEMORY.md").unlink()
    assert look(desk) == [("MEMORY.md", 3)]


def test_what_a_log_still_says_lasts_only_as_long_as_the_log(desk):
    desk.write("2026-03-01.md", "".join(f"## 10:00 — {line[2:]}\n\n" for line in TWENTY.splitlines()))
    look(desk)
    desk.write("MEMORY.md", lines(0, 9))
    assert look(desk) == [("MEMORY.md", 3)]


def test_what_went_elsewhere_is_not_removed(desk):
    desk.write("chats/telegram-1/MEMORY.md", lines(9, 20))
    desk.write("MEMORY.md", lines(0, 9))
    assert look(desk) == []


def test_what_people_removed_here_is_nobodys_surprise(desk):
    desk.save(lines(0, 5))
    assert desk.read() == lines(0, 5)
    assert look(desk) == []


def test_after_a_week_it_is_meant(desk):
    desk.write("MEMORY.md", lines(0, 9))
    assert len(look(desk)) == 1
    edits = ChangeSet.objects.filter(kind=ChangeSet.Kind.OUTSIDE)
    for edit in edits:
        edit.created -= removals.LATELY + timedelta(minutes=1)
        edit.save()
    desk.append("MEMORY.md", "- Written since\n")
    assert look(desk) == []
