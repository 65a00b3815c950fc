"""Made-up facts, each one of its kind, and logs as a KenoBot writes them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta

_WORDS = """
    coffee garden deploy server Madrid Berlin Sunday invoice laptop keyboard train museum doctor birthday sister brother
    guitar concert budget report meeting window kitchen recipe bicycle river mountain passport ticket holiday school novel
    library printer router backup database prefers dislikes bought sold wants asked promised finished postponed repaired
    green quiet early late weekly cheap broken favourite second small
"""
NEWEST = date(2026, 1, 1)


def facts(count: int, seed: int = 1) -> Iterator[str]:
    """`count` facts of some ten words, no two the same."""
    dice, words = random.Random(seed), _WORDS.split()
    for number in range(count):
        yield f"{' '.join(dice.choices(words, k=dice.randint(5, 15)))} no. {number}"


def entry(text: str, minute: int) -> str:
    """One entry of a log in KenoBot's own form; `minute` of the day."""
    return f"## {minute // 60 % 24:02}:{minute % 60:02} — {text}\n\n"


def log(texts: list[str]) -> str:
    """A day's log."""
    return "".join(entry(text, 480 + number) for number, text in enumerate(texts))


def days(count: int) -> Iterator[str]:
    """`count` days in a row, the last one long before today."""
    for back in range(count - 1, -1, -1):
        yield (NEWEST - timedelta(days=back)).isoformat()
