"""Texts that a machine wrote again and again: the same but for their numbers and ids."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from memory.text.normal import normalise

LEAST = 3  # so many in a row are a run; two may be chance

# A UUID, or a word that holds a digit with whatever figures hang on it: 14:05, 1.234, 2026-11-03, req_9f2.
_WITH_DIGIT = r"[^\W\d]*+\d\w*+"
_VARIABLE = re.compile(
    rf"\b(?:[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}\b|{_WITH_DIGIT}(?:[.,:/-]{_WITH_DIGIT})*+)"
)


def likeness(text: str) -> str:
    """The normalised text with "#" for every number and id, so that repeats are equal; "" if no word would be left."""
    alike = _VARIABLE.sub("#", normalise(text))
    return alike if any(map(str.isalpha, alike)) else ""


def runs(likenesses: Iterable[tuple[object, str]]) -> list[tuple[int, int]]:
    """(start, length) of the runs of equal neighbours, each (whose, likeness), in order and without a gap. What is no run of
    LEAST or more has the length 1."""
    found: list[tuple[int, int]] = []
    at = 0
    for (_, alike), same in groupby(likenesses):
        count = sum(1 for _ in same)
        if alike and count >= LEAST:
            found.append((at, count))
        else:
            found += [(at + n, 1) for n in range(count)]
        at += count
    return found
