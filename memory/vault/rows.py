"""The vault of one nanobot database: a document for each scope, a row a line, while the bot goes on writing.

A write is one transaction that is there whole or not at all, so nothing is staged and no old version is put aside. Instead
the transaction notes its slot in the bot's own table of markers: that is how a crash afterwards is told from one before, and
settling takes the note out again. Rows are independent of each other, so what the bot added meanwhile stays as it is.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from memory.changes import Stamp, digest, is_safe_path
from memory.dialects.nanobot import lines, scopes
from memory.vault import (
    Appended,
    Content,
    Done,
    Found,
    Moved,
    RootGone,
    Settled,
    Slot,
    Stashed,
    Stat,
    Unreadable,
    WriteFailed,
    sqlite,
)
from memory.vault.staging import Names
from memory.vault.table import READ_ONLY, Table, checked
from memory.vault.walk import HIDDEN, printable

T = TypeVar("T")

PATIENCE = 5.0  # seconds to wait for the bot's own transaction
_MOST = 2**63 - 1
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SETTLED_NS = 2_000_000_000  # a file written longer ago than this is another one if its times are others

# What the last scan of a database found: the state of its files then, and by scope what tells whether its rows changed. Nothing is
# read twice while nobody writes, and no text is made twice of rows that stayed.
_scans: dict[tuple[Path, str], tuple[object, dict[str, tuple[object, Found]]]] = {}


class RowsVault:
    """The entries of one workspace in a nanobot's database. Keeps the contract of `memory.vault.Vault`."""

    def __init__(self, file: Path, workspace: str, *, patience: float = PATIENCE) -> None:
        self.file = Path(file)
        self.workspace = workspace
        self.patience = patience

    def scan(self) -> Iterator[Found]:
        yield from self._scanned()

    def listed(self, directory: str) -> list[Found]:
        return self._scanned() if directory == "" else []

    def stat(self, path: str) -> Stat | None:
        found = self.read(path)
        return found.stat if found else None

    def read(self, path: str) -> Content | None:
        if path.startswith(HIDDEN):
            _check(path)
            return None
        name = _name(path)
        if name is None:
            self._look(path, lambda table: None)
            return None
        return self._look(path, lambda table: self._content(table, name))

    def tail(self, path: str, size: int) -> bytes | None:
        found = self.read(path)
        return found.data[max(len(found.data) - size, 0) :] if found else None

    def part(self, path: str, start: int, size: int) -> bytes | None:
        found = self.read(path)
        return found.data[start : start + size] if found else None

    def held(self, path: str, data: bytes) -> bytes:
        """Rows stand by their age. Raises WriteFailed for a line that is no row."""
        rows = [(_checked(path, number, line), line) for number, line in enumerate(_whole(data), 1)]
        if len({row["id"] for row, _ in rows}) < len(rows):
            raise WriteFailed(f"{printable(path)} would hold two rows of one id. Nothing was changed.")
        rows.sort(key=lambda one: (str(one[0]["created_at"]), str(one[0]["id"])))
        return b"".join(line for _, line in rows)

    def stage(self, path: str, slot: str, data: bytes, stamp: Stamp | None) -> None:
        Names(slot)
        if _name(path) is None:
            raise WriteFailed(f"{printable(path)} is no name for the entries of a chat or user. Nothing was changed.")
        if self.held(path, data) != data:
            raise WriteFailed(f"{printable(path)} would not hold its rows by age. Nothing was changed.")
        self._look(path, _writable)

    def replace(self, path: str, slot: str, data: bytes, expected: str | None, size: int | None = None) -> Done | Moved:
        return self._exchanged(path, slot, data, expected, size)

    def remove(self, path: str, slot: str, expected: str, size: int | None = None) -> Done | Moved:
        return self._exchanged(path, slot, b"", expected, size)

    def _exchanged(self, path: str, slot: str, data: bytes, expected: str | None, size: int | None) -> Done | Moved:
        Names(slot)
        name = _name(path)
        if name is None:
            self._look(path, lambda table: None)
            return Moved(None)
        with self._writing(path) as table:
            found = self._content(table, name)
            before = _expected(found.data if found else None, expected, size)
            if before is None:
                return Moved(found)
            table.change(self._key(table, name), before, data, _now())
            table.note(slot, digest(data))
            now = self._content(table, name)
        return Done(now.stat if now else None, stashed=True)

    def append(self, path: str, data: bytes, *, fsync: bool = False) -> Appended:
        name = _name(path)
        if name is None:
            raise WriteFailed(f"{printable(path)} is no name for the entries of a chat or user. Nothing was changed.")
        rows = [checked(line) for line in _whole(data)]
        with self._writing(path) as table:
            found = self._content(table, name)
            table.append(self._key(table, name), rows)
            now = self._content(table, name)
            if now is None:
                raise WriteFailed(f"{printable(path)} got nothing to add. Nothing was changed.")
        return Appended(max(now.data.find(data), 0), now.stat, found is None)

    def flush(self, paths: list[str]) -> None:
        """Every transaction is on disk when it ends."""

    def inspect(self, path: str, slot: str, before: Stat | None, after: str | None) -> Slot:
        Names(slot)
        _name(path)
        return Slot.DONE if slot in self._look(path, lambda table: table.noted()) else Slot.UNTOUCHED

    def settle(self, path: str, slot: str) -> Settled:
        Names(slot)
        _name(path)
        self._look(path, lambda table: None)
        return Settled(Stashed.NONE)

    def discard(self, path: str, slot: str) -> None:
        Names(slot)
        if slot in self._look(path, lambda table: table.noted()):
            # Left behind where the bot is busy for longer: a note harms nobody, and `leftovers` names it.
            with contextlib.suppress(WriteFailed), self._writing(path) as table:
                table.clear(slot)

    def leftovers(self) -> Iterator[tuple[str, str]]:
        for slot in self._look("", lambda table: table.noted()):
            yield f"{HIDDEN}{slot}.note", slot

    def sweep(self, hidden: str) -> None:
        if not hidden.startswith(HIDDEN):
            raise ValueError(f"not a hidden file: {hidden!r}")
        slot = hidden.removeprefix(HIDDEN).removesuffix(".note")
        with self._writing(hidden) as table:
            table.clear(slot)

    def is_writable(self) -> bool:
        """Whether the tables are those that we know how to write."""
        return self._look("", lambda table: table.is_writable)

    def elsewhere(self) -> int:
        """How many entries of the database belong to other workspaces."""
        return self._look("", lambda table: table.elsewhere())

    def ask(self, work: Callable[[Table], T]) -> T:
        """What `work` finds in one snapshot of the whole database. Raises RootGone and Unreadable."""
        return self._look("", work)

    def tell(self, work: Callable[[Table], T]) -> T:
        """What `work` does to the whole database in one transaction. Raises RootGone and WriteFailed."""
        with self._writing("") as table:
            return work(table)

    def reindex(self) -> int:
        """Fill the bot's own search index anew; how many entries it holds then. Raises WriteFailed."""
        with self._writing("") as table:
            return table.reindex()

    def _scanned(self) -> list[Found]:
        state = self._state()
        at, known = _scans.get((self.file, self.workspace), (None, {}))
        if at != state:
            known = self._look("", lambda table: self._all(table, known))
            newest = max(times[2] for times in state)
            is_settled = _ns(datetime.now(UTC)) - newest > _SETTLED_NS and self._state() == state
            _scans[self.file, self.workspace] = (state if is_settled else None, known)
        return [found for _, found in known.values()]

    def _state(self) -> tuple[tuple[int, ...], ...]:
        try:
            return sqlite.signature(self.file)
        except OSError as error:
            raise _gone(error) from None

    def _all(self, table: Table, known: dict[str, tuple[object, Found]]) -> dict[str, tuple[object, Found]]:
        changed, file = table.changed(), self.file.stat()
        found: dict[str, tuple[object, Found]] = {}
        for key, mark in table.marks().items():
            told = (mark, changed.get(key, ""), file.st_ino, file.st_mode)
            if key in known and known[key][0] == told:
                found[key] = known[key]
                continue
            name = scopes.name_of(key, self.workspace)
            stat = self._stat(table.text(key), changed.get(key, ""))
            found[key] = (told, Found(name + scopes.ENDING, stat))
        return found

    def _content(self, table: Table, name: str) -> Content | None:
        key = table.key(name)
        data = table.text(key) if key is not None else b""
        if key is None or not data:
            return None
        return Content(data, self._stat(data, table.changed(key).get(key, "")))

    def _key(self, table: Table, name: str) -> str:
        key = table.key(name)
        if key is None:
            raise WriteFailed("There is no chat or user of this name in the database. Nothing was changed.")
        return key

    def _stat(self, data: bytes, changed: str) -> Stat:
        """The rows' own times; what takes the place of ctime tells any two texts apart."""
        found = self.file.stat()
        mark = int.from_bytes(hashlib.sha256(data).digest()[:8], "big") & _MOST
        return Stat(len(data), _instant(changed), mark, found.st_ino & _MOST, found.st_mode & 0o7777)

    def _look(self, path: str, work: Callable[[Table], T]) -> T:
        try:
            return sqlite.look(self.file, self.patience, lambda db: work(Table(db, self.workspace)))
        except OSError as error:
            raise _gone(error) from None
        except sqlite3.Error as error:
            if not self.file.is_file():
                raise _gone(FileNotFoundError()) from None
            raise Unreadable(f"The bot's database cannot be read: {_why(error)}.") from error

    @contextlib.contextmanager
    def _writing(self, path: str) -> Iterator[Table]:
        if not self.file.is_file():
            raise _gone(FileNotFoundError())
        try:
            with sqlite.transaction(self.file, self.patience) as db:
                yield _writable(Table(db, self.workspace))
        except sqlite3.Error as error:
            raise WriteFailed(f"The bot's database was not written: {_why(error)}. Nothing was changed.") from error


