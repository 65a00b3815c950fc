"""A day that a fact looks ahead to passes by itself: found on the next day, without a change, and never before."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memory import index
from memory.bots.opened import OpenBot
from memory.checks import findings, past_dates
from memory.models import ChecksRun, Claim, Finding

pytestmark = pytest.mark.database(cases=1)
DAY = datetime(2026, 10, 31, 12, 0, tzinfo=UTC)


def look(desk, monkeypatch, now):
    """What is past at a moment: the texts, with why."""
    monkeypatch.setattr(OpenBot, "now", lambda _self: now)
    index.refresh(desk.bot, accept_vanished=True)
    findings.look(desk.bot)
    ChecksRun.objects.update(looked=now)
    rows = Finding.objects.filter(bot=desk.bot, rule=past_dates.NAME, gone=None).order_by("line")
    return [(row.text, row.note) for row in rows]


def test_it_is_found_when_its_day_is_over_though_nothing_changed(desk, monkeypatch):
    desk.write("MEMORY.md", "- Tax return: due 2026-10-31\n- Passport expires on 2027-01-02\n")
    assert look(desk, monkeypatch, DAY) == []
    late = [("Tax return: due 2026-10-31", "The date has passed: 2026-10-31")]
    assert look(desk, monkeypatch, DAY + timedelta(days=1)) == late
    assert look(desk, monkeypatch, DAY + timedelta(days=40)) == late
    assert len(look(desk, monkeypatch, DAY + timedelta(days=90))) == 2
    desk.write("MEMORY.md", "- Tax return: due 2026-10-31, paid\n")
    assert look(desk, monkeypatch, DAY + timedelta(days=91)) == []


def test_what_is_past_when_it_is_written_is_found_at_once_and_in_notes_on_one_matter(desk, monkeypatch):
    desk.write("MEMORY.md", "- 2026-09-01 10:00 — The plumber comes tomorrow\n")
    assert len(look(desk, monkeypatch, DAY)) == 1


def test_a_log_is_of_its_day(desk, monkeypatch):
    desk.write("2026-09-01.md", "## 10:00 — Tax return due 2026-09-02\n\n## 11:00 — The plumber comes tomorrow\n\n")
    assert look(desk, monkeypatch, DAY) == []


def test_what_facts_claimed_that_are_gone_is_forgotten_on_the_next_day(desk, monkeypatch):
    desk.write("MEMORY.md", "- Tax return: due 2026-10-01\n- Likes Go\n")
    look(desk, monkeypatch, DAY)
    desk.write("MEMORY.md", "- Tax return: due 2026-12-01\n- Likes Go\n")
    look(desk, monkeypatch, DAY)
    look(desk, monkeypatch, DAY + timedelta(days=1))
    assert list(Claim.objects.filter(about__startswith="until").values_list("about", flat=True)) == ["until 2026-12-01"]


def test_looking_at_everything_again_finds_the_same(desk, monkeypatch):
    desk.write("MEMORY.md", "- Tax return: due 2026-10-01\n")
    before = look(desk, monkeypatch, DAY)
    findings.check_everything(desk.bot)
    assert look(desk, monkeypatch, DAY) == before != []
