"""The question for the next summary: what the model is shown, and what becomes of its answer."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from memory.dialects.discoclaw.renewal.summary_question import exchange, renewed, request
from memory.text.utf16 import clip, count_units, prefix, truncate


def test_an_exchange_is_told_with_what_was_said_before_it():
    assert exchange("Ana", "Hi\nthere", "r" * 501) == f"[Ana]: Hi\nthere\n[Discoclaw]: {'r' * 500}"
    assert exchange("Ana", "Hi", "Ho", before="[Ana]: Well") == "[Ana]: Well\n[Ana]: Hi\n[Discoclaw]: Ho"


def test_what_was_said_is_put_in_as_it_is():
    said = "$& $1 {summary} {{exchange}} Current summary:"
    rules, told = request("$& {most}", exchange("Ana", said, "ok"), 2000)
    assert told.content == f"Current summary:\n$& {{most}}\n\nNew exchange:\n[Ana]: {said}\n[Discoclaw]: ok"
    assert "2000" in rules.content
    assert said not in rules.content


def test_the_first_summary_has_none_before_it():
    assert request(" \n", "x", 2000)[1].content.startswith("Current summary:\n(none)\n\n")
    assert "at most" not in request("", "x", 0)[0].content


@pytest.mark.parametrize("reply", ["", " \n\ufeff"])
def test_without_an_answer_the_last_summary_stays(reply):
    assert renewed("As before.", reply, 2000) == "As before."


def test_a_summary_is_trimmed_and_ends_at_a_word():
    assert renewed("old", "\ufeff Ana moved. \n", 2000) == "Ana moved."
    assert renewed("old", "Ana moved to Lisbon", 12) == "Ana moved to"
    assert renewed("old", "Ana moved to Lisbon", 14) == "Ana moved to"
    assert renewed("old", "Ana moved to Lisbon", 2) == "An"
    assert renewed("old", "アナは引っ越した。リスボンに住む。", 12) == "アナは引っ越した。"
    assert renewed("old", "x" * 5000, 0) == "x" * 5000
    assert renewed("o" * 3000, "", 2000) == "o" * 2000


@given(st.text(st.characters(codec="utf-8")), st.integers(0, 30))
def test_no_text_is_longer_than_it_may_be_and_no_character_is_torn(text, most):
    for cut in (prefix(text, most), clip(text, most)):
        assert count_units(cut) <= most
        assert text.startswith(cut)
        cut.encode()
    assert truncate(text, most) in (text, prefix(text, most) + "...")


@given(st.text("ab c\n", max_size=60), st.integers(1, 30))
def test_no_word_is_torn_that_need_not_be(text, most):
    cut = clip(text, most)
    if cut != text and cut.split() != text[:most].split():
        assert cut.split() == text[:most].split()[:-1]
