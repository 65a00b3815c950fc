"""What a merged line makes of its sources although each of their words is in it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text.judging import doubts, judge
from memory.text.laying import rearranged
from memory.text.operations import Fact, Merge

HONEST = [
    ("Ana lives in Lisbon now and likes tea", ["Ana lives in Lisbon now", "Ana likes tea"]),
    ("A's port is 80 and B's port is 81", ["A's port is 80", "B's port is 81"]),
    ("Ana and Bob like tea", ["Ana likes tea", "Bob likes tea"]),
    ("Ana does not like tea, but Bob likes tea", ["Bob likes tea", "Ana does not like tea"]),
    ("Ana likes tea, coffee and milk", ["Ana likes tea", "Ana likes coffee", "Ana likes milk"]),
    ("The meeting is on Monday at 10:00", ["The meeting is on Monday", "The meeting is at 10:00"]),
    ("Ana likes green tea from China", ["Ana likes green tea", "green tea from China"]),
    ("Ana has a cat named Tom, who is black", ["Ana has a cat named Tom", "Tom is black"]),
    ("A Ana le gusta el té y el café", ["A Ana le gusta el té", "A Ana le gusta el café"]),
    ("我喜欢茶，她住在北京", ["我喜欢茶", "她住在北京"]),
    ("Run `make test` in `app/`", ["Run `make test` in `app/`"]),
]

LIES = [
    ("the cat bit the dog", ["the dog bit the cat"]),
    ("my brother owes my sister money", ["my sister owes my brother money"]),
    ("the dog is black, the cat is white", ["the cat is black", "the dog is white"]),
    ("wifi password is banana and mail password is apple", ["wifi password is apple", "mail password is banana"]),
    ("cats swim, dogs do not swim", ["cats do not swim", "dogs swim"]),
    ("Ana likes meat and not fish", ["Ana likes fish and not meat"]),
    ("Never restart the backup server. Always restart the primary server",
     ["Never restart the primary server", "Always restart the backup server"]),
    ("Ana never drinks tea and coffee", ["Ana never drinks tea", "Ana drinks coffee"]),
    ("Ana drinks tea, not coffee and milk", ["Ana drinks tea, not coffee", "Ana drinks milk"]),
    ("Ana smokes, Bob hardly smokes", ["Ana hardly smokes", "Bob smokes"]),
    ("Everyone came, Ana except", ["Everyone except Ana came"]),
    ("Steps: cut, peel, boil", ["Steps: boil, peel, cut"]),
    ("Use coffee instead of tea", ["Use tea instead of coffee"]),
    ("ratio dogs/cats", ["ratio cats/dogs"]),
    ("Flight to Rome from Oslo", ["Flight from Rome to Oslo"]),
    ("paid for Ana by Bob", ["paid by Ana for Bob"]),
    ("Turn off the alarm", ["Turn on the alarm"]),
    ("If Ana hates fish", ["Ana hates fish"]),
    ("Maybe Ana hates fish", ["Ana hates fish"]),
    ("It was said that Ana hates fish", ["Ana hates fish"]),
    ("Ana hates fish. You should always do this for him", ["Ana hates fish"]),
    ("Ana hates fish?", ["Ana hates fish"]),
    ("Bob wins. In 2020 Ana lost", ["Bob wins in 2020", "Ana lost"]),
    ("run `x` file ls", ["run `ls`", "file x"]),
    ("小红打了小明", ["小明打了小红"]),
    ("犬が猫を追う", ["猫が犬を追う"]),
    ("猫を犬が追う", ["猫が犬を追う"]),
    ("la carne le gusta a Ana, no el pescado", ["a Ana no le gusta la carne, el pescado"]),
]  # fmt: skip

DISGUISES = [
    ("Ana likes tea <!-- Ana hates fish -->", ["Ana hates fish", "Ana likes tea"]),
    ("Ana likes tea [//]: # (Ana hates fish)", ["Ana hates fish", "Ana likes tea"]),
    ("Ana likes tea, ~Ana hates fish~", ["Ana hates fish", "Ana likes tea"]),
    ("\u202eAna pays Bob", ["Ana pays Bob"]),
    ("\u202eAna pays Bob", ["\u202eAna pays Bob\u202c"]),
    ("Ana\u200d smokes", ["Ana smokes"]),
    ("Ana smokes\U000e0041\U000e0042", ["Ana smokes"]),
    ("Ana smokes\ufe00", ["Ana smokes"]),
    ("Ana smokes\b\b", ["Ana smokes"]),
    ("The password is secret", ["The password is Secret"]),
    ("The password is HUNTERtwo", ["The password is hunterTWO"]),
    ("Ana moved to us", ["Ana moved to US"]),
    ("Pages 5 and 8", ["Pages 5-8"]),
]


def flags(line, sources):
    facts = [Fact(source) for source in sources]
    [one] = judge(facts, [Merge(tuple(range(1, len(facts) + 1)), line)]).judgements
    return one.flags or one.losses


@pytest.mark.parametrize(("line", "sources"), HONEST)
def test_a_line_that_says_its_sources_as_they_stood_has_no_flag(line, sources):
    assert flags(line, sources) == ()


@pytest.mark.parametrize(("line", "sources"), [*LIES, *DISGUISES])
def test_a_line_that_says_something_else_with_the_same_words_has_one(line, sources):
    assert flags(line, sources) != ()


def test_a_line_may_say_the_day_of_all_its_sources_and_not_one_of_several():
    assert list(doubts("Ana moved (2026-01-12)", ["Ana moved"], ["2026-01-12", "2026-01-12"])) == []
    assert list(doubts("On 2026-01-09 Ana paid, Bob left", ["Ana paid", "Bob left"], ["2026-01-05", "2026-01-09"]))


@given(st.lists(st.text(max_size=20), max_size=4), st.text(max_size=40))
def test_whatever_a_line_is_it_can_be_told(sources, line):
    assert set(rearranged(line, sources)) <= set(rearranged(line, []))
    assert rearranged(line, [line]) == ()


def test_the_longest_line_of_the_same_word_is_told_in_time():
    began = time.thread_time()
    rearranged("b " * 2000, ["b " * 4000, "b " * 1999 + "c", "c " + "b " * 1500])
    assert time.thread_time() - began < 5
