"""Rates and refusals: cheap, bounded, and right."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db import DatabaseError
from hypothesis import given, strategies as st

from memory.access import rate_limit
from memory.models import RefusedCalls
from memory.webhook import refused_calls

NOON = datetime(2026, 3, 4, 12, 0, 30, tzinfo=UTC)


@given(st.integers(1, 1000), st.lists(st.floats(0, 100), max_size=200))
def test_no_minute_takes_more_than_two_minutes_worth(limit, gaps):
    """A burst of a minute's worth, and what a minute earns back beside it: never more in any sixty seconds."""
    now, due, taken = 1e9, 0.0, []
    for gap in gaps:
        now += gap / limit
        due, wait = rate_limit.step(due, limit, now)
        if not wait:
            taken.append(now)
    for start in taken:
        assert sum(start <= one < start + 60 for one in taken) <= 2 * limit


def test_burst_is_the_limit_and_waiting_as_told_helps():
    now, due = 1e9, 0.0
    waits = []
    for _ in range(11):
        due, wait = rate_limit.step(due, 10, now)
        waits.append(wait)
    assert waits[:10] == [0.0] * 10
    assert waits[10] > 0
    assert rate_limit.step(due, 10, now + waits[10])[1] == 0.0


def test_clock_that_was_set_back_locks_nobody_out():
    due, _ = rate_limit.step(1e9 + 86400, 10, 1e9)
    assert due <= 1e9 + 60 + 6


def test_rate_is_shared_through_its_file(settings, tmp_path):
    settings.KENOWEB_HOME = tmp_path
    assert [rate_limit.wait("a", 2, 1e9) for _ in range(3)] == [0, 0, 30]
    assert rate_limit.wait("b", 2, 1e9) == 0
    (tmp_path / "rates" / "a").write_bytes(b"short")
    assert rate_limit.wait("a", 2, 1e9) == 0


def test_flood_is_counted_whole_with_few_writes(db, django_assert_max_num_queries):
    tally = refused_calls.Tally()
    with django_assert_max_num_queries(refused_calls.WRITES_A_SECOND * 8):
        for _ in range(1000):
            tally.count("203.0.113.9", 401, "invalid signature", NOON)
    tally.flush()
    row = RefusedCalls.objects.get()
    assert (row.count, row.minute.second, str(row.address)) == (1000, 0, "203.0.113.9")


def test_flood_from_many_addresses_makes_few_rows(db):
    tally = refused_calls.Tally()
    for number in range(1200):  # for two minutes
        at = NOON + timedelta(seconds=number // 10)
        tally.count(f"203.0.{number // 250}.{number % 250}", 401, "invalid signature", at)
    tally.flush()
    rows = RefusedCalls.objects.all()
    assert sum(row.count for row in rows) == 1200
    for minute in {row.minute for row in rows}:
        named = [row for row in rows if row.minute == minute]
        assert len(named) == min(refused_calls.NAMED_A_MINUTE + 1, sum(row.count for row in named))
        assert refused_calls.UNKNOWN in {str(row.address) for row in named}


def test_address_that_is_none_is_counted_too(db):
    tally = refused_calls.Tally()
    tally.count("", 401, "invalid signature", NOON)
    assert RefusedCalls.objects.get().address == refused_calls.UNKNOWN


def test_count_that_cannot_be_written_is_kept(db, monkeypatch):
    tally = refused_calls.Tally()

    def refuse(*_args):
        raise DatabaseError("locked")

    with monkeypatch.context() as patch:
        patch.setattr(refused_calls, "_add", refuse)
        tally.count("203.0.113.9", 401, "invalid signature", NOON)
    assert not RefusedCalls.objects.exists()
    tally.flush()
    assert RefusedCalls.objects.get().count == 1
