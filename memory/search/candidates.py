"""Which facts are looked at. Of a word that stands in very many, reading and weighing each costs more than anybody gets of it:
facts that hold a rarer word of the question, or several of the frequent ones, come first, and of a frequent word alone the newest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from memory.search.shapes import Best, Sought

OFTEN = 1_000  # facts: a word that stands in more is a frequent one, and so many of them are looked at, the newest rows


@dataclass(frozen=True, slots=True)
class Look:
    """Facts with any of `any_of`, and any of `beside` if there are some; all of them, or with `newest` the OFTEN newest rows.
    `others` count where they stand with them, and are not looked for."""

    any_of: tuple[Sought, ...]
    beside: tuple[Sought, ...] = ()
    others: tuple[Sought, ...] = ()
    newest: bool = False


# A fact that was looked at: what it is sorted by, the best being the least, and its id.
Measured = tuple[float, ...]


def best_candidates(words: Sequence[Sought], most: int, ask: Callable[[Look], tuple[Sequence[Measured], bool]]) -> Best:
    """The facts that hold most of these words. `ask` answers a look with the best facts within the bounds, `most` at least if
    there are so many, and whether there are older ones that were not looked at."""
    found: dict[float, Measured] = {}
    cut = False
    for look in _looks(words):
        if len(found) >= most and look.newest and not look.beside:
            break
        rows, is_cut = ask(look)
        cut = cut or is_cut
        for row in rows:
            found[row[-1]] = min(row, found.get(row[-1], row))
    return Best([int(row[-1]) for row in sorted(found.values())[:most]], cut)


def _looks(words: Sequence[Sought]) -> Iterator[Look]:
    """What is looked for one after the other."""
    rare = tuple(one for one in words if one.facts <= OFTEN)
    often = tuple(sorted((one for one in words if one.facts > OFTEN), key=lambda one: one.facts))
    if rare:
        yield Look(rare, others=often)
    if often and not rare and often[1:]:
        yield Look(often[:1], beside=often[1:], newest=True)
    if often:
        yield Look(often, newest=True)
