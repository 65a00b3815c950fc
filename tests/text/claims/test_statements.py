"""What a short fact states of whom, in four languages; what leaves that open states nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from memory.text.claims.answers import agree
from memory.text.claims.denials import denied_texts
from memory.text.claims.statements import Statement, statement
from memory.text.claims.vocabulary import HINTS, NOUNS


@pytest.mark.parametrize(
    "text",
    [
        "Ana's birthday is March 15",
        "Ana: birthday is March 15",
        "The birthday of Ana is on the 15 March 1990",
        "Ana was born on 1990-03-15.",
        "**Ana’s birthday**: 15 March",
        "2026-01-05 10:00 — Ana: birthday is March 15",
        "El cumpleaños de Ana es el 15 de marzo",
        "Ana cumple años el 15 de marzo",
        "Ana nació el 15 de marzo de 1990",
        "Geburtstag von Ana: 15. März",
        "Ana hat am 15. März Geburtstag",
        "Ana wurde am 15. März 1990 geboren",
    ],
)
def test_one_birthday_in_many_words(text):
    assert statement(text) == Statement("ana", "birthday", "03-15")


@pytest.mark.parametrize("text", ["安娜的生日是3月15日", "安娜生日：3月15日", "安娜出生于1990年3月15日。"])
def test_a_birthday_in_chinese(text):
    assert statement(text) == Statement("安娜", "birthday", "03-15")


@pytest.mark.parametrize(
    ("text", "heading", "subject"),
    [
        ("Lives in Porto", "", ""),
        ("The user lives in Porto", "", ""),
        ("Lives in Porto", "User preferences", ""),
        ("Lives in Porto", "Marta", "marta"),
        ("Marta lives in Porto, Portugal (since 2020)", "", "marta"),
    ],
)
def test_whose_it_is_where_only_the_heading_names_somebody(text, heading, subject):
    assert statement(text, heading) == Statement(subject, "home en", "porto")


@pytest.mark.parametrize(
    "text",
    [
        "Her birthday is March 15",
        "Next birthday: March 15",
        "This chat plans the birthday of Luis",
        "When is Ana's birthday?",
        "Ana's birthday party is on March 15",
        "Ana's birthday is in March",
        "Ana's birthday is 3/4/1990",
        "Ana lives in Spain",
        "Ana lives in a flat",
        "Ana lives in NYC",
        "Works for me",
        "Works at night",
        "Primary language: Spanish, English for work",
        "Main language is not Spanish",
        "Ana's favourite colour is blue or green",
        "Time zone: UTC",
        "Server: disk at 90 % on nas",
        "Ana's birthday is March 15\nand she likes cake",
        "",
    ],
)
def test_what_is_open_states_nothing(text):
    assert statement(text) is None


@pytest.mark.parametrize(
    ("text", "positive"),
    [
        ("Ana doesn't drink coffee", "Ana drinks coffee"),
        ("Ana no longer eats meat", "Ana eats meat"),
        ("Ana hates tea", "Ana likes tea"),
        ("Never use tabs", "always use tabs"),
        ("No le gusta el café", "le gusta el café"),
        ("Ana ya no come carne", "Ana come carne"),
        ("Ana trinkt keinen Kaffee", "Ana trinkt Kaffee"),
        ("Ana mag Kaffee nicht", "Ana mag Kaffee"),
        ("安娜不喜欢咖啡", "安娜喜欢咖啡"),
    ],
)
def test_what_is_denied(text, positive):
    assert positive in denied_texts(text)


@pytest.mark.parametrize("word", [word for _sort, words in NOUNS.values() for word in words.split("|")])
def test_every_word_is_found_by_one_of_the_hints(word):
    assert any(hint in word.lower() for hint in HINTS)


@given(st.text(max_size=200), st.text(max_size=40))
def test_any_text_is_read_and_says_the_same_again(text, heading):
    assert statement(text, heading) == statement(text, heading)
    assert text not in denied_texts(text)


@given(st.text(max_size=40))
def test_an_answer_agrees_with_itself(value):
    assert agree(value, value)


def test_an_answer_that_only_says_more_agrees():
    assert agree("ana garcia", "ana")
    assert not agree("porto", "lisbon")
