from __future__ import annotations

import random
import time
from difflib import SequenceMatcher
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from memory.text.merge.lines import gaps, match

few = st.lists(st.sampled_from("abc"), max_size=30)
many = st.lists(st.integers(0, 40), max_size=40)


def longest(a, b):
    row = [0] * (len(b) + 1)
    for x in a:
        before = 0
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], before + 1 if x == y else max(row[j], row[j - 1])
    return row[-1]


@given(st.one_of(st.tuples(few, few), st.tuples(many, many)))
def test_match_pairs_equal_lines_in_rising_order(texts):
    a, b = texts
    old = new = 0
    for run in match(a, b):
        assert run.size > 0
        assert run.old >= old
        assert run.new >= new
        assert a[run.old : run.old + run.size] == b[run.new : run.new + run.size]
        old, new = run.old + run.size, run.new + run.size
    assert old <= len(a)
    assert new <= len(b)


def test_match_of_lines_that_all_repeat_is_nearly_always_the_longest():
    rng = random.Random(5)
    found = possible = 0
    for _ in range(500):
        a, b = ([rng.choice("abc") for _ in range(rng.randrange(20))] for _ in range(2))
        found += sum(run.size for run in match(a, b))
        possible += longest(a, b)
    assert found > possible * 0.97


@given(st.one_of(st.tuples(few, few), st.tuples(many, many)))
def test_gaps_turn_the_old_lines_into_the_new(texts):
    a, b = texts
    made = list(a)
    for gap in reversed(gaps(a, b)):
        made[gap.lo : gap.hi] = b[gap.new_lo : gap.new_hi]
    assert made == b


@given(st.one_of(st.tuples(few, few), st.tuples(many, many)))
def test_gaps_never_touch(texts):
    a, b = texts
    places = gaps(a, b)
    for one, two in pairwise(places):
        assert one.hi < two.lo
        assert one.new_hi < two.new_lo


def test_gaps_of_a_repeated_line_stand_at_the_last_place_it_could_be():
    assert gaps(list("axxb"), list("axb")) == [(2, 3, 2, 2)]
    assert gaps(list("a-xxbc"), list("A-xbC")) == [(0, 1, 0, 1), (3, 4, 3, 3), (5, 6, 4, 5)]
    assert gaps(list("axxb"), list("axxxb")) == [(3, 3, 3, 4)]


def repeated(rng):
    return ["x"] * 100_000, ["x"] * 60_000 + ["y"] + ["x"] * 39_000


def shuffled_blocks(rng):
    lines = [f"line {i}" for i in range(50_000)]
    blocks = [lines[i : i + 10] for i in range(0, len(lines), 10)]
    rng.shuffle(blocks)
    return lines, [line for block in blocks for line in block]


def shuffled_lines_that_all_repeat(rng):
    lines = [f"line {i // 4}" for i in range(50_000)]
    return lines, rng.sample(lines, len(lines))


def two_kinds_of_line(rng):
    return [rng.choice("ab") for _ in range(50_000)], [rng.choice("ab") for _ in range(50_000)]


def nested(rng):
    a, b = [], []
    for i in range(30_000):  # each level becomes unique only once the level around it has been matched
        a.append(i // 2)
        b.append((i + 1) // 2)
    return a + a[::-1], b + b[::-1]


def edits_among_blank_lines(rng):
    a = [line for i in range(25_000) for line in (f"- fact {i}", "")]
    return a, [line if i % 7 else line + " edited" for i, line in enumerate(a)]


@pytest.mark.parametrize(
    "make",
    [repeated, shuffled_blocks, shuffled_lines_that_all_repeat, two_kinds_of_line, nested, edits_among_blank_lines],
)
def test_match_stays_near_linear(make):
    a, b = make(random.Random(7))
    started = time.process_time()
    runs = match(a, b)
    assert time.process_time() - started < 3
    assert runs


def test_match_finds_scattered_edits_whole():
    a, b = edits_among_blank_lines(None)
    assert sum(run.size for run in match(a, b)) == sum(x == y for x, y in zip(a, b, strict=True))


def test_match_is_about_as_good_as_difflib_on_words():
    rng = random.Random(3)
    words = [rng.choice(["the", "bot", "user", "likes", "tea", "and", "not", "on", "at"]) for _ in range(300)]
    other = [word for word in words if rng.random() > 0.1]
    ours = sum(run.size for run in match(words, other))
    assert ours >= sum(
        block.size for block in SequenceMatcher(None, words, other, autojunk=False).get_matching_blocks()
    )
