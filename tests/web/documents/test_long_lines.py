"""Searching in a memory that is one line of megabytes: what it takes is bounded by what is shown."""

from __future__ import annotations

import sys

import pytest

from memory import index

CALLS = 400_000  # of functions for a page; a few for each character or each pair of marks would be many times as many


@pytest.fixture
def long(desk):
    desk.write("MEMORY.md", "- " + "do you " * 750_000 + "remember the boat\n")
    index.refresh(desk.bot)
    return desk


def counted(work):
    """What `work` gives; it fails once it has called too much."""
    count = 0

    def look(frame, event, _arg):
        nonlocal count
        count += event == "call"
        if count > CALLS:
            sys.setprofile(None)
            raise AssertionError(f"too many calls, the last in {frame.f_code.co_name}")

    sys.setprofile(look)
    try:
        return work()
    finally:
        sys.setprofile(None)


@pytest.mark.slow
def test_search_marks_a_line_of_five_megabytes_where_it_is_shown(long):
    long.get("search", q="else")  # what is only loaded once
    page = counted(lambda: long.get("search", q="do you"))
    assert page.status == 200
    assert 10 < len(page.soup.select(".hit mark, mark")) < 500
    assert len(page.response.content) < 200_000
    near = counted(lambda: long.get("search/near", q="do you"))
    assert near.status == 200
    assert "do you" in near.text.lower()


@pytest.mark.slow
def test_search_finds_the_end_of_a_line_of_five_megabytes(long):
    page = long.get("search", q="boat")
    assert "boat" in [mark.get_text() for mark in page.soup.select("mark")]
