"""What is old and was used by nobody for long is stale; what nobody watched for as long is not said to be."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import index
from memory.bots.opened import OpenBot
from memory.checks import findings, stale
from memory.journal import By, pinning
from memory.models import Bot, ChecksRun, Fact, Finding, RecallTest, Use, quick
from memory.prompts import uses
from memory.text.markdown.normal import key
from memory.web.base.dates import day

pytestmark = pytest.mark.database(cases=1)
BEGUN = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
LONG = BEGUN + timedelta(days=stale.DAYS)


@pytest.fixture
def desk(desk, monkeypatch):
    """A bot that picks what it reads by the words of a message, watched since the first of January."""
    desk.bot.settings = {"version": "0.7"}
    desk.bot.save()
    desk.write("MEMORY.md", "- 2025-06-01 10:00 — The boat is called Wanda\n- 2025-06-02 10:00 — Likes Go\n")
    at(monkeypatch, BEGUN)
    index.refresh(desk.bot, accept_vanished=True)
    uses.record(desk.bot, [key("Likes Go")])
    return desk


def at(monkeypatch, now):
    monkeypatch.setattr(OpenBot, "now", lambda _self: now)


def look(desk, monkeypatch, now):
    """What is stale at a moment."""
    at(monkeypatch, now)
    index.refresh(desk.bot, accept_vanished=True)
    findings.look(desk.bot)
    ChecksRun.objects.update(looked=now)
    rows = Finding.objects.filter(bot=desk.bot, rule=stale.NAME, gone=None).order_by("line")
    return [(row.text.rpartition(" — ")[2], row.note) for row in rows]


def test_it_is_stale_when_it_was_watched_and_not_used_for_long(desk, monkeypatch):
    assert look(desk, monkeypatch, LONG - timedelta(days=1)) == []
    at(monkeypatch, LONG - timedelta(days=1))
    uses.record(desk.bot, [key("Likes Go")])
    boat = ("The boat is called Wanda", "Not in any prompt or search that Kenoweb saw since 2026-01-01.")
    assert look(desk, monkeypatch, LONG + timedelta(days=1)) == [boat]
    uses.record(desk.bot, [key("The boat is called Wanda")])
    assert look(desk, monkeypatch, LONG + timedelta(days=2)) == []


def test_nothing_is_stale_where_nothing_was_watched(desk, monkeypatch):
    Use.objects.all().delete()
    assert look(desk, monkeypatch, LONG + timedelta(days=30)) == []
    assert "no prompt or search has gone through" in stale.unknown(desk.bot)
    Bot.objects.update(uses_since="")
    desk.bot.refresh_from_db()
    uses.record(desk.bot, [key("Likes Go")])
    assert look(desk, monkeypatch, LONG + timedelta(days=40)) == []
    assert "since 2026-07-30, and it takes 180 days" in stale.unknown(desk.bot)


def test_what_every_message_loads_what_is_new_and_what_is_pinned_is_not(desk, monkeypatch):
    desk.write(
        "MEMORY.md",
        "- 2025-06-01 10:00 — The boat is called Wanda\n- 2026-06-20 10:00 — Ana moved\n- Undated, in a file of today\n",
    )
    desk.write("2025-06-03.md", "## 10:00 — A log is compacted by its age\n\n")
    index.refresh(desk.bot, accept_vanished=True)
    at(monkeypatch, LONG)
    uses.record(desk.bot, ["0" * 32])
    assert len(look(desk, monkeypatch, LONG + timedelta(days=1))) == 1
    RecallTest.objects.create(
        bot=desk.bot, question="boat?", path="MEMORY.md", key=key("The boat is called Wanda"), text="x"
    )
    assert look(desk, monkeypatch, LONG + timedelta(days=2)) == []
    RecallTest.objects.all().delete()
    assert len(look(desk, monkeypatch, LONG + timedelta(days=3))) == 1
    desk.bot.settings = {}
    desk.bot.save()
    assert look(desk, monkeypatch, LONG + timedelta(days=4)) == []


def test_fact_that_somebody_pinned_is_never_stale(desk, monkeypatch):
    pinning.mark(desk.bot, [key("The boat is called Wanda"), key("Likes Go")], By("Ana"), pinned=True)
    assert look(desk, monkeypatch, LONG + timedelta(days=1)) == []


def test_looking_at_everything_again_finds_the_same(desk, monkeypatch):
    at(monkeypatch, LONG)
    uses.record(desk.bot, ["0" * 32])
    before = look(desk, monkeypatch, LONG + timedelta(days=1))
    findings.check_everything(desk.bot)
    assert look(desk, monkeypatch, LONG + timedelta(days=1)) == before != []
    index.reindex(desk.bot)
    findings.check_everything(desk.bot)
    assert look(desk, monkeypatch, LONG + timedelta(days=1)) == before


def test_any_number_of_uses_is_of_a_few_statements_that_a_connection_keeps(desk):
    with CaptureQueriesContext(connection) as seen:
        for number in range(1, 40):
            uses.record(desk.bot, [f"{number} {one}" for one in range(number)])
    assert Use.objects.count() == 1 + sum(range(1, 40))
    assert len({query["sql"].count("), (") for query in seen}) <= len(quick.PORTIONS)


def test_a_use_is_few_statements_and_written_once_a_day(desk):
    keys = [f"{number:032x}" for number in range(300)]
    with CaptureQueriesContext(connection) as seen:
        uses.record(desk.bot, [*keys, *keys])
    assert len(seen) == 7  # which are new, then 256 rows, twice 16, thrice 4
    assert Use.objects.count() == 301
    with CaptureQueriesContext(connection) as seen:
        uses.record(desk.bot, keys)
    assert [query["sql"].split()[0] for query in seen] == ["SELECT"]


def test_an_opened_fact_and_a_page_say_so(desk, monkeypatch):
    fact = Fact.objects.get(key=key("The boat is called Wanda"))
    desk.get("entry", fact=f"{fact.key}:0:MEMORY.md")
    assert Use.objects.filter(key=fact.key, day="2026-01-01").exists()
    assert f"use has been recorded since {day('2026-01-01')}" in desk.get("tidy/").text
    at(monkeypatch, LONG)
    uses.record(desk.bot, ["0" * 32])
    assert "aren’t known yet" not in desk.get("tidy/").text
