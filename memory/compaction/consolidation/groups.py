"""Groups that a model can look at in one go: entries in the order of their days, with the long-term facts that are like them."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory.compaction.consolidation.sources import Item
from memory.text.tokens.estimate import estimate
from memory.text.words.terms import is_common, words

MOST = 40  # entries of logs
TOKENS = 3000  # of their texts
LASTING = 20  # long-term facts beside them
LASTING_TOKENS = 1500


@dataclass(frozen=True, slots=True)
class Group:
    """What is asked in one go, in the order of the numbers."""

    items: tuple[Item, ...]


def groups(noted: Sequence[Item], lasting: Sequence[Item]) -> list[Group]:
    """The groups of one scope. Each long-term fact is in the one group that it shares most with, rare words counting more, or in
    none; equal where two are, the older group has it."""
    portions = list(_portions(noted))
    beside = _beside(portions, lasting)
    return [Group((*beside[number], *portion)) for number, portion in enumerate(portions)]


def _portions(noted: Iterable[Item]) -> Iterable[tuple[Item, ...]]:
    portion: list[Item] = []
    tokens = 0
    for item in noted:
        cost = estimate(item.text)
        if portion and (len(portion) == MOST or tokens + cost > TOKENS):
            yield tuple(portion)
            portion, tokens = [], 0
        portion.append(item)
        tokens += cost
    if portion:
        yield tuple(portion)


def _beside(portions: Sequence[Sequence[Item]], lasting: Sequence[Item]) -> dict[int, list[Item]]:
    """The long-term facts of each group, by its number, in the order of their document."""
    said = [_words(item) for item in lasting]
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for number, portion in enumerate(portions):
        for word in set().union(*map(_words, portion)):
            holders[word].append(number)
    weights = {word: math.log(1 + len(portions) / len(where)) for word, where in holders.items()}
    wishes: defaultdict[int, list[tuple[float, int]]] = defaultdict(list)
    for at, some in enumerate(said):
        scores: Counter[int] = Counter()
        for word in sorted(some):
            for number in holders.get(word, ()):
                scores[number] += weights[word]  # type: ignore[assignment]
        if scores:
            best = min(scores, key=lambda number: (-scores[number], number))
            wishes[best].append((scores[best], at))
    return defaultdict(list, {number: _chosen(wishes[number], lasting) for number in wishes})


def _chosen(wishes: Iterable[tuple[float, int]], lasting: Sequence[Item]) -> list[Item]:
    """Those that are most alike, as many as there is room for."""
    chosen: list[int] = []
    tokens = 0
    for _score, at in sorted(wishes, key=lambda wish: (-wish[0], wish[1])):
        tokens += estimate(lasting[at].text)
        if len(chosen) == LASTING or tokens > LASTING_TOKENS:
            break
        chosen.append(at)
    return [lasting[at] for at in sorted(chosen)]


def _words(item: Item) -> set[str]:
    return {word for word in words(item.text) if not is_common(word)}
