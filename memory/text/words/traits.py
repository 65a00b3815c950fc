"""What sort of sentence a fact is: a question, or one that tells when, who, how many, or what happened."""

from __future__ import annotations

import re
from enum import IntFlag

from memory.text.words.english import AMOUNTS, PAST, TIME
from memory.text.words.terms import fold


class Trait(IntFlag):
    """What can be told of a text by looking at it. English and its like; of others most stay unknown."""

    ASKS = 1  # ends with a question mark
    TIMED = 2  # holds words or numbers of time
    NAMES = 4  # holds a name inside a sentence
    COUNTS = 8  # holds a number or amount
    PAST = 16  # tells of something past


TELLING = (Trait.TIMED, Trait.NAMES, Trait.COUNTS, Trait.PAST)

_WORD = re.compile(r"[^\W_]+")
_NAME_INSIDE = re.compile(r" [A-Z](?<=[a-z,;] [A-Z])[a-z]")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}(?<![^\W_]{5})(?![^\W_])")  # a word of its own
_REGULAR = re.compile(r"ed(?<=[^\W_]{5})(?![^\W_])")  # the end of a longer word
_ASKS = re.compile(r"[?？؟][\"'”’»)]*\s*+(?:\[[^\[\]]*\]|\([^()]*\))?\s*\Z")  # what is added in brackets asks nothing
_LONGEST = 2_000  # characters that are looked at


def traits(text: str) -> Trait:
    """The traits of a text."""
    some = text[-_LONGEST:]
    folded = fold(some)
    words = set(_WORD.findall(folded))
    found = 0
    if _ASKS.search(some):
        found += Trait.ASKS
    if not words.isdisjoint(TIME) or _YEAR.search(folded):
        found += Trait.TIMED
    if _NAME_INSIDE.search(some):
        found += Trait.NAMES
    if not words.isdisjoint(AMOUNTS) or any(map(str.isdigit, words)):
        found += Trait.COUNTS
    if not words.isdisjoint(PAST) or _REGULAR.search(folded):
        found += Trait.PAST
    return Trait(found)
