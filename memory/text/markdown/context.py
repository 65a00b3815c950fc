"""What a fact stands under and who says it, as far as the text tells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from memory.text.markdown.entries import FactAt

APART = " › "
LONGEST = 200  # characters of headings that count; the nearest ones stay
MOST_WORDS = 3  # of a name
NAMED_WITHIN = 44  # characters, with the colon and the marks around

_HEADING = re.compile(r"^[ ]{0,3}(#{1,6})[ \t]+([^\n]*)", re.MULTILINE)
_MARKS = re.compile(r"[*_`~]+")
_SPEAKER = re.compile(r"(?:\*\*|__)?([^\W\d_][^\n:*/]{0,38}?)(?:\*\*|__)?:(?:\*\*|__)?[ \t]+\S")


def headings(text: str, facts: Iterable[FactAt]) -> list[str]:
    """For each fact, in file order, the headings above it, outermost first: "Projects › Boat". Neither its own nor mere dates."""
    found = [(match.start(), len(match[1]), match[2]) for match in _HEADING.finditer(text)]
    stack: list[tuple[int, str]] = []
    at, above = 0, []
    for fact in facts:
        while at < len(found) and found[at][0] < fact.start:
            _start, level, line = found[at]
            stack = [*(one for one in stack if one[0] < level), (level, line)]
            at += 1
        own = found[at][1] if at < len(found) and found[at][0] == fact.start else 7
        above.append(_chain([title for level, line in stack if level < own and (title := _title(line))]))
    return above


def speaker(text: str) -> str:
    """Whose words a fact begins with, as in "Ana: I moved", "" if it does not say. A name has a capital, or is of a script
    without any, and at most three words."""
    match = _SPEAKER.match(text) if ":" in text[:NAMED_WITHIN] else None
    if match is None:
        return ""
    name = match[1].strip()
    words = name.split()
    return name if len(words) <= MOST_WORDS and not any(word[0].islower() for word in words) else ""


@lru_cache(64)  # of a log all facts stand under the same
def _title(line: str) -> str:
    title = _MARKS.sub("", line.removesuffix("\r").rstrip(" \t#")).strip()
    return title if any(letter.isalpha() for letter in title) else ""


def _chain(titles: Sequence[str]) -> str:
    chain = APART.join(titles)
    return chain if len(chain) <= LONGEST else chain[-LONGEST:]
