"""What was worked out last is kept by its size."""

from __future__ import annotations

import pytest

from memory.text.byte_cache import ByteCache, byte_cached


def test_what_was_used_last_stays_as_far_as_there_is_room():
    kept = ByteCache(10)
    for name, size in (("a", 4), ("b", 4)):
        kept.put(name, name.upper(), size)
    assert kept.get("a") == "A"
    kept.put("c", "C", 4)
    assert [kept.get(name) for name in "abc"] == ["A", None, "C"]
    assert kept.size == 8


def test_another_size_takes_the_place_of_the_one_before():
    kept = ByteCache(10)
    for size in (9, 3, 5):
        kept.put("a", size, size)
    assert (kept.get("a"), kept.size) == (5, 5)


@pytest.mark.parametrize("size", [11, 10_000])
def test_what_is_larger_than_the_room_is_not_kept(size):
    kept = ByteCache(10)
    kept.put("a", "A", size)
    assert (kept.get("a"), kept.size) == (None, 0)


def test_a_function_of_texts_is_asked_once_as_long_as_there_is_room():
    asked = []

    @byte_cached(room=40, times=4)
    def length(text, *, twice=False):
        asked.append(text)
        return len(text) * (2 if twice else 1)

    assert [length("abcde"), length("abcde"), length("abcde", twice=True)] == [5, 5, 10]
    assert asked == ["abcde"] * 2
    assert length("x" * 10) == 10
    assert length("abcde") == 5
    assert asked == ["abcde", "abcde", "x" * 10, "abcde"]


def test_nothing_that_was_answered_is_asked_again_because_it_is_none():
    asked = []

    @byte_cached(room=10, times=1)
    def none(text):
        asked.append(text)

    assert (none("a"), none("a"), asked) == (None, None, ["a"])


def test_what_is_larger_than_the_room_drops_nothing_else():
    kept = ByteCache(10)
    kept.put("short", "one", 4)
    kept.put("long", "two", 4)
    kept.put("long", "two", 11)
    assert kept.get("short") == "one"
    assert kept.get("long") is None
    assert kept.size == 4
