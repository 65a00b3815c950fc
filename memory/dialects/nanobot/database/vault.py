"""The vault of one nanobot database: a document for each scope, a row a line, while the bot goes on writing.

A write is one transaction that is there whole or not at all, so nothing is staged and no old version is put aside. Instead
the transaction notes its slot in the bot's own table of markers: that is how a crash afterwards is told from one before, and
settling takes the note out again. Rows are independent of each other, so what the bot added meanwhile stays as it is.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TypeVar

from memory.dialects.nanobot import scopes
from memory.dialects.nanobot.database import looks, odd
from memory.dialects.nanobot.database.connection import Database, writable
from memory.dialects.nanobot.database.looks import Scan, Scope
from memory.dialects.nanobot.database.table import Table, checked
from memory.domain.changes import Stamp, digest, is_safe_path
from memory.domain.errors import Unreadable, WriteFailed
from memory.storage import Appended, Content, FileEntry, Moved, Settled, Slot, Stashed, Stat, WriteDone
from memory.storage.sqlite import State
from memory.storage.staging import Names
from memory.storage.walk import HIDDEN, keepable_time, printable
from memory.text.sentences import say
from memory.text.words.days import moment_of

T = TypeVar("T")

PATIENCE = 5.0  # seconds to wait for the bot's own transaction
_MOST = 2**63 - 1
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EVERY_ROW = 60.0  # seconds after which changed files are read whole, whatever the bot's indexes say
_READ_NEXT = 50  # documents
_AT_ONCE = 5000  # rows that one look reads: a bot whose database has no log waits for it before it can write


class RowsVault:
    """The entries of one workspace in a nanobot's database. Keeps the contract of `memory.storage.Vault`."""

    transactional = True

    def __init__(
        self,
        file: Path,
        workspace: str,
        *,
        patience: float = PATIENCE,
        every_row: float = EVERY_ROW,
        place: str = "",
    ) -> None:
        self.file = Path(file)
        self.workspace = workspace
        self.every_row = every_row
        self._database = Database(self.file, workspace, patience, place)
        self._base = (self.file, workspace)

    def scan(self) -> Iterator[FileEntry]:
        yield from self._scanned()

    def listed(self, directory: str) -> list[FileEntry]:
        return self._scanned() if directory == "" else []

    def directories(self) -> Iterator[Path]:
        yield self.file.parent

    def stat(self, path: str) -> Stat | None:
        found = self.read(path)
        return found.stat if found else None

    def read(self, path: str) -> Content | None:
        if path.startswith(HIDDEN):
            _check(path)
            return None
        name = _name(path)
        if name is None:
            self._database.look(lambda table: None)
            return None
        state = self._database.state()
        if known := looks.texts.get(self._base, name, state):
            return known
        seen = looks.seen(state)
        found = self._database.look(lambda table: self._content(table, name))
        if found and self._database.state() == state:
            looks.texts.put(self._base, name, seen, found)
        return found

    def everything(self, is_wanted: Callable[[str], bool]) -> Iterator[tuple[str, Content]]:
        marks = self._database.look(lambda table: table.marks())
        for portion in _portions([(key, mark.live) for key, mark in marks.items() if mark.live]):
            found = self._database.look(partial(self._contents, keys=portion))
            named = ((self._named(key) + scopes.ENDING, content) for key, content in found.items())
            yield from ((path, content) for path, content in named if is_wanted(path))

    def tail(self, path: str, size: int) -> bytes | None:
        found = self.read(path)
        return found.data[max(len(found.data) - size, 0) :] if found else None

    def part(self, path: str, start: int, size: int) -> bytes | None:
        found = self.read(path)
        return found.data[start : start + size] if found else None

    def as_stored(self, path: str, data: bytes) -> bytes:
        """Rows stand by their age. Raises WriteFailed for a line that is no row."""
        return odd.by_age(path, data, partial(self._standing, path))

    def stage(self, path: str, slot: str, data: bytes | None, stamp: Stamp | None) -> None:
        Names(slot)
        _writable_name(path)
        if data is not None and self.as_stored(path, data) != data:
            raise WriteFailed(
                say("The rows of %(path)s would be out of order. Nothing was changed.", path=printable(path))
            )
        self._database.look(writable)

    def replace(
        self, path: str, slot: str, data: bytes, expected: str | None, size: int | None = None
    ) -> WriteDone | Moved:
        Names(slot)
        name = _name(path)
        if name is None:
            self._database.look(lambda table: None)
            return Moved(None)
        with self._database.writing() as table:
            found = self._content(table, name)
            before = _expected(found.data if found else None, expected, size)
            if before is None:
                return Moved(found)
            key = self._key(table, name)
            table.change(key, before, data, datetime.now(UTC).isoformat())
            table.note(slot, digest(data))
            now = self._content(table, name)
        looks.forget(self._base, key)
        return WriteDone(now.stat if now else None, stashed=True)

    def remove(self, path: str, slot: str, expected: str, size: int | None = None) -> WriteDone | Moved:
        return self.replace(path, slot, b"", expected, size)

    def append(self, path: str, data: bytes, *, fsync: bool = False) -> Appended:
        name = _writable_name(path)
        rows = [checked(line) for line in odd.whole(data)]
        with self._database.writing() as table:
            found, key = self._content(table, name), self._key(table, name)
            table.append(key, rows)
            now = self._content(table, name)
            if now is None:
                raise WriteFailed(
                    say("There was nothing to add to %(path)s. Nothing was changed.", path=printable(path))
                )
        looks.forget(self._base, key)
        return Appended(max(now.data.find(data), 0), now.stat, found is None)

    def flush(self, paths: list[str]) -> None:
        """Every transaction is on disk when it ends."""

    def inspect(self, path: str, slot: str, before: Stat | None, after: str | None) -> Slot:
        Names(slot)
        _name(path)
        return Slot.DONE if slot in self._database.look(lambda table: table.noted()) else Slot.UNTOUCHED

    def settle(self, path: str, slot: str) -> Settled:
        Names(slot)
        _name(path)
        self._database.look(lambda table: None)
        return Settled(Stashed.NONE)

    def discard(self, path: str, slot: str) -> None:
        Names(slot)
        if slot in self._database.look(lambda table: table.noted()):
            # Left behind where the bot is busy for longer: a note harms nobody, and `leftovers` names it.
            with contextlib.suppress(WriteFailed), self._database.writing() as table:
                table.clear(slot)

    def leave(self, path: str) -> None:
        """Rows are in no directory."""

    def leftovers(self) -> Iterator[tuple[str, str]]:
        for slot in self._database.look(lambda table: table.noted()):
            yield f"{HIDDEN}{slot}.note", slot

    def sweep(self, hidden: str) -> None:
        if not hidden.startswith(HIDDEN):
            raise ValueError(f"not a hidden file: {hidden!r}")
        slot = hidden.removeprefix(HIDDEN).removesuffix(".note")
        with self._database.writing() as table:
            table.clear(slot)

    def is_writable(self) -> bool:
        """Whether the tables are those that we know how to write."""
        return self._database.look(lambda table: table.is_writable)

    def elsewhere(self) -> int:
        """How many entries of the database belong to other workspaces."""
        return self._database.look(lambda table: table.elsewhere())

    def settled(self) -> State | None:
        """The state of the database's files, if whatever is written from now on leaves another one. Raises RootGone."""
        return looks.settled(self._database.state())

    def ask(self, work: Callable[[Table], T]) -> T:
        """What `work` finds in one snapshot of the whole database. Raises RootGone and Unreadable."""
        return self._database.look(work)

    def tell(self, work: Callable[[Table], T]) -> T:
        """What `work` does to the whole database in one transaction. Raises RootGone and WriteFailed."""
        with self._database.writing() as table:
            return work(table)

    def _scanned(self) -> list[FileEntry]:
        state, scan = self._database.state(), looks.scans.get(self._base)
        is_whole = scan is None or scan.is_due(state, self.every_row)
        if scan is None or is_whole or scan.state != state:
            scan = looks.scans[self._base] = self._looked(state, None if is_whole else scan)
        return [scope.found for scope in scan.scopes.values()]

    def _looked(self, state: State, last: Scan | None) -> Scan:
        """What a look finds now: every row is read, or with the `last` look those of scopes of which the bot's indexes say
        something else."""
        settled, at = looks.settled(state), time.monotonic()
        found = self._scopes(last.scopes if last else {})
        if self._database.state() != state:
            settled = None
        return Scan(settled, last.whole if last else settled, last.at if last else at, found)

    def _scopes(self, known: Mapping[str, Scope]) -> dict[str, Scope]:
        marks, file = self._database.look(lambda table: (table.marks(), self.file.stat()))
        told = {key: (mark, file.st_ino, file.st_mode) for key, mark in marks.items() if mark.live}
        found = {key: known[key] for key in told if key in known and known[key].mark == told[key]}
        for portion in _portions([(key, mark.live) for key, (mark, *_) in told.items() if key not in found]):
            for key, content in self._read(portion).items():
                found[key] = Scope(told[key], FileEntry(self._named(key) + scopes.ENDING, content.stat))
        return found

    def _read(self, keys: Sequence[str]) -> dict[str, Content]:
        """The documents of some scopes, by their keys. Those of few are kept, for whoever asked where they are reads them next."""
        seen = looks.seen(self._database.state())
        found = self._database.look(partial(self._contents, keys=keys))
        if len(found) <= _READ_NEXT and self._database.state() == seen.state:
            for key, content in found.items():
                looks.texts.put(self._base, self._named(key), seen, content)
        return found

    def _contents(self, table: Table, keys: Sequence[str]) -> dict[str, Content]:
        texts = ((key, table.text(key)) for key in keys)
        return {key: Content(data, self._stat(data, table.changed(key))) for key, data in texts if data}

    def _named(self, key: str) -> str:
        return scopes.name_of(key, self.workspace)

    def _content(self, table: Table, name: str) -> Content | None:
        key = table.key(name)
        data = table.text(key) if key is not None else b""
        if key is None or not data:
            return None
        return Content(data, self._stat(data, table.changed(key)))

    def _standing(self, path: str) -> set[bytes]:
        name = _name(path)
        return self._database.look(lambda table: table.said(table.key(name)) if name is not None else set())

    def _key(self, table: Table, name: str) -> str:
        key = table.key(name)
        if key is None:
            raise WriteFailed(say("The database has no chat or user with this name. Nothing was changed."))
        return key

    def _stat(self, data: bytes, changed: str) -> Stat:
        """The rows' own times; what takes the place of ctime tells any two texts apart."""
        found = self.file.stat()
        mark = int.from_bytes(hashlib.sha256(data).digest()[:8], "big") & _MOST
        return Stat(len(data), _instant(changed), mark, found.st_ino & _MOST, found.st_mode & 0o7777)


