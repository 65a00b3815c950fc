"""Text of files as pages can send it."""

from __future__ import annotations

import re

from memory.text.secrets import place_to_cut
from memory.web.base.gauges import number_of

SHOWN = 1024 * 1024  # characters of a text that is only shown

# What is read from right to left, or turns what is around it; and of that, what begins a stretch by itself, and ends one.
_TURNS = re.compile(
    "[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_BEGIN, _ENDS = "\u2066\u2067\u2068", "\u2069"


def beginning(text: str, most: int = SHOWN) -> str:
    """As much of a text as a page shows, and no half of a secret."""
    end = place_to_cut(text, most)
    left = len(text) - end
    if not left:
        return text
    more = number_of("… and %(count)s more character", "… and %(count)s more characters", left)
    return f"{text[:end]}\n{more}"


def isolated(name: str) -> str:
    """A name in a sentence, that turns no word around it: isolated where it is read from right to left, or is made to be."""
    return f"{_BEGIN[-1]}{_whole(name)}{_ENDS}" if _TURNS.search(name) else name


def _whole(name: str) -> str:
    """A name in which each stretch that begins ends, and no other does."""
    signs, within = [], 0
    for sign in name:
        if sign != _ENDS or within:
            signs.append(sign)
            within += (sign in _BEGIN) - (sign == _ENDS)
    return "".join(signs) + _ENDS * within
