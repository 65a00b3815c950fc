"""A look at the documents that a page shows: what differs is read, everything else costs a stat."""

from __future__ import annotations

import os

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import index
from memory.journal import versions
from memory.models import Document, Fact
from tests.index.test_refresh import entry, make_old
from tests.journal.conftest import desk

__all__ = ["desk"]

LOGS = [f"2026-01-{day:02}.md" for day in range(1, 29)]


@pytest.fixture
def filled(desk):
    for path in LOGS:
        desk.write(path, entry(1, f"of {path}"))
    make_old(desk)
    index.refresh(desk.bot)
    return desk


def test_what_differs_is_read(filled):
    filled.add(LOGS[3], entry(2, "news"))
    assert index.look_all(filled.bot, LOGS) == {}
    assert Document.objects.get(path=LOGS[3]).facts_count == 2
    assert Fact.objects.filter(text="news").exists()


def test_what_is_new_gets_rows_and_what_is_gone_loses_them(filled):
    filled.write("2026-02-01.md", entry(1, "new"))
    (filled.root / LOGS[0]).unlink()
    assert index.look_all(filled.bot, [LOGS[0], "2026-02-01.md", "2026-02-02.md"]) == {}
    assert Document.objects.get(path="2026-02-01.md").facts_count == 1
    assert not Document.objects.filter(path=LOGS[0]).exists()


def test_what_cannot_be_read_is_said_and_keeps_its_facts(filled):
    (filled.root / LOGS[0]).unlink()
    (filled.root / LOGS[0]).symlink_to("/etc/passwd")
    errors = index.look_all(filled.bot, LOGS)
    assert list(errors) == [LOGS[0]]
    assert Document.objects.get(path=LOGS[0]).error == errors[LOGS[0]]
    assert Fact.objects.filter(document__path=LOGS[0]).count() == 1
    (filled.root / LOGS[0]).unlink()
    filled.write(LOGS[0], entry(1, "back"))
    assert index.look_all(filled.bot, LOGS) == {}
    assert Document.objects.get(path=LOGS[0]).error == ""


def test_memory_that_is_not_there_drops_nothing(filled):
    filled.root.rename(filled.root.with_name("unmounted"))
    assert set(index.look_all(filled.bot, LOGS[:3])) == set(LOGS[:3])
    assert Fact.objects.count() == len(LOGS)


def test_paths_that_are_no_documents_are_passed_over(filled):
    filled.write("notes.txt", b"nobody's")
    assert index.look_all(filled.bot, ["notes.txt", "../x.md", "@nowhere/x.jsonl", "bad\udcff.md", ""]) == {}
    assert Document.objects.count() == len(LOGS)


def test_version_that_was_read_is_in_the_history(filled):
    filled.write(LOGS[0], entry(1, "rewritten"))
    index.look_all(filled.bot, LOGS)
    row = Document.objects.get(path=LOGS[0])
    assert versions.bytes_of(filled.bot, row.sha256) == entry(1, "rewritten")


def test_facts_of_a_very_large_document_are_left_to_the_walk(desk):
    desk.write("MEMORY.md", b"- fact\n" * 200_000)
    desk.write(LOGS[0], entry(1, "a"))
    index.look_all(desk.bot, ["MEMORY.md", LOGS[0]])
    assert Fact.objects.get().text == "a"
    assert Document.objects.get(path="MEMORY.md").size == 1_400_000


def test_unchanged_documents_cost_one_statement_and_no_reading(filled):
    sealed = filled.root / LOGS[1]
    before = os.stat(sealed).st_atime_ns
    with CaptureQueriesContext(connection) as few:
        index.look_all(filled.bot, LOGS[:2])
    with CaptureQueriesContext(connection) as many:
        index.look_all(filled.bot, LOGS)
    assert len(few) == len(many) == 1
    assert os.stat(sealed).st_atime_ns == before
