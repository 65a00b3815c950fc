"""The table of suggestions, whoever makes them, rules or a model: what becomes of each fact, and the box that decides it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page
from django.utils.safestring import SafeString

from memory.web.base.differences import Block

AT_ONCE = 50
FEW = 5  # messages that are shown at once


@dataclass(frozen=True, slots=True)
class SuggestionSource:
    """A fact that a suggestion is about: where it stands, with the address of that line, and its text, marked."""

    place: str
    url: str
    text: SafeString | str


@dataclass(frozen=True, slots=True)
class Review:
    """What a model's suggestion has beside the fact: its `sources` and how many `more` there are, what they become (`line`, or
    `blocks` of a document that is written anew), or the `newer` fact that they go for; what is to be known of it, and how it
    stands. `stale`: a fact of it is not there any more as it was; `strikes`: its sources go; `anew`: it is a whole document;
    `of_messages`: its sources are messages and no facts. `set_pk` is the change set that has it, `page` which of the
    rows these are, where not all are shown at once."""

    number: int
    sources: Sequence[SuggestionSource]
    more: int
    line: str
    newer: SuggestionSource | None
    blocks: Sequence[Block]
    flags: Sequence[str]
    losses: Sequence[str]
    stale: bool
    strikes: bool
    anew: bool
    of_messages: bool
    state: str
    state_level: str
    set_pk: int | None
    page: Page[Any] | None = None

    @property
    def messages(self) -> int:
        """How many messages are behind it where they are folded away: of a document written anew all, else those that are many."""
        number = len(self.sources) + self.more
        return number if self.anew or (self.of_messages and number > FEW) else 0

    @property
    def is_simple(self) -> bool:
        """Whether it is about one fact, which stays as it is."""
        return len(self.sources) + self.more == 1 and not (self.line or self.newer or self.blocks)


@dataclass(frozen=True, slots=True)
class SuggestionRow:
    """One suggestion, or several that say the same, in words. Of several lines, `title` is what it is folded under and `first` what
    it says first. `against` says what it contradicts. `pick` is the box of what is done if it is ticked, `take` that of what is
    done only if somebody asks for it: whether it is ticked, None for no box. `value` is what they send, and `named` says what it
    is about. `unfolds`: by what the several are shown one by one, or together again, "" where they aren't."""

    text: SafeString | str
    goes: str
    chip: str
    level: str
    time: str = ""
    place: str = ""
    url: str = ""
    title: str = ""
    first: str = ""
    is_fact: bool = True
    moves: bool = False
    note: str = ""
    against: str = ""
    alike: int = 1
    value: str = ""
    unfolds: str = ""
    is_single: bool = False  # of several that were unfolded
    named: str = ""
    pick: bool | None = None
    take: bool | None = None
    review: Review | None = None

    @property
    def boxed(self) -> bool:
        """Whether there is anything to tick."""
        return (self.pick, self.take) != (None, None)

    @property
    def is_done(self) -> bool:
        """Whether something is done about it."""
        return bool(self.pick or self.take)


@dataclass(frozen=True, slots=True)
class SuggestionGroup:
    """The rows of one log. `boxed`: it may be left whole."""

    path: str
    day: str
    rows: Sequence[SuggestionRow]
    boxed: bool = False
    ticked: bool = True
    archived: bool = False


def folder(paths: Iterable[str]) -> str:
    """The directory that holds all of some documents, with its slash: a row need not name it. "" for none."""
    every = list(paths)
    first = every[0] if every else ""
    above = first[: first.rfind("/") + 1]
    return above if above and all(path.startswith(above) for path in every) else ""
