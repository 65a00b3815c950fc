"""A bot's SQLite file: one consistent look at it that leaves no trace, and one short transaction."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
import stat as kinds
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

T = TypeVar("T")
State = tuple[tuple[int, ...], ...]

_LOOKS = 3
_WAL_FORMAT = 2  # what bytes 18 and 19 of the file say of a database with a write-ahead log
TICK_NS = 20_000_000  # two writes this close may leave the same times: file systems count in ticks
_LOG, _JOURNAL = "-wal", "-journal"
_BESIDE = (_LOG, _JOURNAL, "-shm")
_LOG_HEAD = 32  # bytes of a log that holds nothing yet; SQLite waits ten seconds for its writer, who may have died
_UNFINISHED = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PROTOCOL)


def look(file: Path, patience: float, work: Callable[[sqlite3.Connection], T]) -> T:
    """What `work` finds in one snapshot of the database; it may be asked again. Raises sqlite3.Error and OSError."""
    try:
        return _look(file, patience, work)
    except sqlite3.OperationalError as error:
        if "decode" not in str(error):
            raise
    return _look(file, patience, lambda db: work(_lenient(db)))


class _Held:
    """The connections of this process that may hold locks on one file. Whoever closes the file itself, by any descriptor, gives up
    all of these locks unasked, and the bot writes into the middle of a transaction: so nobody opens it while there is one."""

    def __init__(self) -> None:
        self.free = threading.Condition()
        self.count = 0

    @contextlib.contextmanager
    def connection(self) -> Iterator[None]:
        with self.free:
            self.count += 1
        try:
            yield
        finally:
            with self.free:
                self.count -= 1
                self.free.notify_all()


_held: defaultdict[tuple[int, int], _Held] = defaultdict(_Held)


def _held_of(file: Path) -> _Held:
    """Of a file, by whatever name it goes; nobody has one open that is not there."""
    try:
        found = file.stat()
    except OSError:
        return _Held()
    return _held[found.st_dev, found.st_ino]


def begin(file: Path, size: int) -> bytes | None:
    """The first bytes of a file; None while a connection of ours may hold locks on it, which therefore opens as a database. Raises
    OSError."""
    held = _held_of(file)
    with held.free:
        if held.count:
            return None
        with file.open("rb") as opened:
            return opened.read(size)


class NoFile(OSError):
    """Something stands there that is no regular file: who opens it may wait for ever."""


def _look(file: Path, patience: float, work: Callable[[sqlite3.Connection], T]) -> T:
    """What `work` finds in one snapshot, with no file made and no byte changed.

    A reader of a database with a write-ahead log usually makes the log's files and leaves marks in them. So one that nobody has
    open is read as it lies, and once more if somebody wrote meanwhile; where there is a log, the bot's shared memory is only
    read; and what somebody who died left half-done is brought to its end in a copy.
    """
    for _ in range(_LOOKS):
        before = signature(file)
        if not _is_at_rest(file, before):
            break
        time.sleep(_until_told_apart(before))
        try:
            with _opened(file, "mode=ro&immutable=1", patience) as db:
                found = work(db)
        except Exception:
            if signature(file) == before:
                raise
            continue
        if signature(file) == before:
            return found
    try:
        with _opened(file, "mode=ro&readonly_shm=1", patience) as db, _snapshot(db):
            return work(db)
    except sqlite3.OperationalError as error:
        if code(error) not in _UNFINISHED:
            raise
    return _looked_at_a_copy(file, patience, work)


def _looked_at_a_copy(file: Path, patience: float, work: Callable[[sqlite3.Connection], T]) -> T:
    for _ in range(_LOOKS):
        before = signature(file)
        time.sleep(_until_told_apart(before))
        with tempfile.TemporaryDirectory(prefix="kenoweb-") as directory:
            copy = Path(directory) / "copy"
            _copy(file, copy, patience)
            if signature(file) == before:
                with _opened(copy, "mode=rw", patience) as db:
                    return work(db)
    raise _refused(sqlite3.SQLITE_BUSY)


def _copy(file: Path, copy: Path, patience: float) -> None:
    held = _held_of(file)
    try:
        with held.free:
            if not held.free.wait_for(lambda: not held.count, patience):
                raise _refused(sqlite3.SQLITE_BUSY)
            shutil.copyfile(file, copy)
            for ending in (_LOG, _JOURNAL):
                with contextlib.suppress(FileNotFoundError):
                    shutil.copyfile(f"{file}{ending}", f"{copy}{ending}")
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise _refused(sqlite3.SQLITE_FULL) from error


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
            if db.in_transaction:  # SQLite has taken it back itself where the disk was full
                db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")


def code(error: sqlite3.Error) -> int:
    """What SQLite calls an error, without the finer print; 0 for what it did not say itself."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _refused(why: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError()
    error.sqlite_errorcode = why
    return error


def signature(file: Path) -> State:
    """Which state the files are in: equal as long as nobody wrote. Raises OSError if there is no database, NoFile if it is none."""
    stat = _regular(file)
    found: list[tuple[int, ...]] = [(stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)]
    with contextlib.suppress(FileNotFoundError):
        log = _regular(Path(f"{file}{_LOG}"))
        found.append((log.st_ino, log.st_size, log.st_mtime_ns))  # its ctime moves when root opens it
    return tuple(found)


def _regular(file: Path) -> os.stat_result:
    found = file.stat()
    if not kinds.S_ISREG(found.st_mode):
        raise NoFile(errno.ENXIO, os.strerror(errno.ENXIO))
    return found


def written_ns(state: State) -> int:
    """When the files in this state were last written, in ns since 1970."""
    return max(at for _, _, *times in state for at in times)


def _is_at_rest(file: Path, found: State) -> bool:
    """Whether all that is in the database stands in its file, as far as its log tells; not while we have it open ourselves."""
    if any(size > _LOG_HEAD for _, size, *_times in found[1:]):
        return False
    head = begin(file, 20)
    return head is not None and head[18:20] == bytes([_WAL_FORMAT, _WAL_FORMAT])


def _until_told_apart(state: State) -> float:
    """Seconds until a write would leave other times than these."""
    age = time.time_ns() - written_ns(state)
    return (TICK_NS - age) / 1e9 if 0 <= age < TICK_NS else 0.0


@contextlib.contextmanager
def _opened(file: Path, mode: str, patience: float) -> Iterator[sqlite3.Connection]:
    for beside in _BESIDE:
        with contextlib.suppress(FileNotFoundError):
            _regular(Path(f"{file}{beside}"))
    name = quote(os.fsencode(file.absolute()))
    with contextlib.nullcontext() if "immutable" in mode else _held_of(file).connection():
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
