"""What goes in at the journal's door and what comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from memory.domain.errors import HalfWritten, RootGone, VaultError
from memory.models import ChangeSet
from memory.text.sentences import join_sentences, say

# What to do when a document is not the version a change was made from; "join": it is merged if it only grew at its end.
OnMove = Literal["merge", "join", "refuse"]

# Looks at the documents as they are and as they will be (None: no document) and says why not, or "". What stands there may be more
# than a change was made from, and a look at the file itself may find more still.
Gate = Callable[[Mapping[str, bytes | None], Mapping[str, bytes | None]], str]

# Writes rows that stand or fall with the intents of a change set.
Beside = Callable[[ChangeSet], None]

# Is told how many of how many new texts are on disk, each beside the document whose place it will take. No document is changed
# before it was told of the last, or that there is none; until then it may raise Withdrawn.
Staged = Callable[[int, int], None]


STOPPED = say("Kenoweb was stopped before writing. Nothing was changed.")
_HALF = say("Writing stopped halfway, so some files may already be changed.")
_FINISHES = say("Make the directory available and writable again; Kenoweb then finishes this by itself.")
_STAYS = say(
    "Writing stopped halfway, and not all of it could be put back. History lists what was written and can undo it."
)


def unfinished(error: VaultError | None = None) -> HalfWritten:
    """What is to be said while a set can be neither finished nor taken back, and why: whoever recovers next finishes it."""
    return HalfWritten(join_sentences(_HALF, error.what if isinstance(error, RootGone) else "", _FINISHES))


def stays() -> HalfWritten:
    """What is to be said where a set was stopped and is taken back in part only."""
    return HalfWritten(_STAYS)


class Withdrawn(Exception):
    """Nobody wants any more what is about to be written; the history says why by `note`."""

    note = say("It was called off before anything was written.")


def untold(done: int, total: int) -> None:
    """For whoever does not want to know."""


@dataclass(frozen=True, slots=True)
class Applied:
    """The files have it. `change_set` is None if there was nothing to write; `joined` names documents that others had written
    to meanwhile and whose lines were kept beside ours; `left` says what an undo did not bring back, "" for nothing."""

    change_set: ChangeSet | None
    joined: tuple[str, ...] = ()
    left: str = ""


@dataclass(frozen=True, slots=True)
class Clash:
    """One document that stands in the way: the version ours was made from, ours, and what is there now (None: no document)."""

    path: str
    base: bytes | None
    ours: bytes | None
    theirs: bytes | None
    reason: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """Nothing was written. `passes`: changes made anew, from what is there now, may well go through."""

    clashes: tuple[Clash, ...]
    reason: str
    passes: bool = field(default=False, compare=False)
