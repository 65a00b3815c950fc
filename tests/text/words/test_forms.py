"""Other forms of a word: what the index may have, for whatever is typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text.words.forms import forms
from memory.text.words.terms import words


@given(st.text(max_size=30))
def test_forms_are_words_as_the_index_has_them(typed):
    found = forms(typed)
    assert all(form.isascii() and form.isalpha() and form == form.lower() for form in found)
    assert not set(words(typed)) & found


@pytest.mark.parametrize("typed", ["", "42", "Müller!", "北京", "книга", "🎉", "a b", "x" * 5000])
def test_what_is_no_word_of_latin_letters_has_none(typed):
    assert not forms(typed)


@pytest.mark.parametrize(
    ("typed", "other"),
    [("plan", "plant"), ("plan", "planet"), ("wort", "worse"), ("comer", "company"), ("paint", "pain")],
)
def test_words_that_only_begin_alike_are_no_forms(typed, other):
    assert words(other)[0] not in forms(typed)


def test_little_words_are_no_forms():
    assert not {"die", "der", "the", "la"} & (forms("dier") | forms("lar") | forms("ther"))