def _name(path: str) -> str | None:
    """The name of a scope's document; None for a path that can name none. Raises Unreadable for one that is no path."""
    _check(path)
    return path.removesuffix(scopes.ENDING) if path.endswith(scopes.ENDING) and "/" not in path else None


def _check(path: str) -> None:
    if not is_safe_path(path) or path.startswith("@"):
        raise Unreadable(f"{printable(path)} cannot be the name of a document.")


def _whole(data: bytes) -> list[bytes]:
    if data and not data.endswith(b"\n"):
        raise WriteFailed("The last line is not ended, so it is no row. Nothing was changed.")
    return data.splitlines(keepends=True)


def _checked(path: str, number: int, line: bytes) -> dict[str, object]:
    try:
        row = lines.row(line)
        if lines.line(row) != line:
            raise ValueError("it is written another way than Kenoweb writes rows")
    except ValueError as error:
        raise WriteFailed(f"Line {number} of {printable(path)} is no row: {error}. Nothing was changed.") from None
    return row


def _expected(found: bytes | None, expected: str | None, size: int | None) -> bytes | None:
    """The version that the change was made from, if it stands there, perhaps grown since; None: something else does."""
    if expected is None or found is None:
        return b"" if expected is None and found is None else None
    if digest(found) == expected:
        return found
    begins = found[:size] if size else b""
    return begins if begins and digest(begins) == expected else None


def _writable(table: Table) -> Table:
    if not table.is_writable:
        raise WriteFailed(READ_ONLY)
    return table


def _gone(error: OSError) -> RootGone:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return RootGone("The bot's database is not there. It may be on a disk that is not mounted.")
    return RootGone("The bot's database cannot be opened: Kenoweb has no permission, or it is no file.")


def _why(error: sqlite3.Error) -> str:
    said = str(error)
    if "locked" in said or "busy" in said:
        return "the bot is writing to it and did not finish in time"
    if "malformed" in said or "not a database" in said:
        return "it is damaged, or no SQLite database"
    if "readonly" in said or "unable to open" in said:
        return "Kenoweb has no permission"
    return "SQLite refuses it"


def _now() -> str:
    return datetime.now(UTC).isoformat()


def _instant(at: str) -> int:
    try:
        found = datetime.fromisoformat(at)
    except ValueError:
        return 0
    return _ns(found if found.tzinfo else found.replace(tzinfo=UTC))


def _ns(at: datetime) -> int:
    return (at - _EPOCH) // timedelta(microseconds=1) * 1000
