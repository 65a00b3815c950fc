"""Reading a file that others write to: in one piece, or not at all."""

from __future__ import annotations

import errno
import os
import stat as kinds
import time
from collections.abc import Callable

from memory.domain.errors import Unreadable
from memory.storage import Content
from memory.storage.walk import DirEntry, described, oddity, printable
from memory.text.sentences import say

PATIENCE = 1.0  # seconds that a read waits for a writer to finish
_PAUSE = 0.005
_TICK_NS = 20_000_000  # a file's times may stand still for so long while it is written to: ten milliseconds, twice
_SAFE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def open_regular(directory: int, name: str, flags: int) -> int:
    """Open a regular file of an open directory. Raises OSError: FileNotFoundError, EISDIR, ENXIO for what is no regular file."""
    file = _opened(directory, name, flags | _SAFE)
    mode = os.fstat(file).st_mode
    if kinds.S_ISREG(mode):
        return file
    os.close(file)
    number = errno.EISDIR if kinds.S_ISDIR(mode) else errno.ENXIO
    raise OSError(number, os.strerror(number))


def _opened(directory: int, name: str, flags: int) -> int:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return os.open(name, flags, dir_fd=directory)
        except BlockingIOError:  # a lease is being given back: an in-place write is under way
            if time.monotonic() > end:
                raise
            time.sleep(_PAUSE)


def read_open(file: int) -> bytes:
    """All bytes of an open file from its start."""
    parts: list[bytes] = []
    at = 0
    while part := os.pread(file, max(os.fstat(file).st_size - at + 1, 65536), at):
        parts.append(part)
        at += len(part)
    return b"".join(parts)


def read_stable(place: DirEntry) -> tuple[bytes, os.stat_result] | None:
    """The bytes at a place with the stat that they belong to; None if there is nothing. Raises Unreadable, OSError."""
    if place.found is not None and (odd := oddity(place.path, place.found.st_mode)):
        raise Unreadable(odd)
    end = time.monotonic() + PATIENCE
    last: bytes | None = None
    grows = True  # whether each look so far began with what the one before it saw
    while True:
        try:
            data, before, after = _read_once(place)
        except FileNotFoundError:
            return None
        late = time.monotonic() > end
        goes_on = last is not None and data.startswith(last)
        grows, last = grows and (goes_on or last is None), data[: before.st_size]
        if _is_still(data, before, after):
            if not _may_be_truncated(after) and (goes_on or not _is_fresh(after)):
                return data, after
        elif late and grows and len(data) >= before.st_size:
            return last, before  # it never rests: what stood there at first
        if late:
            raise Unreadable(
                say("%(path)s is being rewritten constantly. Try again in a moment.", path=printable(place.path))
            )
        time.sleep(_PAUSE)


def read_content(place: DirEntry | None) -> Content | None:
    """What stands at a place, as the contract of the vault gives it."""
    found = read_stable(place) if place is not None else None
    return Content(found[0], described(found[1])) if found else None


def read_tail(place: DirEntry | None, size: int) -> bytes | None:
    """The last `size` bytes at a place, without waiting for anybody; None if there is nothing. Raises Unreadable, OSError."""
    return _read_some(place, size, lambda whole: max(0, whole - size))


def read_part(place: DirEntry | None, start: int, size: int) -> bytes | None:
    """At most `size` bytes at a place from byte `start` on, like `read_tail`."""
    return _read_some(place, size, lambda whole: start)


def _read_some(place: DirEntry | None, size: int, start: Callable[[int], int]) -> bytes | None:
    if place is None or place.found is None:
        return None
    if odd := oddity(place.path, place.found.st_mode):
        raise Unreadable(odd)
    try:
        file = open_regular(place.fd, place.name, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        return os.pread(file, size, start(os.fstat(file).st_size))
    finally:
        os.close(file)


def _read_once(place: DirEntry) -> tuple[bytes, os.stat_result, os.stat_result]:
    file = open_regular(place.fd, place.name, os.O_RDONLY)
    try:
        before = os.fstat(file)
        data = read_open(file)
        return data, before, os.fstat(file)
    finally:
        os.close(file)


def _is_still(data: bytes, before: os.stat_result, after: os.stat_result) -> bool:
    same = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    return same and before.st_ctime_ns == after.st_ctime_ns and len(data) == after.st_size


def _is_fresh(found: os.stat_result) -> bool:
    """Whether a file was written so lately that its times may not tell one write from the next: it is read once more."""
    return abs(time.time_ns() - found.st_mtime_ns) < _TICK_NS


def _may_be_truncated(found: os.stat_result) -> bool:
    """Whether a file is empty and so fresh that a bot may be between truncating and writing it."""
    return found.st_size == 0 and abs(time.time_ns() - found.st_mtime_ns) < PATIENCE * 1e9
