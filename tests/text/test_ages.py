from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from memory.text.ages import age

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-86_400, "just now"),
        (-1, "just now"),
        (0, "just now"),
        (59.999, "just now"),
        (60, "1 minute ago"),
        (119, "1 minute ago"),
        (120, "2 minutes ago"),
        (3_599, "59 minutes ago"),
        (3_600, "1 hour ago"),
        (7_199, "1 hour ago"),
        (7_200, "2 hours ago"),
        (86_399, "23 hours ago"),
        (86_400, "1 day ago"),
        (172_799, "1 day ago"),
        (172_800, "2 days ago"),
        (400 * 86_400, "400 days ago"),
    ],
)
def test_age_is_rounded_down_at_each_unit(seconds, words):
    assert age(NOW, NOW - timedelta(seconds=seconds)) == words


def test_age_compares_instants_across_zones_and_summer_time():
    zone = ZoneInfo("Europe/Berlin")
    before = datetime(2026, 3, 29, 1, 30, tzinfo=zone)
    after = datetime(2026, 3, 29, 3, 30, tzinfo=zone)
    assert age(after.astimezone(UTC), before) == "1 hour ago"


@given(st.datetimes(), st.datetimes())
def test_age_says_something_for_any_two_times(now, then):
    words = age(now, then)
    assert words == "just now" or (now > then and words.endswith(" ago"))
