"""What earlier looks at a bot's database found, so that nothing is read twice while nobody writes.

It is only ever a shortcut: it holds for one state of the database's files, and what is written is compared with the rows again.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from memory.vault import Content, Found
from memory.vault.sqlite import State, written_ns

ROOM = 32 << 20  # bytes of texts that are kept in a process
_SETTLED_NS = 2_000_000_000  # a file written longer ago than this is another one if its times are others

Base = tuple[Path, str]  # a database's file and a workspace


@dataclass(frozen=True, slots=True)
class Scope:
    """A scope's document as a look found it; `mark` is another one if the scope may have changed since."""

    mark: object
    found: Found


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


class Texts:
    """The documents that were read last, as far as there is room."""

    def __init__(self, room: int = ROOM) -> None:
        self.room = room
        self._size = 0
        self._kept: OrderedDict[tuple[Base, str], tuple[State, Content]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, base: Base, name: str, state: State) -> Content | None:
        """A document, if it was read while the files were in this state."""
        with self._lock:
            known, content = self._kept.get((base, name), (None, None))
            if known != state:
                return None
            self._kept.move_to_end((base, name))
            return content

    def put(self, base: Base, name: str, state: State, content: Content) -> None:
        with self._lock:
            if old := self._kept.pop((base, name), None):
                self._size -= old[1].stat.size
            self._kept[base, name] = (state, content)
            self._size += content.stat.size
            while self._size > self.room:
                _, (_, oldest) = self._kept.popitem(last=False)
                self._size -= oldest.stat.size


scans: dict[Base, Scan] = {}
texts = Texts()


def settled(state: State) -> State | None:
    """The state, if any write from now on would leave another one."""
    return state if time.time_ns() - written_ns(state) > _SETTLED_NS else None


def forget(base: Base, key: str) -> None:
    """We wrote to a scope ourselves, which the bot's indexes need not tell."""
    if scan := scans.get(base):
        left = {name: scope for name, scope in scan.scopes.items() if name != key}
        scans[base] = replace(scan, state=None, scopes=left)
