"""How well a few typed letters fit a name: all of them, in order, best where they stand together or begin a word."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")

WHOLE, BEGINNING, WORD, INSIDE = 1000, 800, 700, 500  # a name, its beginning, a word's beginning, anywhere
LETTER, TOGETHER, STARTS = 10, 15, 20  # of letters found one by one: each, after its neighbour, at a word's beginning
LONGEST = 300  # characters of a name that are looked at


def score(typed: str, name: str) -> int:
    """How well what was typed fits a name, 0 for not at all. Upper and lower case are one; each word must fit."""
    words = typed.casefold().split()
    there = name[:LONGEST].casefold()
    scores = [_word(word, there) for word in words]
    return 0 if 0 in scores else sum(scores) // max(len(scores), 1) - len(there) // 8 if scores else 1


def _word(word: str, there: str) -> int:
    if word == there:
        return WHOLE
    at = there.find(word)
    if at < 0:
        return _letters(word, there)
    if at == 0:
        return BEGINNING
    return WORD if _starts_word(there, at) or any(_starts_word(there, i) for i in _places(word, there, at)) else INSIDE


def _places(word: str, there: str, at: int) -> Iterable[int]:
    while at >= 0:
        yield at
        at = there.find(word, at + 1)


def _letters(word: str, there: str) -> int:
    """The letters one by one, each at its first place after the one before."""
    total, last = 0, -1
    for letter in word:
        at = there.find(letter, last + 1)
        if at < 0:
            return 0
        total += LETTER + (TOGETHER if last >= 0 and at == last + 1 else 0) + (STARTS if _starts_word(there, at) else 0)
        last = at
    spread = last - there.find(word[0]) + 1
    return max(total - spread, 1) if spread <= 4 * len(word) + 8 else 0


def _starts_word(there: str, at: int) -> bool:
    return at == 0 or not there[at - 1].isalnum()


def best_matches(typed: str, candidates: Iterable[T], name: Callable[[T], Iterable[str]], most: int) -> list[T]:
    """The candidates that fit, best first; among equals those that came first. `name` gives all names of one."""
    found = [(max((score(typed, one) for one in name(candidate)), default=0), candidate) for candidate in candidates]
    return [one for points, one in sorted(found, key=lambda pair: -pair[0])[:most] if points > 0]
