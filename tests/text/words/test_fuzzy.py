from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from memory.text.words.fuzzy import LONGEST, best_matches, score

text = st.text(max_size=40)


@pytest.mark.parametrize(
    ("typed", "better", "worse"),
    [
        ("days", "Days", "Days with entries"),
        ("fam", "Family", "The family"),
        ("fam", "The family", "Infamous"),
        ("mem", "MEMORY.md", "My elder mother"),
        ("tg1", "telegram-1", "the gang of 21"),
        ("plan comp", "Plan a compaction", "Planet of the companions, a very long name indeed"),
        ("123", "telegram-123", "telegram-9123"),
    ],
)
def test_what_was_rather_meant_comes_first(typed, better, worse):
    assert score(typed, better) > score(typed, worse)


@pytest.mark.parametrize(("typed", "name"), [("xyz", "telegram-1"), ("ba", "ab"), ("days", ""), ("a z", "a")])
def test_what_does_not_fit_is_nothing(typed, name):
    assert score(typed, name) == 0


def test_letters_far_apart_are_chance():
    assert score("abc", "a" + "x" * 50 + "b" + "x" * 50 + "c") == 0


@given(text, text)
def test_fits_only_what_has_its_letters_in_order(typed, name):
    letters = iter(name.casefold())
    if score(typed, name) > 0:
        assert all(
            all(letter in rest for letter in word) for word in typed.casefold().split()[:1] for rest in [letters]
        )


@given(text.filter(str.strip))
def test_everything_fits_itself_best(name):
    words = " ".join(name.split())
    assert score(words, words) > 0


def test_of_equals_the_first_stays_first_and_none_is_shown_that_does_not_fit():
    names = ["chat one", "chat two", "no", "chat ten"]
    assert best_matches("chat", names, lambda name: [name], 2) == ["chat one", "chat two"]


def test_any_of_its_names_finds_a_thing():
    assert best_matches("fam", [("telegram-1", "Family"), ("telegram-2", "")], lambda names: names, 9) == [
        ("telegram-1", "Family")
    ]


def test_endless_names_cost_no_time():
    assert score("ab" * 100, "a" * 10 * LONGEST) == 0
