"""What is said of a bot that keeps no chats: its files are counted once, and nothing says that what it knows is shared."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memory import index
from memory.checks import findings
from memory.models import ChangeSet
from tests.support.workspaces import write
from tests.web.conftest import added


@pytest.fixture
def nursery(db, tmp_path, kenoweb_home):
    days = [(datetime.now(UTC) - timedelta(days=ago)).date() for ago in (0, 1)]
    files = {f"memory/{one}.md": f"# {one}\n\n- 07:00 frost on the south beds\n" for one in days}
    files |= {"MEMORY.md": "- Sells olive trees\n", "AGENTS.md": "- Read the beds\n"}
    files |= {"memory/archive/2026-01-03.md": "# 2026-01-03\n\n- 08:00 the pump froze\n"}
    root = write(tmp_path / "workspace", files)
    return added(root)


def test_each_file_is_counted_once(nursery):
    page = nursery.get()
    assert "4 facts in 4 files" in page.soup.select_one("#lead .on-wide").get_text()
    cells = [" ".join(cell.get_text(" ").split()) for cell in page.soup.select(".strip > a")]
    assert [cell for cell in cells if cell.startswith("Days 3 days")]  # with the archived one, as on their page
    assert "3 days, " in nursery.get("days/").text
    assert [cell for cell in cells if cell.startswith("Files 2 that aren’t logs")]


def test_a_new_day_is_told_by_what_it_says_and_not_by_its_date(nursery):
    write(nursery.root, {"memory/2031-01-01.md": "# 2031-01-01\n\n## 07:00 — Frost again\n"})
    index.refresh(nursery.bot)
    made = ChangeSet.objects.get(by="looks like the bot")
    assert nursery.get(f"changes/{made.pk}").soup.h1.get_text() == "Frost again"


def test_the_one_file_that_is_not_loaded_in_full_is_named(nursery):
    path = f"memory/{datetime.now(UTC).date()}.md"
    write(nursery.root, {path: "".join(f"- 07:00 frost on bed {bed:05}\n" for bed in range(5000))})
    index.refresh(nursery.bot)
    findings.look(nursery.bot)
    (told,) = [row for row in nursery.get().soup.select("[data-key]") if "not loaded in full" in row.get_text()]
    assert told.select_one(".small").get_text() == f"findings · {path}"


def test_its_page_of_chats_says_that_there_are_none_yet(nursery):
    page = nursery.get("chats/")
    assert (page.status, page.soup.select_one("#live strong").get_text()) == (200, "No chats yet")


def test_nothing_says_that_it_is_shared_where_there_are_no_chats(nursery):
    lines = nursery.get().soup.select(".learned > li")
    assert [line.select_one(".said").get_text(strip=True) for line in lines] == ["frost on the south beds"] * 2
    assert not [line for line in lines if "shared" in line.get_text()]
    found = nursery.get("search/", q="frost")
    assert found.soup.select(".hits mark")
    assert not [above for above in found.soup.select(".searched section header .small") if "shared" in above.get_text()]


def test_no_finding_says_that_it_is_shared_where_there_are_no_chats(nursery):
    write(nursery.root, {"MEMORY.md": "- Rosa waters the beds\n- Rosa waters the beds\n```\nopen\n"})
    nursery.step()
    told = nursery.get("tidy/").soup.select(".findings .about")
    assert [" ".join(one.get_text(" ").split()) for one in told] == [
        "MEMORY.md, line 3 found just now",
        "MEMORY.md, line 1 MEMORY.md, line 2 found just now",
    ]
