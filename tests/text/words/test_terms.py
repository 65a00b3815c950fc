from __future__ import annotations

import time

from hypothesis import given, strategies as st

from memory.text.words.terms import spans, words

PIECES = ("do", "Ana", "s", "t", "LL", "ll", "re", "ve", "d", "x9", "'", "''", " ", ".", "_", "-", "don't", "y" * 70)


@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_a_plain_text_has_the_words_that_it_has_beside_a_letter_with_an_accent(pieces):
    text = "".join(pieces)
    assert [*words(text), "e"] == words(f"{text} é")


def test_marks_end_where_nobody_wants_more():
    asked = []
    text = "do you know " * 1000
    found = spans(text, lambda word: asked.append(word) or word == "do", most=5)
    assert found == [(at * 12, at * 12 + 2) for at in range(5)]
    assert len(asked) < 20
    assert spans(f"{text} é", "do".__eq__, most=5) == found
    assert len(spans(text, "do".__eq__)) == 1000


def test_words_of_a_long_line_are_found_in_time_that_grows_with_it():
    def seconds(number):
        began = time.process_time()
        assert len(words("do you " * number)) == 2 * number
        return time.process_time() - began

    assert seconds(200_000) < 60 * max(seconds(10_000), 0.005)
