"""The day that a fact looks ahead to; what is done, comes again or is told of the past looks ahead to none."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from memory.text.claims.due import due_day, resolve_day


@pytest.mark.parametrize(
    "text",
    [
        "Tax return: due 2026-10-31",
        "Passport expires on October 31, 2026",
        "Must submit the form by 31 October 2026",
        "La factura vence el 31 de octubre de 2026",
        "Hay que pagar antes del 31 de octubre de 2026",
        "Steuererklärung fällig am 31. Oktober 2026",
        "Muss den Antrag bis 31.10.2026 abgeben",
        "报税截止日期：2026年10月31日",
        "2026年10月31日之前提交报告",
        "2026-10-30 09:00 — The plumber comes tomorrow",
        "2026-10-30 — El fontanero viene mañana",
        "2026-10-29 — 后天开会",
        "2026-10-23 — Meets Luis next Saturday",
        "Offer: valid until 2026-10-01, deadline 2026-10-31",
    ],
)
def test_a_day_that_is_looked_ahead_to(text):
    assert due_day(text) == "2026-10-31"


@pytest.mark.parametrize(
    "text",
    [
        "Ana's birthday is 2026-10-31",
        "Moved to Porto on 2026-10-31",
        "Lived in Porto until 2026-10-31",
        "By 2026-10-31 the team had grown",
        "[x] Tax return due 2026-10-31",
        "Tax return due 2026-10-31, paid",
        "Rent is due every month, next 2026-10-31",
        "Steuererklärung fällig am 31. Oktober 2026, erledigt",
        "报税截止2026年10月31日，已完成",
        "Tax return: due October 31",
        "The plumber comes tomorrow",
        "2026-10-30 09:00 — Quote: mañana por la mañana, siempre lo mismo cada año",
        "2026-10-30 09:00 — The plumber came",
        "Ship date 3/4/2026",
        "",
    ],
)
def test_what_looks_ahead_to_no_sure_day(text):
    assert due_day(text) == ""


@given(st.text(max_size=300))
def test_any_text_has_a_day_or_none(text):
    assert len(due_day(text)) in (0, 10)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("2026-10-30 09:00 — The plumber comes tomorrow", "2026-10-30 09:00 — The plumber comes 2026-10-31"),
        ("2026-10-29 — 后天开会", "2026-10-29 — 2026-10-31开会"),
        ("2026-10-23 — Meets Luis next Saturday", ""),  # of which week, nobody knows
        ("2026-10-30 — Pay tomorrow, due 2026-10-31", "2026-10-30 — Pay 2026-10-31, due 2026-10-31"),
        ("2026-10-29 — Pay tomorrow, due 2026-10-31", ""),
        ("Tax return: due 2026-10-31", ""),
        ("The plumber comes tomorrow", ""),
    ],
)
def test_tomorrow_becomes_the_day_that_was_meant(text, after):
    assert resolve_day(text) == (after, "2026-10-31" if after else "")
