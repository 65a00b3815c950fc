"""New bytes beside their target: complete, on the disk, with the owner and mode that the target has or would have."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import itertools
import os
import re
import stat as kinds
from dataclasses import dataclass
from pathlib import Path

from memory.domain.changes import Stamp
from memory.storage.stable_read import open_regular
from memory.storage.walk import HIDDEN, DirEntry, take_owner

_SIBLINGS = 256  # how many names are looked at for a file to take mode and owner from
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_SLOT = re.compile(r"[A-Za-z0-9-]{1,200}")
_NOT_HERE = (errno.EACCES, errno.EPERM, errno.EROFS)


class Names:
    """The hidden names of one slot, all in the directory of its target."""

    __slots__ = ("new", "now", "old", "tmp")

    def __init__(self, slot: str) -> None:
        if not _SLOT.fullmatch(slot):
            raise ValueError(f"a slot is made of letters, digits and dashes: {slot!r}")
        self.tmp = f"{HIDDEN}{slot}.tmp"  # being written
        self.new = f"{HIDDEN}{slot}.new"  # complete; right after an exchange the inode that stood there before
        self.now = f"{HIDDEN}{slot}.now"  # complete, and its bytes are being written in place
        self.old = f"{HIDDEN}{slot}.old"  # the stash

    def __iter__(self) -> itertools.chain[str]:
        return itertools.chain((self.tmp, self.new, self.now, self.old))


def slot_of(name: str) -> str:
    """The slot that a hidden name was made from."""
    return name.removeprefix(HIDDEN).rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a file takes over: permission bits, and the owner and group of `owner`."""

    mode: int
    owner: os.stat_result


def likeness(place: DirEntry) -> Likeness:
    """What new bytes at a place take over: from the file there, else from a sibling, else from the directory."""
    if place.found is not None:
        return Likeness(place.found.st_mode & 0o7777, place.found)
    sibling = _sibling(place)
    if sibling is not None:
        return Likeness(sibling.st_mode & 0o777, sibling)
    directory = os.fstat(place.fd)
    return Likeness(directory.st_mode & 0o666, directory)


def _sibling(place: DirEntry) -> os.stat_result | None:
    ending = Path(place.name).suffix
    other = None
    with os.scandir(place.fd) as entries:
        for entry in itertools.islice(entries, _SIBLINGS):
            if entry.name.startswith(".") or not entry.is_file(follow_symlinks=False):
                continue
            if entry.name.endswith(ending):
                return place.look(entry.name)
            other = other or entry.name
    return place.look(other) if other else None


def create(place: DirEntry, name: str, flags: int = 0) -> tuple[int, bool]:
    """A new empty file, opened for writing, with mode and owner of its place; whether the owner could be had. Raises OSError."""
    like = likeness(place)
    file = os.open(name, _CREATE | flags, like.mode & 0o777, dir_fd=place.fd)
    owned = take_owner(file, like.owner)
    with contextlib.suppress(PermissionError):
        os.fchmod(file, like.mode)
    return file, owned


def write_all(file: int, data: bytes) -> None:
    """Write all bytes to an open file. Raises OSError."""
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]


def sync(fd: int) -> None:
    """Have an open file or directory on the disk itself, as far as the system can."""
    full = getattr(fcntl, "F_FULLFSYNC", None)
    if full is not None:  # macOS: fsync stops at the drive's cache
        with contextlib.suppress(OSError):
            fcntl.fcntl(fd, full)
            return
    os.fsync(fd)


def stage(place: DirEntry, names: Names, data: bytes, stamp: Stamp | None) -> None:
    """Leave `data` as `.new`; nothing at all if it will have to be written in place anyway. Raises OSError, nothing left behind."""
    try:
        complete = _written(place, names.tmp, data, stamp)
    except OSError as error:
        place.drop(names.tmp)
        if error.errno in _NOT_HERE and is_writable(place):
            return
        raise
    if complete:
        place.rename(names.tmp, names.new)
    else:
        place.drop(names.tmp)


def _written(place: DirEntry, name: str, data: bytes, stamp: Stamp | None) -> bool:
    place.drop(name)
    file, owned = create(place, name)
    try:
        write_all(file, data)
        kept = place.found is None or (owned and _keeps_attributes(place, file))
        if stamp is not None:
            os.fchmod(file, stamp.mode)
            os.utime(file, ns=(stamp.mtime_ns, stamp.mtime_ns))
        sync(file)
    finally:
        os.close(file)
    return kept


def mark(place: DirEntry, names: Names, data: bytes) -> None:
    """Leave `.now` beside a target that is about to be written in place; a directory that allows no file is left alone."""
    with contextlib.suppress(FileNotFoundError):
        place.rename(names.new, names.now)
        return
    try:
        _written(place, names.tmp, data, None)
        place.rename(names.tmp, names.now)
    except OSError as error:
        if error.errno not in _NOT_HERE:
            place.drop(names.tmp)
            raise


def is_writable(place: DirEntry) -> bool:
    """Whether the file at a place, as it is, may be written to."""
    if place.found is None or not kinds.S_ISREG(place.found.st_mode):
        return False
    return os.access(place.name, os.W_OK, dir_fd=place.fd, effective_ids=True)


def _keeps_attributes(place: DirEntry, copy: int) -> bool:
    """Give a copy the access list and user attributes of the file at its place; whether all could be given."""
    if not hasattr(os, "listxattr"):
        return True
    file = open_regular(place.fd, place.name, os.O_RDONLY)
    try:
        for name in os.listxattr(file):
            if name.startswith("user.") or name == "system.posix_acl_access":
                os.setxattr(copy, name, os.getxattr(file, name))
    except OSError as error:
        return error.errno == errno.ENOTSUP
    finally:
        os.close(file)
    return True
