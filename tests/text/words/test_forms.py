"""Other forms of a word: what the index may have, for whatever is typed."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

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
    "pair",
    [
        *("machen gemacht", "liefern geliefert", "arbeiten arbeitet", "arbeiten gearbeitet", "sammeln gesammelt"),
        *("rechnen gerechnet", "öffnen geöffnet", "anmelden angemeldet", "einkaufen eingekauft", "warten gewartete"),
        *("finden gefunden", "fand gefunden", "gibt gegeben", "denken gedacht", "brachten bringen", "Fährt gefahren"),
        *("anrufen angerufen", "rief rufen", "verstehen verstanden", "bekam bekommen", "vergaß vergessen"),
        *(
            "halten hältst",
            "gibst geben",
            "fährst gefahren",
            "behältst behalten",
            "trittst treten",
            "anhalten anhältst",
        ),
        *("lápiz lápices", "luz luces", "vez veces", "buscar busqué", "organizar organicé"),
        *("decided decision", "conclude conclusions", "respond response", "expanding expansion", "divided division"),
        *("ir fui", "fueron voy", "hacer hice", "hecho hizo", "decir dije", "tener tuvo", "duermo durmió"),
    ],
)
def test_form_leads_to_the_word_and_back(pair):
    one, other = pair.split()
    assert words(other)[0] in forms(one)
    assert words(one)[0] in forms(other)


@pytest.mark.parametrize(
    "pair",
    [
        *("Gehalt halt", "Gesicht sich", "Gewalt Wal", "Geburt burn", "Geschäft Schaf"),
        *("Gefahr fahren", "gedacht Dach", "Gewicht wicht"),
        *("brachte brechen", "liefern laufen", "führen fahren", "Finger fangen", "Magen mochte", "Gewinn Wein"),
        *("base bad", "raid raise", "closed close", "cause caudal", "Claude clause", "sense send", "tense tends"),
        *("Franz France", "prize price", "place plaza", "vino venir", "half helfen", "bot bieten", "car que"),
    ],
)
def test_word_that_looks_like_a_form_of_another_is_none(pair):
    one, other = pair.split()
    assert words(other)[0] not in forms(one)
    assert words(one)[0] not in forms(other)


def test_a_verb_has_not_many_more_forms_than_any_word():
    assert max(len(forms(word)) for word in ("liefern", "geliefert", "anrufen", "angerufen", "hacer", "decir")) <= 70


@pytest.mark.parametrize(
    ("typed", "other"),
    [("plan", "plant"), ("plan", "planet"), ("wort", "worse"), ("comer", "company"), ("paint", "pain")],
)
def test_words_that_only_begin_alike_are_no_forms(typed, other):
    assert words(other)[0] not in forms(typed)


def test_little_words_are_no_forms():
    assert not {"die", "der", "the", "la"} & (forms("dier") | forms("lar") | forms("ther"))
