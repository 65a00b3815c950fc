"""Several threads stem words at once, and each gets what it would get alone."""

from __future__ import annotations

import random
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from memory.text.words import forms, terms

SYLLABLES = ("ation", "ing", "ness", "ful", "ically", "garden", "remember", "ed", "s", "ies", "tional")


@pytest.fixture
def often():
    """Threads take turns after each step."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize("stemmed", [terms._stem, forms.forms.__wrapped__], ids=["a stem", "other forms"])
def test_threads_do_not_spoil_each_others_words(often, stemmed):
    dice = random.Random(1)
    words = [["".join(dice.choices(SYLLABLES, k=3)) for _ in range(300)] for _ in range(6)]
    with ThreadPoolExecutor(6) as threads:
        together = list(threads.map(lambda some: [stemmed(word) for word in some], words))
    assert together == [[stemmed(word) for word in some] for some in words]
