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

_WORD, _ASCII_WORD = re.compile(r"[^\W_]+"), re.compile(r"[a-z0-9]+")  # the second reads in half the time
_NAME_INSIDE = re.compile(r" [A-Z](?<=[a-z,;] [A-Z])[a-z]")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_REGULAR = re.compile(r"ed(?<=[^\W_]{5})(?![^\W_])")  # the end of a longer word
_ASKS = re.compile(r"[?？؟][\"'”’»)]*\s*+(?:\[[^\[\]]*\]|\([^()]*\))?\s*\Z")  # what is added in brackets asks nothing
_LONGEST = 2_000  # characters that are looked at


def traits(text: str) -> Trait:
    """The traits of a text."""
    some = text[-_LONGEST:]
    folded = fold(some)
    words = set((_ASCII_WORD if folded.isascii() else _WORD).findall(folded))
    numbers = list(filter(str.isdigit, words))
    found = 0
    if _ASKS.search(some):
        found += Trait.ASKS
    if not words.isdisjoint(TIME) or any(map(_YEAR.fullmatch, numbers)):
        found += Trait.TIMED
    if _NAME_INSIDE.search(some):
        found += Trait.NAMES
    if not words.isdisjoint(AMOUNTS) or numbers:
        found += Trait.COUNTS
    if not words.isdisjoint(PAST) or _REGULAR.search(folded):
        found += Trait.PAST
    return Trait(found)
