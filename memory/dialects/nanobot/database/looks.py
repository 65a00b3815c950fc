"""What earlier looks at a bot's database found, so that nothing is read twice while nobody writes.

It is only ever a shortcut: it holds for one state of the database's files, and what is written is compared with the rows again.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from memory.storage import Content, FileEntry
from memory.storage.sqlite import TICK_NS, State, written_ns
from memory.text.byte_cache import ByteCache

ROOM = 32 << 20  # bytes of texts that are kept in a process
_MOMENT = 1.0  # seconds: a walk reads what it has just met
_SETTLED_NS = 2_000_000_000  # a file written longer ago than this is another one if its times are others

Base = tuple[Path, str]  # a database's file and a workspace


@dataclass(frozen=True, slots=True)
class Scope:
    """A scope's document as a look found it; `mark` is another one if the scope may have changed since."""

    mark: object
    found: FileEntry


@dataclass(frozen=True, slots=True)
class Scan:
    """All scopes of a workspace, by key. `state`: of the files then, None if they were too young to be trusted; `whole`: the same
    when every row was read, and `at` when that was, in seconds of the monotonic clock."""

    state: State | None
    whole: State | None
    at: float
    scopes: Mapping[str, Scope]

    def is_due(self, state: State, patience: float) -> bool:
        """Whether every row has to be read again: files changed, and `patience` seconds passed since that was done."""
        return self.whole != state and time.monotonic() - self.at > patience


@dataclass(frozen=True, slots=True)
class Seen:
    """Which state the files were in before something was read, and for how many seconds of an unchanged state it is believed that
    nobody wrote: for ever, for a moment where some file systems would not tell a write that soon, or not at all."""

    state: State
    holds: float


@dataclass(frozen=True, slots=True)
class _Read:
    state: State
    content: Content
    until: float  # of the monotonic clock


class Texts:
    """The documents that were read last, as far as there is room."""

    def __init__(self, room: int = ROOM) -> None:
        self._kept: ByteCache[tuple[Base, str], _Read] = ByteCache(room)

    def get(self, base: Base, name: str, state: State) -> Content | None:
        """A document, if it was read while the files were in this state."""
        known = self._kept.get((base, name))
        return known.content if known and known.state == state and time.monotonic() <= known.until else None

    def put(self, base: Base, name: str, seen: Seen, content: Content) -> None:
        """Keep a document for as long as nobody writes, if that can be told by what the files were before it was read."""
        if seen.holds:
            read = _Read(seen.state, content, time.monotonic() + seen.holds)
            self._kept.put((base, name), read, content.stat.size)


scans: dict[Base, Scan] = {}
texts = Texts()


def seen(state: State) -> Seen:
    """For how long an unchanged state is to be believed, if something is read from now on."""
    age = time.time_ns() - written_ns(state)
    return Seen(state, math.inf if age > _SETTLED_NS else _MOMENT if age > TICK_NS else 0.0)


def settled(state: State) -> State | None:
    """The state, if any write from now on would leave another one."""
    return state if time.time_ns() - written_ns(state) > _SETTLED_NS else None


def forget(base: Base, key: str) -> None:
    """We wrote to a scope ourselves, which the bot's indexes need not tell."""
    if scan := scans.get(base):
        left = {name: scope for name, scope in scan.scopes.items() if name != key}
        scans[base] = replace(scan, state=None, scopes=left)
