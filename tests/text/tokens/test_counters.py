"""Tokens are shared out over the pieces of a text so that they sum to what the whole costs, whoever counts."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from memory.text.tokens.counters import Estimate, Exact, counter
from memory.text.tokens.estimate import FAMILIES, GPT_4, LLAMA_2, apportion, estimate

ROOT = Path(__file__).resolve().parents[3]
ANYTHING = st.text(st.characters(codec=None), max_size=40)
COUNTERS = [Estimate(GPT_4), Estimate(LLAMA_2), Exact(GPT_4)]
each_counter = pytest.mark.parametrize("one", COUNTERS, ids=lambda one: one.name)
LLAMA = [  # texts with the number of tokens that Llama 2 makes of them
    ("## 09:41 — Peter prefers short answers and drinks green tea.\n\n## 14:05 — The hook failed twice.\n", 35),
    ("Sie wohnt in Köln, arbeitet als Krankenschwester und fährt jeden Morgen mit dem Fahrrad zur Arbeit.\n", 31),
    ("她喜欢在早上喝绿茶，周末常和朋友去爬山。她的生日是三月十七日。\n", 50),
    ("Она живёт в Казани и работает медсестрой в детской больнице.\n", 23),
]


@each_counter
@settings(deadline=None)
@given(pieces=st.lists(ANYTHING, max_size=12))
def test_pieces_sum_to_the_whole(one, pieces):
    found = one.spread(pieces)
    assert len(found) == len(pieces)
    assert sum(found) == one.count("".join(pieces))
    assert all(tokens >= 0 for tokens in found)


@pytest.mark.slow
@each_counter
@settings(deadline=None)
@given(pieces=st.lists(ANYTHING.filter(bool), min_size=1, max_size=6))
def test_the_same_text_is_always_shared_the_same_way(one, pieces):
    assert list(one.spread(pieces)) == list(one.spread(list(pieces)))
    halves = one.spread(["".join(pieces[: len(pieces) // 2]), "".join(pieces[len(pieces) // 2 :])])
    assert sum(halves) == sum(one.spread(pieces))


@given(pieces=st.lists(ANYTHING, max_size=8), at=st.integers(0, 7))
def test_a_token_belongs_to_the_piece_that_holds_its_first_byte(pieces, at):
    exact = Exact(GPT_4)
    before, after = "".join(pieces[:at]), "".join(pieces[at:])
    assert exact.spread([before, after])[0] == sum(exact.spread(pieces)[:at])


def test_tokens_that_begin_before_a_piece_are_not_its():
    assert list(Exact(GPT_4).spread(["Wednes", "day", "!"])) == [1, 0, 1]
    assert list(Exact(GPT_4).spread(["- one", "\n\n", "- two"])) == [2, 1, 2]


def test_exact_count_is_that_of_the_vocabulary():
    assert counter() == Exact(GPT_4)
    for text, tokens in (("hallo 你好 🙂\n", 7), ("<|endoftext|>", 7), ("a\ud800b", 3), ("", 0)):
        assert counter().count(text) == tokens


def test_counter_says_what_it_is():
    assert [one.name for one in COUNTERS] == ["estimate, cl100k_base", "estimate, Llama 2", "exact, cl100k_base"]
    assert [one.exact for one in COUNTERS] == [False, False, True]


def test_family_without_its_vocabulary_is_estimated():
    assert counter("llama-2") == Estimate(LLAMA_2)


def test_without_the_vocabulary_there_is_the_estimate():
    program = "import sys; sys.modules['tiktoken'] = None; from memory.text.tokens.counters import counter; print(counter().name)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "estimate, cl100k_base\n"


@pytest.mark.parametrize(("text", "tokens"), LLAMA)
def test_estimate_for_llama_is_close_to_what_its_vocabulary_makes(text, tokens):
    assert estimate(text * 10, LLAMA_2) == pytest.approx(tokens * 10, rel=0.15)


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_estimate_of_pieces_is_near_what_each_costs_alone(family):
    pieces = ["- Lives in Lisbon with two cats\n", "## 09:41 — 你好\n\n", "- 🙂\n"] * 20
    for tokens, piece in zip(Estimate(family).spread(pieces), pieces, strict=True):
        assert abs(tokens - estimate(piece, family)) <= 1


@pytest.mark.parametrize(
    ("whole", "weights", "parts"),
    [(10, [1, 1, 2], [3, 2, 5]), (1, [1, 1], [1, 0]), (3, [0, 0], [3, 0]), (0, [], []), (5, [0, 7, 0], [0, 5, 0])],
)
def test_shared(whole, weights, parts):
    assert apportion(whole, weights) == parts


@each_counter
def test_a_megabyte_in_thousands_of_pieces_is_quick(one):
    pieces = [f"- Lives in Lisbon with {number} cats, 你好\n" for number in range(25_000)]
    started = time.process_time()
    assert sum(one.spread(pieces)) > 250_000
    assert time.process_time() - started < 2
