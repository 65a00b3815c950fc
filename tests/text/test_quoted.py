"""Texts in the sentences that the history keeps."""

from __future__ import annotations

from hypothesis import given, strategies as st

from memory.text.storable import QUOTED, quote, quote_pair


def test_what_changed_far_behind_the_beginning_is_seen():
    before = "Tomás wrote about the translation: twice, 40 pages, see the list of invoices of the year before"
    assert quote_pair(before, f"{before} (checked)") == (
        "“…of the year before”",
        "“…of the year before (checked)”",
    )
    assert quote_pair("Likes tea", "Likes green tea") == ("“Likes tea”", "“Likes green tea”")


@given(st.text(max_size=150), st.text(max_size=30), st.text(max_size=30))
def test_two_texts_that_read_otherwise_are_quoted_otherwise(start, one, two):
    before, after = start + one, start + two
    first, second = quote_pair(before, after)
    assert max(map(len, (first, second))) <= QUOTED + 3
    whole = 1000
    assert (first == second) == (quote(before, whole) == quote(after, whole))
