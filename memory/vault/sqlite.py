"""A bot's SQLite file: one consistent look at it that leaves no trace, and one short transaction."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

T = TypeVar("T")

_LOOKS = 3
_WAL_FORMAT = 2  # what bytes 18 and 19 of the file say of a database with a write-ahead log


def look(file: Path, patience: float, work: Callable[[sqlite3.Connection], T]) -> T:
    """What `work` finds in one snapshot of the database; it may be asked again. Raises sqlite3.Error and OSError."""
    try:
        return _look(file, patience, work)
    except sqlite3.OperationalError as error:
        if "decode" not in str(error):
            raise
    return _look(file, patience, lambda db: work(_lenient(db)))


def _look(file: Path, patience: float, work: Callable[[sqlite3.Connection], T]) -> T:
    """What `work` finds in one snapshot.

    A reader of a database with a write-ahead log makes the log's files where there are none. So one that nobody has open is
    read as it lies, and once more if somebody wrote meanwhile.
    """
    for _ in range(_LOOKS):
        before = signature(file)
        if not _is_at_rest(file, before):
            break
        try:
            with _opened(file, "mode=ro&immutable=1", patience) as db:
                found = work(db)
        except sqlite3.DatabaseError:
            if signature(file) == before:
                raise
            continue
        if signature(file) == before:
            return found
    with _opened(file, "mode=ro", patience) as db, _snapshot(db):
        return work(db)


@contextlib.contextmanager
def transaction(file: Path, patience: float) -> Iterator[sqlite3.Connection]:
    """One write transaction, begun at once and on disk when it ends; what is raised in it takes all of it back. Raises
    sqlite3.Error."""
    with _opened(file, "mode=rw", patience) as db:
        _lenient(db).execute("PRAGMA synchronous=FULL")
        db.execute("BEGIN IMMEDIATE")
        try:
            yield db
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")


def signature(file: Path) -> tuple[tuple[int, ...], ...]:
    """Which state the files are in: equal as long as nobody wrote. Raises OSError if there is no database."""
    found = [_stat(file)]
    with contextlib.suppress(FileNotFoundError):
        found.append(_stat(Path(f"{file}-wal")))
    return tuple(found)


def _stat(file: Path) -> tuple[int, ...]:
    found = file.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _is_at_rest(file: Path, found: tuple[tuple[int, ...], ...]) -> bool:
    """Whether nobody has the database open, as far as its log tells."""
    if len(found) > 1:
        return False
    with file.open("rb") as opened:
        return opened.read(20)[18:20] == bytes([_WAL_FORMAT, _WAL_FORMAT])


@contextlib.contextmanager
def _opened(file: Path, mode: str, patience: float) -> Iterator[sqlite3.Connection]:
    name = quote(os.fsencode(file.absolute()))
    db = sqlite3.connect(f"file:{name}?{mode}", uri=True, timeout=patience, isolation_level=None)
    try:
        db.row_factory = sqlite3.Row
        yield db
    finally:
        db.close()


@contextlib.contextmanager
def _snapshot(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN")
    yield
    db.execute("COMMIT")


def _lenient(db: sqlite3.Connection) -> sqlite3.Connection:
    """Take text that is no UTF-8 byte for byte; SQLite's own way of reading text is faster."""
    db.text_factory = lambda value: value.decode("utf-8", "surrogateescape")
    return db
