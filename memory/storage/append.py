"""One write at the end of a file, as bots do it."""

from __future__ import annotations

import contextlib
import errno
import os

from memory.domain.errors import WriteFailed
from memory.storage import Appended
from memory.storage.recovery import is_same
from memory.storage.stable_read import open_regular, read_open
from memory.storage.staging import create, sync
from memory.storage.walk import DirEntry, described, printable
from memory.text.sentences import say

_FLAGS = os.O_WRONLY | os.O_APPEND


def append(place: DirEntry, data: bytes, *, fsync: bool) -> Appended | None:
    """Add bytes at the end; None if the file was replaced meanwhile by one without them. Raises OSError with nothing added."""
    file, created = _opened(place)
    try:
        offset = _added(place, file, data, created)
        if fsync:
            sync(file)
            if created:
                sync(place.fd)
        found = place.look(place.name)
        mine = os.fstat(file)
    finally:
        os.close(file)
    if found is not None and is_same(found, mine):
        return Appended(offset, described(found), created)
    return _carried_over(place, data)


def _opened(place: DirEntry) -> tuple[int, bool]:
    with contextlib.suppress(FileNotFoundError):
        return open_regular(place.fd, place.name, _FLAGS), False
    with contextlib.suppress(FileExistsError):
        return create(place, place.name, os.O_APPEND)[0], True
    return open_regular(place.fd, place.name, _FLAGS), False


def _added(place: DirEntry, file: int, data: bytes, created: bool) -> int:
    """Write once; where the bytes begin. A part of them is taken back."""
    written = 0
    try:
        written = os.write(file, data)
        end = os.lseek(file, 0, os.SEEK_CUR)
        if written == len(data):
            return end - written
        if os.fstat(file).st_size != end:
            raise WriteFailed(
                say(
                    "%(path)s was written only in part: the disk is full, and the bot wrote after it.",
                    path=printable(place.path),
                )
            )
        os.ftruncate(file, end - written)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    except OSError:
        if created and os.fstat(file).st_size == 0:
            place.drop(place.name)
        raise


def _carried_over(place: DirEntry, data: bytes) -> Appended | None:
    """Where our bytes stand in the file that took the place of the one we wrote to: its writer may have read them before."""
    try:
        file = open_regular(place.fd, place.name, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        offset = read_open(file).rfind(data)
        return Appended(offset, described(os.fstat(file)), False) if offset >= 0 else None
    finally:
        os.close(file)
