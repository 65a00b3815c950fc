"""What the engines are asked and what they answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


@dataclass(frozen=True, slots=True)
class Sought:
    """A word to look for: as it is indexed, or with `is_start` the beginning of one, or with `is_part` letters inside of one.
    `typed` is for people; `facts` is in how many facts of the database it stands. `forms` are others of the same word that are
    looked for too, and count less."""

    word: str
    typed: str
    is_start: bool = False
    is_part: bool = False
    facts: int = 0
    forms: tuple[Sought, ...] = ()

    @property
    def there(self) -> tuple[Sought, ...]:
        """What of it facts hold: the word itself and its forms."""
        return tuple(one for one in (self, *self.forms) if one.facts)

    def is_met_by(self, word: str) -> bool:
        """Whether a word of a fact is what was looked for, or a form of it."""
        return self.is_it(word) or any(word == one.word for one in self.forms)

    def is_it(self, word: str) -> bool:
        """Whether a word of a fact is what was looked for."""
        if self.is_part:
            return self.word in word
        return word.startswith(self.word) if self.is_start else word == self.word


@dataclass(frozen=True, slots=True)
class Bounds:
    """Which facts count at all: SQL over `f` (facts) and `d` (their documents) with its values. `narrow`: not all of a bot's."""

    sql: str
    values: tuple[object, ...]
    narrow: bool


@dataclass(frozen=True, slots=True)
class EngineQuery:
    """What an engine looks for: facts with any of `any_of`, every phrase, nothing of `without`, within bounds."""

    any_of: tuple[Sought, ...]
    phrases: tuple[tuple[str, ...], ...]
    without: tuple[tuple[str, ...], ...]
    bounds: Bounds


@dataclass(frozen=True, slots=True)
class Best:
    """Facts (ids), best first; `cut`: of very many that hold a word only the newest were looked at."""

    ids: list[int]
    cut: bool = False


PlaceKey = tuple[str, str, str, str]  # tier, kind, scope and day of a fact's document


class Candidate(NamedTuple):
    """A fact that may be a hit, or stands beside one: where it stands, the words it is found by, and what sort of sentence it is
    (memory.text.words.traits). `time` is HH:MM or ""; `is_log`: what stands beside it was said then."""

    id: int
    document: int
    ordinal: int
    time: str
    words: str
    about: str
    speaker: str
    traits: int
    day: str
    is_log: bool


class Engine(Protocol):
    """A database's full text search. Nothing here decides what ranks first; it brings what could."""

    def prepare(self) -> None:
        """Make what the engine needs beside the tables, and fill it if it was missing."""

    def remove(self) -> None:
        """Take away what `prepare` made."""

    def merge(self) -> None:
        """Look after the indexes, where the database does not do so by itself: searches stay fast after much was written."""

    def frequencies(self, words: Sequence[str]) -> dict[str, int]:
        """In how many facts each word stands, about; those that stand in none are left out."""

    def starts(self, beginning: str) -> int:
        """In how many facts a word stands that begins so, about."""

    def parts(self, letters: str, bounds: Bounds, most: int) -> list[int]:
        """Facts whose text holds these letters (three or more) anywhere, newest rows first."""

    def best(self, query: EngineQuery, most: int) -> Best:
        """The facts that hold most of what is sought, by the engine's own measure, as memory.search.candidates has it."""

    def places(self, query: EngineQuery, most: int) -> list[PlaceKey]:
        """Where each fact stands that holds any of what is sought, of the newest `most` rows that do."""
