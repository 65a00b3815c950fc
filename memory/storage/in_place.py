"""Writing into the file that stands there, where its name or inode cannot be given to another (bind mount, links, owner)."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Iterator

from memory.domain.changes import digest
from memory.storage import kernel
from memory.storage.stable_read import open_regular, read_open
from memory.storage.staging import Names, sync
from memory.storage.walk import DirEntry

_LEASE_TRIES = 20
_LEASE_PAUSE = 0.005


def overwrite(place: DirEntry, names: Names, data: bytes, expected: str | None, *, lease: bool) -> bool:
    """Make `data` the content of the file at a place, keeping what others append meanwhile. False: it is not what was expected.

    Raises OSError with the file as it was.
    """
    file = open_regular(place.fd, place.name, os.O_RDWR)
    try:
        with _alone(file, lease):
            old = read_open(file)
            if digest(old) != expected:
                return False
            _rewrite(file, old, data)
            _take_stamp(place, names, file)
            sync(file)
            place.drop(names.now)  # before anybody else gets at the file: whoever finds the mark finds no late bytes
            return True
    finally:
        os.close(file)


def late_bytes(found: bytes, before: bytes, after: bytes) -> bytes:
    """What others appended to a document that `Slot.TORN` was said of: it holds some mixture of its old and its new bytes."""
    if len(after) >= len(before) and found.startswith(after):
        return found[len(after) :]
    if found.startswith(before):
        rest, growth = found[len(before) :], after[len(before) :]
        head, _, tail = rest.partition(growth) if growth else (rest, b"", b"")
        return head + tail
    if found.startswith(after) and not found.startswith(before[len(after) :], len(after)):
        return found[len(after) :]
    return found[max(len(before), len(after)) :]


@contextlib.contextmanager
def _alone(file: int, lease: bool) -> Iterator[None]:
    """Keep others from opening the file for the time of one write, if it can be had; bots rarely hold their files open."""
    for _ in range(_LEASE_TRIES if lease else 0):
        try:
            with kernel.lease(file, write=True) as held:
                if held:
                    yield
                    return
        except kernel.NoLease:
            break
        time.sleep(_LEASE_PAUSE)
    yield


def _rewrite(file: int, old: bytes, data: bytes) -> None:
    """Growth first: it needs space, and its place shows what others appended since `old` was read."""
    if len(data) > len(old):
        start = _append(file, data[len(old) :])
        late = os.pread(file, start - len(old), len(old))
        with _taken_back(file, old + late):
            _write_at(file, data + late, 0)
    else:
        with _taken_back(file, old):
            _write_at(file, data, 0)
            _shorten(file, len(old), len(data))


@contextlib.contextmanager
def _taken_back(file: int, old: bytes) -> Iterator[None]:
    """Put the old bytes back if the new ones find no space after all (file systems that copy on write)."""
    size = os.fstat(file).st_size
    try:
        yield
    except OSError:
        with contextlib.suppress(OSError):
            _write_at(file, old, 0)
            if os.fstat(file).st_size == size:
                os.ftruncate(file, len(old))
        raise


def _append(file: int, data: bytes) -> int:
    """Add bytes at the end, wherever that is by now; where they begin. Raises OSError with nothing added."""
    flags = fcntl.fcntl(file, fcntl.F_GETFL)
    fcntl.fcntl(file, fcntl.F_SETFL, flags | os.O_APPEND)
    try:
        before = os.fstat(file).st_size
        written = os.write(file, data)
        end = os.lseek(file, 0, os.SEEK_CUR)
    finally:
        fcntl.fcntl(file, fcntl.F_SETFL, flags)
    if written < len(data):
        if os.fstat(file).st_size == end:
            os.ftruncate(file, max(end - written, before))
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    return end - written


def _write_at(file: int, data: bytes, at: int) -> None:
    view = memoryview(data)
    while view:
        written = os.pwrite(file, view, at)
        view = view[written:]
        at += written


def _shorten(file: int, old: int, new: int) -> None:
    """Cut to `new` bytes, but keep what was appended after the `old` bytes."""
    while True:
        end = os.fstat(file).st_size
        late = os.pread(file, end - old, old) if end > old else b""
        _write_at(file, late, new)
        if os.fstat(file).st_size == end:
            os.ftruncate(file, new + len(late))
            return


def _take_stamp(place: DirEntry, names: Names, file: int) -> None:
    """Mode and time as staged; only the owner can set them, and without they are as any write leaves them."""
    staged = place.look(names.now)
    if staged is None:
        return
    with contextlib.suppress(PermissionError):
        if os.fstat(file).st_mode != staged.st_mode:
            os.fchmod(file, staged.st_mode & 0o7777)
        os.utime(file, ns=(staged.st_atime_ns, staged.st_mtime_ns))
