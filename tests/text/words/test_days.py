from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, strategies as st

from memory.text.words.days import parse_days

TODAY = date(2026, 11, 22)
WORDS = {"today": 0, "yesterday": -1}
MONTHS = {"january": 1, "march": 3, "may": 5, "june": 6, "july": 7, "november": 11}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("2026", ["2026"]),
        ("2026-11", ["2026-11"]),
        ("2026-1", ["2026-1"]),
        ("2026-11-0", ["2026-11-0"]),
        ("2026-3-05", ["2026-03-05"]),
        ("11-03", ["2026-11-03", "2025-11-03"]),
        ("nov 3", ["2026-11-03", "2025-11-03"]),
        ("3 Nov", ["2026-11-03", "2025-11-03"]),
        ("Nov. 3, 2024", ["2024-11-03"]),
        ("november", ["2026-11", "2025-11"]),
        ("nov 2024", ["2024-11"]),
        ("3 de nov", ["2026-11-03", "2025-11-03"]),
        ("yes", ["2026-11-21"]),
        ("Today", ["2026-11-22"]),
        ("", []),
        ("telegram-1", []),
        ("no", []),
        ("nov 3 may", []),
    ],
)
def test_days_that_were_meant(typed, meant):
    assert parse_days(typed, TODAY, WORDS, MONTHS) == meant


@given(st.text(max_size=30))
def test_nothing_that_is_typed_is_an_error(typed):
    for day in parse_days(typed, TODAY, WORDS, MONTHS):
        assert day[:4].isdecimal()
