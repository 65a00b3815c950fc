"""HISTORY.md searched by word, day and range, with the lines around."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.dialects.autobot import history, layout
from memory.dialects.autobot.found import found, with_lines

DATA = (Path(__file__).parent / "data/workspace/memory/HISTORY.md").read_bytes()


def stamps(**asked):
    return [f"{hit.day} {hit.time}".strip() for hit in found(DATA, **asked)]


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ({"words": "TOASTER"}, ["2026-10-11 08:19", "2026-10-21 16:48"]),
        ({"words": "toaster breaker"}, ["2026-10-11 08:19"]),
        ({"words": "spot welders"}, ["2026-10-17 12:18"]),
        ({"words": "阿明"}, ["2026-10-06 11:22"]),
        ({"since": "2026-11-11", "until": "2026-11-12"}, ["2026-11-11 13:45", "2026-11-12 08:50"]),
        ({"since": "2026-10-12", "until": "2026-10-12"}, ["2026-10-12 13:35"]),
        ({"words": "topics"}, [""]),
        ({"words": "topics", "until": "2026-12-31"}, []),
    ],
)
def test_by_word_day_and_range(asked, wanted):
    assert stamps(**asked) == wanted


def test_lines_around_are_those_of_the_file():
    lines = DATA.decode().split("\n")
    (hit,) = with_lines(DATA, list(found(DATA, "breaker")), 2)
    assert (hit.before, hit.behind) == (lines[hit.line - 3], lines[hit.line + 1])
    assert lines[hit.line - 1] == hit.text


def test_large_history_is_searched_quickly():
    data = b"".join(history.appended(None, f"[2026-01-01 10:00] {'word ' * 50}{number}") for number in range(6000))
    assert len(data) > 1_500_000
    assert len(with_lines(data, list(found(data, "word 4711")), 3)) == 1


@pytest.mark.django_db
def test_page_of_a_large_history_with_long_entries_stays_small_and_shows_the_words(owner):
    long = "".join(
        f"[2026-01-01 10:{number % 60:02}] {'& <b>pad</b> ' * 300}needle {number}.\n\n" for number in range(400)
    )
    (owner.root / layout.HISTORY).write_text(long)
    assert len(long) > 1_500_000
    owner.page("entries/log")  # what stands beside every page is counted, and kept
    for query in ("", "?q=needle", "?q=needle&around=20", "?around=3"):
        with CaptureQueriesContext(connection) as asked:
            shown = owner.page(f"entries/log{query}")
        assert len(shown.encode()) < 200 * 1024, query
        assert len(asked) < 15
    assert "needle 359." in owner.page("entries/log?q=needle")  # the last of 10:59
    assert "The entry is longer." in owner.page("entries/log?q=needle")


@pytest.mark.django_db
def test_page_of_it(owner):
    assert "spot welders" in owner.page("entries/log?q=welders&from=2026-10-01&around=1")
    assert "No results" in owner.page("entries/log?q=welders&until=2026-10-01")
    assert "27 entries" in owner.page("entries/log?from=x&around=999999")