def _name(path: str) -> str | None:
    """The name of a scope's document; None for a path that can name none. Raises Unreadable for one that is no path."""
    _check(path)
    return path.removesuffix(scopes.ENDING) if path.endswith(scopes.ENDING) and "/" not in path else None


def _writable_name(path: str) -> str:
    """The same of a path that is to be written. Raises WriteFailed for one that can name none."""
    name = _name(path)
    if name is None:
        raise WriteFailed(
            say(
                "%(path)s isn’t a valid name for a chat’s or user’s entries. Nothing was changed.",
                path=printable(path),
            )
        )
    return name


def _check(path: str) -> None:
    if not is_safe_path(path) or path.startswith("@"):
        raise Unreadable(say("%(path)s isn’t a valid file name.", path=printable(path)))


def _expected(found: bytes | None, expected: str | None, size: int | None) -> bytes | None:
    """The version that the change was made from, if it stands there, perhaps grown since; None: something else does."""
    if expected is None or found is None:
        return b"" if expected is None and found is None else None
    if digest(found) == expected:
        return found
    begins = found[:size] if size else b""
    return begins if begins and digest(begins) == expected else None


def _portions(sizes: Sequence[tuple[str, int]]) -> Iterator[list[str]]:
    """Scope keys whose rows are read in one look."""
    portion: list[str] = []
    rows = 0
    for key, size in sizes:
        portion.append(key)
        rows += size
        if rows >= _AT_ONCE:
            yield portion
            portion, rows = [], 0
    if portion:
        yield portion


def _instant(at: str) -> int:
    found = moment_of(at)
    return keepable_time((found - _EPOCH) // timedelta(microseconds=1) * 1000) if found else 0
