"""Where bytes live. Every vault keeps this contract, and the same tests run over each of them.

A vault knows one root. Paths are relative to it, `/`-separated, and decoded with `surrogateescape`. A vault decides
nothing and remembers nothing: what is wanted, and what to do when a file moved on, is the journal's business.

What a write puts aside (the **stash**: the inode that stood there before) is kept under a hidden name made from a `slot`, a
short text of letters, digits and dashes that the journal chooses and records before it calls. One slot belongs to one path.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

from memory.domain.changes import Stamp

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Stat:
    """A file as the file system describes it; times in ns since 1970, `inode` cut to 63 bits so that a database can hold it."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    mode: int
    links: int = 1

    @property
    def stamp(self) -> Stamp:
        return Stamp(self.mode, self.mtime_ns)


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file of a scan. `error` says, for people, why it cannot be read (a FIFO, a link that leaves the root)."""

    path: str
    stat: Stat
    error: str = ""


@dataclass(frozen=True, slots=True)
class Content:
    """A document read in one piece: `stat` describes the very inode that `data` came from."""

    data: bytes
    stat: Stat


@dataclass(frozen=True, slots=True)
class WriteDone:
    """A write that happened. `stat` is the document now (None after a removal); `stashed`: there is a stash to settle."""

    stat: Stat | None
    stashed: bool


@dataclass(frozen=True, slots=True)
class Moved:
    """A write that did not happen: the document is not what was expected. `content` is what stands there now (None: nothing)."""

    content: Content | None


@dataclass(frozen=True, slots=True)
class Appended:
    """Where appended bytes stand: [offset, offset + their length) of `stat.inode`."""

    offset: int
    stat: Stat
    created: bool


class Stashed(enum.Enum):
    """What a stash turned out to be when it was settled."""

    NONE = "none"  # there is no such stash (any more)
    BUSY = "busy"  # somebody may still write to it: look again later
    QUIET = "quiet"  # nobody can write to it any more; its bytes are in `data`


@dataclass(frozen=True, slots=True)
class Settled:
    outcome: Stashed
    data: bytes = b""


class Slot(enum.Enum):
    """What recovery finds of a slot after a crash."""

    UNTOUCHED = "untouched"  # the write had not begun; leftovers of staging may exist, `discard` removes them
    DONE = "done"  # the exchange, removal or in-place write took place
    # An in-place write was cut off half-way, or the document only grew and no mark tells which: the bytes must be looked at.
    # `in_place.late_bytes(found, before, after)` says what others appended.
    TORN = "torn"


class Vault(Protocol):
    """One root of documents. All methods raise RootGone when the root itself cannot be used.

    A path that cannot name a document, leads outside, or leads to something that is no regular file raises Unreadable from reads
    and writes alike; then nothing was changed. A slot that is not letters, digits and dashes is a ValueError.
    """

    transactional: bool  # a write is there whole or not at all, so nobody reads half of one, and a stat tells the text

    def scan(self) -> Iterator[FileEntry]:
        """Every file below the root except Kenoweb's own hidden ones, in no particular order. Directories that cannot be
        listed come as one Found with their path + "/" and an error. Opens no file."""

    def listed(self, directory: str) -> list[FileEntry]:
        """The files in one directory ("" is the root), those below its own directories aside, in no particular order; none if
        there is no such directory. A directory that cannot be listed comes as in a scan. Raises Unreadable."""

    def directories(self) -> Iterator[Path]:
        """The directories in which something changes when a document does; those that cannot be listed aside."""

    def stat(self, path: str) -> Stat | None:
        """The document's stat, None if there is none. Follows a link that stays inside. Raises Unreadable."""

    def read(self, path: str) -> Content | None:
        """The whole document, read stably; None if there is none. Raises Unreadable."""

    def tail(self, path: str, size: int) -> bytes | None:
        """At most the last `size` bytes of the document as they are at this moment; None if there is none. Raises Unreadable."""

    def part(self, path: str, start: int, size: int) -> bytes | None:
        """At most `size` bytes of the document from byte `start` on, as they are at this moment; None if there is none. Raises
        Unreadable."""

    def everything(self, is_wanted: Callable[[str], bool]) -> Iterator[tuple[str, Content]]:
        """All documents whose paths are wanted, with what is in them, in as few looks as it takes. Raises Unreadable."""

    def stage(self, path: str, slot: str, data: bytes | None, stamp: Stamp | None) -> None:
        """Prepare a replacement: bytes written and fsynced beside the target, nothing visible changed; or a removal (None).
        Raises WriteFailed, also where the document itself may not be written to."""

    def replace(
        self, path: str, slot: str, data: bytes, expected: str | None, size: int | None = None
    ) -> WriteDone | Moved:
        """Let the staged bytes take the document's place if it still has the sha256 `expected` (None: is still missing).
        What stood there becomes the stash. With `size`, the size of that version, a document that has only grown beyond it is
        replaced too wherever there is a stash: the tail is in it. Directories are fsynced by `flush`. Raises WriteFailed."""

    def remove(self, path: str, slot: str, expected: str, size: int | None = None) -> WriteDone | Moved:
        """Take the document away (it becomes the stash) if it still has the sha256 `expected`, or with `size` has only grown
        since. Raises WriteFailed."""

    def append(self, path: str, data: bytes, *, fsync: bool = False) -> Appended:
        """Add bytes at the end in one write, making file and directories as needed. Raises WriteFailed with nothing added."""

    def as_stored(self, path: str, data: bytes) -> bytes:
        """How this document would stand there if these bytes were written. Raises WriteFailed for what cannot stand there."""

    def flush(self, paths: list[str]) -> None:
        """fsync the directories of these documents, so that replacements and removals survive power loss."""

    def inspect(self, path: str, slot: str, before: Stat | None, after: str | None) -> Slot:
        """After a crash: had the write of this slot happened? `before`: the target's stat when it was planned; `after`: the sha256
        that was to be written (None for a removal)."""

    def settle(self, path: str, slot: str) -> Settled:
        """Look whether the stash can still be written to; if not, return its bytes. It stays until `discard`."""

    def discard(self, path: str, slot: str) -> None:
        """Remove whatever this slot left behind: stage and stash."""

    def leave(self, path: str) -> None:
        """Remove the directory that this document was the last in; one with anything in it stays, and so does the root."""

    def leftovers(self) -> Iterator[tuple[str, str]]:
        """(hidden path, slot) of every hidden file of ours below the root. What no live slot knows may be the only copy of some
        bytes: `read` takes a hidden path too, `sweep` removes it."""

    def sweep(self, hidden: str) -> None:
        """Remove one hidden file that `leftovers` named. Raises WriteFailed."""


@runtime_checkable
class Askable(Protocol):
    """A vault that can be asked as a whole, beside being read document by document."""

    def ask(self, work: Callable[[Any], T]) -> T:
        """What `work` finds in one snapshot. Raises RootGone and Unreadable."""
