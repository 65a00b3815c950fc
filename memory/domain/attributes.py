"""What a family offers whose facts have attributes: where they lie, in which words, and how one is added by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from memory.domain.changes import Change

if TYPE_CHECKING:
    from memory.domain.memory import Memory

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


class AttributesAbility(Protocol):
    """Facts with attributes, as one family keeps them."""

    root: str  # in which they lie; a bot that lacks it has none
    kinds: Labels
    usual: str  # the kind of most
    sorts: Labels  # of whom they are: `Attributes.whose`
    sources: Labels
    statuses: Labels
    has_weights: bool  # importance and confidence
    addable: Labels  # the sorts of which one may be added
    sentences: Sentences

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
