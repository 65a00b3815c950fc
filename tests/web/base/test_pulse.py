from __future__ import annotations

import os
import time

import pytest

from memory.jobs import steps
from memory.models import Job
from tests.web.jobs import made_jobs


@pytest.fixture
def quiet(desk):
    """A desk over files that were written long ago."""
    desk.write("MEMORY.md", "- One\n")
    for path in desk.root.rglob("*.md"):
        os.utime(path, (0, time.time() - 3600))
    desk.step()
    return desk


def mark(desk):
    return " ".join(desk.get("memory").soup.select_one("#mark").get_text(" ").split())


def test_file_that_just_changed_is_named_for_a_minute(quiet):
    assert mark(quiet).startswith("Up to date")
    quiet.append("MEMORY.md", "- Two\n")
    assert quiet.post("step", htmx=True).text.strip() == "MEMORY.md changed just now"
    assert mark(quiet) == "MEMORY.md changed just now"
    changed = time.time() - 61
    os.utime(quiet.root / "MEMORY.md", (changed, changed))
    quiet.step()
    assert mark(quiet).startswith("Up to date")


def test_file_of_a_clock_that_goes_ahead_is_no_news(quiet):
    os.utime(quiet.root / "MEMORY.md", (0, time.time() + 3600))
    quiet.step()
    assert mark(quiet).startswith("Up to date")


@pytest.mark.parametrize(
    ("params", "words", "step"),
    [
        ({"old_logs": "archive"}, "Archiving, 46%", "Move logs to archive/"),
        ({"old_logs": "move"}, "Compacting, 46%", "Write the files"),
        ({"old_logs": "move", "counts": {"archived": 13}}, "Archiving, 46%", "Move logs to archive/"),
        ({"old_logs": "archive", "counts": {"archived": 13, "moved": 1}}, "Compacting, 46%", "Write the files"),
    ],
)
def test_compaction_that_writes_says_how_far_it_is_as_its_page_does(quiet, params, words, step):
    told = {"done": 6, "total": 13, "doing": steps.reading("")}
    job = made_jobs.job(quiet.bot, "running", "compaction", params=params, **told)
    assert mark(quiet).startswith("Up to date")
    Job.objects.filter(pk=job.pk).update(doing=steps.WRITING)
    assert mark(quiet) == words
    assert quiet.get(f"jobs/{job.pk}").soup.select_one(".steps .now").contents[0] == step


@pytest.mark.parametrize("second", [-(10**11), 10**11, 10**12])
def test_file_of_a_time_that_no_calendar_has_is_no_news(quiet, second):
    os.utime(quiet.root / "MEMORY.md", (0, second))
    quiet.step()
    assert mark(quiet).startswith("Up to date")
    assert quiet.get("").status == 200
