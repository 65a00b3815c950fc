"""Days as a history tells of them: in the calendar, in the list, on a day's page, and gone when the entries are."""

from __future__ import annotations

import json

import pytest

from memory import index
from memory.models import Day
from tests.support.workspaces import write
from tests.web.conftest import added


def line(cursor, stamp, content):
    return json.dumps({"cursor": cursor, "timestamp": stamp, "content": content}) + "\n"


FILES = {
    "memory/MEMORY.md": "- Olive cuttings root in sand.\n",
    "memory/HISTORY.md": (
        "[2026-01-03 08:40] Asked about the heater.\n\n[2026-02-30 08:00] On a day that is none.\n\n[RAW] 3 messages\n"
    ),
    "memory/history.jsonl": line(1, "2026-01-03 21:10", "Frost on the south beds.")
    + line(2, "2026-01-05 07:00", "Thaw."),
    "memory/2026-01-03.md": "# 2026-01-03\n\n## Market (10:00)\n\n12 olive trees sold.\n",
    "memory/2026-01-03-night.md": "- 23:05 fleece is on\n",
}


@pytest.fixture
def nursery(db, tmp_path, kenoweb_home):
    root = write(tmp_path / "workspace", FILES)
    return added(root)


def days(visitor):
    return {row.day: (row.facts, row.logs) for row in Day.objects.filter(bot=visitor.bot)}


def test_a_day_counts_what_its_logs_and_the_history_tell(nursery):
    assert days(nursery) == {"2026-01-03": (4, 2), "2026-01-05": (1, 0)}


def test_days_of_the_history_stand_in_calendar_and_list(nursery):
    page = nursery.get("days/", month="2026-01")
    assert page.soup.select_one('table.month a[href="2026-01-05"]')
    rows = {row.a["href"]: row.get_text(" ") for row in page.soup.select("#all-days ~ ul li, ul.rows li[data-row]")}
    assert "1 fact" in rows["2026-01-05"]
    assert "bytes" not in rows["2026-01-05"]


def test_a_day_shows_entries_of_all_its_files_in_order_and_names_the_file(nursery):
    page = nursery.get("days/2026-01-03")
    texts = [
        row.select_one(".fact").get_text().removesuffix(" Show all")
        for row in page.soup.select("ol.facts > li[data-row]")
    ]
    assert [text.split()[-1] for text in texts] == ["heater.", "sold.", "beds.", "on"]
    assert not any(text.startswith("[2026-01-03") for text in texts)
    said = [row.select_one(".about").get_text(" ") for row in page.soup.select("ol.facts > li[data-row]")]
    for path, about in zip(
        ["memory/HISTORY.md", "memory/2026-01-03.md", "memory/history.jsonl", "memory/2026-01-03-night.md"],
        said,
        strict=True,
    ):
        assert path in about
    assert "4 facts in 4 files" in page.text


def test_a_day_that_only_the_history_tells_of(nursery):
    page = nursery.get("days/2026-01-05")
    assert "1 fact in its history," in page.text
    assert "Thaw." in page.text
    assert nursery.get("days/2026-01-05", q="thaw").soup.select("ol.facts > li[data-row]")


def test_days_follow_the_history(nursery):
    nursery.write("memory/history.jsonl", line(2, "2026-01-06 07:00", "Thaw."))
    index.refresh(nursery.bot)
    assert days(nursery) == {"2026-01-03": (3, 2), "2026-01-06": (1, 0)}
    (nursery.root / "memory/history.jsonl").unlink()
    (nursery.root / "memory/2026-01-03.md").unlink()
    index.refresh(nursery.bot)
    kept = days(nursery)
    assert kept == {"2026-01-03": (2, 1)}
    index.reindex(nursery.bot)
    assert days(nursery) == kept


def test_a_fact_of_a_log_that_begins_like_a_stamp_is_of_its_own_day_only(nursery):
    nursery.write("memory/2026-01-08.md", "- [2026-01-09 10:00] quoted\n")
    index.refresh(nursery.bot)
    assert "2026-01-09" not in days(nursery)


def test_an_entry_of_the_history_is_reworded_and_forgotten_from_its_day(nursery):
    page = nursery.get("days/2026-01-03")
    name = next(
        field["value"] for field in page.soup.select("ol.facts input[name=fact]") if "history.jsonl" in field["value"]
    )
    nursery.post("entry/edit", fact=name, text="Hail on the south beds.")
    assert '"cursor": 1' in nursery.read("memory/history.jsonl")
    assert "Hail" in nursery.read("memory/history.jsonl")
    last = next(
        field["value"]
        for field in nursery.get("days/2026-01-05").soup.select("ol.facts input[name=fact]")
        if "history.jsonl" in field["value"]
    )
    before = nursery.read("memory/history.jsonl")
    page = nursery.post("entry/forget", fact=last)
    assert nursery.read("memory/history.jsonl") == before
    assert "The newest entry (cursor 2) must stay." in page.text


def test_what_happened_daily_stands_on_each_of_its_days(nursery):
    backups = [
        line(number, f"2026-04-{number:02} 10:00", f"Backup number {number} is done.") for number in range(3, 20)
    ]
    four = [line(20 + hour, f"2026-04-20 1{hour}:30", f"Backup number {hour} is done.") for hour in range(4)]
    (nursery.root / "memory" / "history.jsonl").write_text("".join(backups + four))
    index.refresh(nursery.bot)
    for number in (3, 4, 19):
        page = nursery.get(f"days/2026-04-{number:02}")
        (row,) = page.soup.select("ol.facts > li[data-row]")
        assert f"Backup number {number} is done." in row.text
        assert "alike" not in row.text
    (row,) = nursery.get("days/2026-04-20").soup.select("ol.facts > li[data-row]")
    assert "4 alike until 13:30" in " ".join(row.text.split())


def test_the_same_holds_of_a_history_in_words(nursery):
    entries = [f"[2026-04-{number:02} 10:00] Backup number {number} is done.\n\n" for number in range(3, 20)]
    (nursery.root / "memory" / "HISTORY.md").write_text("".join(entries))
    index.refresh(nursery.bot)
    (row,) = nursery.get("days/2026-04-11").soup.select("ol.facts > li[data-row]")
    assert "Backup number 11 is done." in row.text
