"""Which texts became which: one to one, the most alike first, and none that only shares a word."""

from __future__ import annotations

import pytest

from memory.text.likeness import MOST, pairs


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Lives in Berlin", "Lives in Oslo"),
        ("User works at Acme as an engineer", "User works at Initech as a manager"),
        ("Meeting with Lena on Friday at 10", "Meeting with Lena moved to Monday at 11"),
        ("Prefers short answers", "Prefers concise, direct answers"),
        ("Likes green tea", "Likes green tea, with milk and two sugars, but only after lunch"),
        ("2026-05-01 10:00 — The cat is called Minka", "The cat was called Minka"),
        ("用户喜欢喝茶", "用户喜欢喝咖啡"),
        ("El usuario vive en Madrid", "El usuario vive ahora en Sevilla"),
    ],
)
def test_other_wording_of_a_fact_is_recognised(before, after):
    assert pairs([before], [after]) == [(0, 0)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Has a dog called Rex", "Allergic to peanuts"),
        ("Ana's boat is called Albatros", "The boat was sold"),
        ("Drives a blue car", "The favourite colour is blue"),
        ("tea", "tea is what the guests of the harbour café drink"),
        ("User wants reminders by mail", "User lives in a small flat in Bonn"),
        ("", "Lives in Porto"),
    ],
)
def test_another_fact_is_not_taken_for_it(before, after):
    assert pairs([before], [after]) == []


def test_each_became_one_and_the_most_alike_come_first():
    were = ["Lives in Berlin", "Works in Berlin"]
    assert dict(pairs(were, ["Works in Bern", "Lives in Bern"])) == {0: 1, 1: 0}
    assert dict(pairs(were, ["Works in Berlin-Mitte"])) == {1: 0}


def test_so_many_that_it_would_take_long_are_left_alone():
    many = [f"Fact number {number}" for number in range(MOST // 100 + 1)]
    assert pairs(many, many[:100]) == []


def test_long_texts_are_not_compared_for_minutes():
    long = "Has said a lot about boats. " * 2000
    assert pairs([long], [long + "And then more."]) == []
    assert pairs([long[:2000]], [long[:2000] + "And then more."]) == [(0, 0)]
