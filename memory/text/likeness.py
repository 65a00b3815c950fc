"""Which of some texts became which of others: those that are most alike, one to one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memory.text.markdown.normal import normalise, unstamped_text

# Of a hundred. Another place, number or employer in a sentence leaves 70 or more; of two facts of one document of the sample bots,
# picked at random, 7 in 100 are so alike, and they would have to go and come with the same change.
ALIKE = 65
TELLING = 8  # characters of a text that is no accident where it stands whole in another one
MOST = 20_000  # pairs that are compared, which takes a fifth of a second
LONGEST = 500_000_000  # characters times characters of them all, which takes no longer


def pairs(were: Sequence[str], are: Sequence[str]) -> list[tuple[int, int]]:
    """(which of those that were, which of those that are): the most alike first, each at most once. None of so many that
    comparing them would take long."""
    if not were or not are or len(were) * len(are) > MOST or sum(map(len, were)) * sum(map(len, are)) > LONGEST:
        return []
    from rapidfuzz import fuzz, process  # here, for few of those who could compare ever do

    def likeness(one: str, other: str, **_more: Any) -> float:
        if min(len(one), len(other)) >= TELLING and (one in other or other in one):
            return 100
        return max(fuzz.ratio(one, other), fuzz.token_sort_ratio(one, other))

    befores, afters = ([normalise(unstamped_text(text)) for text in some] for some in (were, are))
    scored = [
        (-score, abs(old - new), old, new)
        for old, before in enumerate(befores)
        for _text, score, new in process.extract(before, afters, scorer=likeness, score_cutoff=ALIKE, limit=None)
    ]
    found: dict[int, int] = {}
    for _score, _apart, old, new in sorted(scored):
        if old not in found and new not in found.values():
            found[old] = new
    return list(found.items())
