"""What a family offers whose facts have attributes: where they lie, in which words, and how one is added by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from memory.domain.changes import Change, Put

if TYPE_CHECKING:
    from memory.domain.memory import Memory
    from memory.text.markdown.entries import FactAt

EVERY = "all"

Labels = Mapping[str, str]  # words for people by names, in the order of a choice


@dataclass(frozen=True, slots=True)
class Whose:
    """Whose facts are meant, as a command line names it; "" for what is not given."""

    sort: str = EVERY
    channel: str = ""
    chat_id: str = ""
    sender_id: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A fact that somebody adds by hand. `noted`: what the bot notes beside it of who said it where; None: what its scope says."""

    kind: str
    text: str
    importance: float = 0.0
    confidence: float = 0.0
    noted: Mapping[str, str | None] | None = None


@dataclass(frozen=True, slots=True)
class Addition:
    """How a draft becomes a fact of the document at `path`, which is `before` now. `is_new`: no fact there says it yet; `mirror`:
    where else it is written, "" for nowhere."""

    changes: tuple[Change, ...]
    path: str
    before: bytes | None
    why: str
    id: str = ""
    is_new: bool = True
    mirror: str = ""


@dataclass(frozen=True, slots=True)
class Sentences:
    """What people are told about facts with attributes."""

    page: str  # what they are
    adding: str  # where one goes that is added
    whose: str  # what the bot does with those of each sort
    forgetting: str  # what becomes of those that are forgotten
    missing: str  # why a bot has none whose root is not known


@dataclass(frozen=True, slots=True)
class Details:
    """What people may set of a fact besides its text. Weights go from 0 to 1, None for none said; `days`: so long it counts from
    the day on which it was made, None for good."""

    kind: str = ""
    title: str = ""
    importance: float | None = None
    confidence: float | None = None
    tags: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    days: int | None = None


class Detailing(Protocol):
    """Facts whose details people may set."""

    def details(self, path: str, data: bytes, fact: FactAt) -> Details:
        """What a fact says of itself. Raises ValueError with a sentence."""

    def detailed(self, path: str, data: bytes, fact: FactAt, changes: Mapping[str, Any], now: datetime) -> Put:
        """The document with these details of the fact, by their names; all else byte for byte. Raises ValueError."""


class AttributesAbility(Protocol):
    """Facts with attributes, as one family keeps them."""

    root: str  # in which they lie; a bot that lacks it has none
    kinds: Labels
    usual: str  # the kind of most
    sorts: Labels  # of whom they are: `Attributes.whose`
    sources: Labels
    statuses: Labels  # the usual one first: what the bot reads
    has_weights: bool  # importance and confidence
    has_expiry: bool  # a time after which the bot no longer reads one
    is_by_chat: bool  # whether it takes a chat or a user to say whose one is
    addable: Labels  # the sorts of which one may be added
    sentences: Sentences
    detailing: Detailing | None  # None: only their texts are edited

    def path(self, scope: str) -> str:
        """Where the facts of a chat or user lie."""

    def scope(self, sort: str, chat: str) -> str:
        """The scope that a new one goes into: of this sort, and of this chat or user; "" if that does not say which."""

    def scopes(self, whose: Whose) -> tuple[str, ...]:
        """The scopes that are meant; none for all of them. Raises ValueError, with a sentence, where a missing word would mean
        more than was said."""

    def unsafe(self, text: str) -> str:
        """Why a text should not be added without being asked about, a sentence; "" if nothing speaks against it."""

    def addition(self, memory: Memory, scope: str, draft: Draft, now: datetime, settings: Any) -> Addition:
        """What adding a fact to a scope writes. Raises ValueError with a sentence, and Unreadable."""


def usual_status(known: AttributesAbility | None) -> str:
    """The status of the facts that a bot reads; "" where it tells none."""
    return next(iter(known.statuses), "") if known else ""
