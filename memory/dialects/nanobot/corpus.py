"""Entries as they are looked through: which words stand in which, so that a message meets only those that hold one of its words."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import accumulate

from memory.dialects.nanobot import words
from memory.dialects.nanobot.entries import Entry, entries
from memory.dialects.nanobot.picking import is_unsafe
from memory.text.kept import remembering

ROOM, TIMES = 96 << 20, 8  # bytes that are kept of documents as they are looked through, and how much they are of one


# When entries expire, those that do so first and those that never do last (without a time), and the words of the first so many.
Sizes = tuple[list[str], list[int]]


class Corpus:
    """Some entries in their order, of the document `path` if they are of one, which has so many `others`. `said` are the words of
    each; `pairs`: those of scripts without spaces in twos."""

    def __init__(self, entries: Sequence[Entry], *, pairs: bool, path: str = "", others: int = 0) -> None:
        self.entries = entries
        self.path, self.others = path, others
        self.pairs = pairs
        self.said = [words.index(entry.text, pairs=pairs) for entry in entries]
        self._holding: dict[str, list[int]] = {}
        for at, said in enumerate(self.said):
            for word in set(said):
                self._holding.setdefault(word, []).append(at)

    def holding(self, some: Collection[str]) -> list[int]:
        """Which entries hold any of these words, in their order."""
        return sorted({at for word in some for at in self._holding.get(word, ())})

    def size(self, *, now: str, expired: bool, unsafe: bool) -> tuple[int, int]:
        """How many entries there are, and how many words in all of them: with those past their time at `now`, and with those that
        could lead a model astray, or without."""
        ends, sizes = self._with_unsafe if unsafe else self._safe
        gone = 0 if expired else bisect_left(ends, now)
        return len(sizes) - 1 - gone, sizes[-1] - sizes[gone]

    def is_unsafe(self, at: int) -> bool:
        """Whether an entry holds words that could lead a model astray."""
        return at in self._unsafe

    @cached_property
    def _unsafe(self) -> frozenset[int]:
        return frozenset(at for at, entry in enumerate(self.entries) if is_unsafe(entry.text))

    @cached_property
    def _with_unsafe(self) -> Sizes:
        return self._sizes(frozenset())

    @cached_property
    def _safe(self) -> Sizes:
        return self._sizes(self._unsafe)

    def _sizes(self, but: Collection[int]) -> Sizes:
        told = (
            (entry, said) for at, (entry, said) in enumerate(zip(self.entries, self.said, strict=True)) if at not in but
        )
        ends = sorted(((entry.expires, len(said)) for entry, said in told), key=lambda one: (not one[0], one[0]))
        return [end for end, _ in ends if end], list(accumulate((size for _, size in ends), initial=0))


@remembering(ROOM, TIMES)
def of_document(path: str, data: bytes, kinds: tuple[str, ...] = (), *, pairs: bool) -> Corpus:
    """The entries of a scope's document, of these kinds or of all."""
    found = entries(path, data)
    some = [entry for entry in found if entry.kind in kinds] if kinds else found
    return Corpus(some, pairs=pairs, path=path, others=len(found) - len(some))
