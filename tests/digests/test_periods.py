"""Which digest is due when."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from memory.digests.periods import LONGEST, due

MONDAY = date(2026, 11, 23)


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("often", "now", "days"),
    [
        ("never", "2026-11-23 12:00", None),
        ("daily", "2026-11-23 06:59", None),
        ("daily", "2026-11-23 07:00", (date(2026, 11, 22), date(2026, 11, 23))),  # eight in Madrid
        ("weekly", "2026-11-23 06:59", None),
        ("weekly", "2026-11-23 07:00", (date(2026, 11, 16), MONDAY)),
        ("weekly", "2026-11-26 01:00", (date(2026, 11, 16), MONDAY)),  # no worker ran on Monday
    ],
)
def test_digest_is_due_from_its_hour_in_its_persons_zone(often, now, days):
    found = due(often, 8, "Europe/Madrid", at(now), None)
    assert (found and (found.since, found.until)) == days


def test_days_without_a_worker_are_in_the_next_one():
    found = due("daily", 8, "UTC", at("2026-11-23 09:00"), date(2026, 11, 19))
    assert (found.since, found.until) == (date(2026, 11, 19), MONDAY)
    assert due("daily", 8, "UTC", at("2026-11-23 09:00"), date(2025, 1, 1)).since == MONDAY - LONGEST


@given(
    st.lists(st.integers(1, 40_000), min_size=1, max_size=60),
    st.sampled_from(["daily", "weekly"]),
    st.integers(0, 23),
    st.sampled_from(["UTC", "Europe/Madrid", "America/Mexico_City", "Pacific/Kiritimati"]),
)
def test_periods_follow_each_other_without_a_gap_or_an_overlap(minutes, often, hour, zone):
    """However often and rarely somebody looks, also over the days on which clocks change."""
    now, told, names = at("2026-03-20 00:00"), None, set()
    for some in minutes:
        now += timedelta(minutes=some)
        found = due(often, hour, zone, now, told)
        if found is None or found.name in names:
            continue
        assert found.since < found.until <= now.date() + timedelta(days=1)
        assert told is None or found.since == told or found.until - told > LONGEST
        told = found.until
        names.add(found.name)
