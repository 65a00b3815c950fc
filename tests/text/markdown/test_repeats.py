"""What counts as one line written again and again."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, strategies as st

from memory.text.markdown.repeats import LEAST, Standing, likeness, standings, standings_by_day


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Heartbeat OK at 09:00", "Heartbeat OK at 13:20"),
        ("Heartbeat 7 ok, load 0.12", "Heartbeat 1,024 ok, load 11.5"),
        ("Sent job 9f2c1b to the queue", "Sent job 0 to the queue"),
        ("Run deadbeef-cafe-babe-face-abcdefabcdef ended", "Run 0f8fad5b-d9cb-469f-a165-70867728950e ended"),
        ("Backup of 2026-11-03 done.", "Backup  of 2026-11-4 DONE."),
        ("Latido ñ 3 correcto", "latido Ñ 12 correcto"),
    ],
)
def test_repeats_differ_in_numbers_ids_and_looks_only(one, other):
    assert likeness(one) == likeness(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Heartbeat OK at 09:00", "Heartbeat failed at 09:00"),
        ("Ana likes tea", "Ana likes coffee"),
        ("Paid 20 EUR to Ana", "Paid 20 EUR to Bob"),
        ("cafe", "face"),
        ("Deploys on 3 Fridays", "Deploys on Fridays"),
    ],
)
def test_words_tell_texts_apart(one, other):
    assert likeness(one) != likeness(other)


@pytest.mark.parametrize("text", ["", "42", "09:00 - 10:00", "3 4 5", "✅ 7"])
def test_figures_without_a_word_are_no_repeats(text):
    assert likeness(text) == ""


def runs(*said):
    return [one.run for one in standings(said)]


def test_runs_of_three_fold_and_shorter_ones_do_not():
    said = [("", text) for text in ("x", "y 1", "y 2", "z 1", "z 2", "z 3", "x")]
    assert runs(*said) == [1, 1, 1, 3, 0, 0, 1]


def test_what_has_no_likeness_never_folds():
    assert runs(*[("10:00", "7")] * 5) == [1] * 5


def test_a_run_says_from_when_until_when():
    first, *others = standings([("09:00", "ok 1"), ("", "ok 2"), ("11:00", "ok 3"), ("", "ok 4")])
    assert first == Standing("09:00", 4, "11:00")
    assert others == [Standing("09:00", 0), Standing("11:00", 0), Standing("11:00", 0)]


def test_entries_without_a_time_stand_with_the_one_before_them():
    said = standings([("", "a"), ("10:00", "b"), ("", "c"), ("08:00", "d"), ("", "e")])
    assert [one.since for one in said] == ["", "10:00", "10:00", "08:00", "08:00"]


def test_no_run_and_no_time_goes_on_into_another_day():
    said = [("monday", "23:00", "ok 1"), ("monday", "", "ok 2"), ("tuesday", "", "ok 3"), ("tuesday", "10:00", "ok 4")]
    assert standings_by_day(said) == [Standing("23:00"), Standing("23:00"), Standing(""), Standing("10:00")]
    assert [one.run for one in standings_by_day([("monday", "", f"ok {number}") for number in range(3)])] == [3, 0, 0]


@given(st.lists(st.tuples(st.sampled_from(["", "10:00", "11:30"]), st.sampled_from(["", "x 1", "x 2", "y"]))))
def test_runs_cover_everything_in_order(said):
    found = standings(said)
    assert len(found) == len(said)
    at = 0
    while at < len(found):
        count = found[at].run
        inside = range(at + 1, at + count)
        assert count == 1 or count >= LEAST
        assert [found[n].run for n in inside] == [0] * len(inside)
        assert len({likeness(said[n][1]) for n in range(at, at + count)}) == 1
        at += count


@given(st.text(), st.integers(0, 10**9), st.integers(0, 10**9))
def test_another_number_makes_no_difference(text, one, other):
    assert likeness(f"{text} run {one} over") == likeness(f"{text} run {other} over")


@pytest.mark.parametrize(
    "text", ["a" * 300_000, "a1" * 150_000, "1." * 150_000, "a" * 150_000 + "." * 150_000, "_" * 300_000]
)
def test_long_hostile_texts_take_no_time(text):
    began = time.thread_time()
    likeness(text)
    assert time.thread_time() - began < 2
