"""What Linux offers beyond POSIX: swapping two names at once, and proof that nobody else has a file open."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import signal
import sys
from collections.abc import Iterator

LINUX = sys.platform == "linux"
_NO_REPLACE, _EXCHANGE = 1, 2

# File systems with writers that this kernel does not see (other machines, the host of a container): NFS, SMB, CIFS, SMB2,
# FUSE, 9P, Ceph, AFS, Coda, GFS2, OCFS2, Lustre, VirtualBox, VMware.
_SHARED = {
    0x6969,
    0x517B,
    0xFF534D42,
    0xFE534D42,
    0x65735546,
    0x01021997,
    0x00C36400,
    0x5346414F,
    0x73757245,
    0x01161970,
    0x7461636F,
    0x0BD00BD0,
    0x786F4256,
    0xBACBACBC,
}

_libc = ctypes.CDLL(None, use_errno=True) if LINUX else None


def _rename(directory: int, source: str, target: str, flags: int) -> None:
    rename = getattr(_libc, "renameat2", None)
    if rename is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    if rename(directory, os.fsencode(source), directory, os.fsencode(target), flags):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def exchange(directory: int, one: str, other: str) -> None:
    """Swap two names of one open directory at once. Raises OSError: ENOSYS or EINVAL where this cannot be done."""
    _rename(directory, one, other, _EXCHANGE)


def move_if_free(directory: int, source: str, target: str) -> None:
    """Rename, but FileExistsError if something has the name already. Raises OSError: ENOSYS or EINVAL as `exchange`."""
    _rename(directory, source, target, _NO_REPLACE)


def is_shared(fd: int) -> bool:
    """Whether others than this kernel may write to the file system of an open file, so that a lease proves nothing."""
    found = (ctypes.c_long * 64)()
    if _libc is None or _libc.fstatfs(fd, found):
        return True
    return (found[0] & 0xFFFFFFFF) in _SHARED


class NoLease(Exception):
    """Leases cannot be had for this file: other owner, other system, shared file system."""


@contextlib.contextmanager
def lease(fd: int, *, write: bool) -> Iterator[bool]:
    """Hold a lease: for reading (nobody has the file open for writing) or writing (nobody else has it open at all).

    Yields False if somebody has it open. Raises NoLease. An opener meanwhile waits in the kernel until this ends.
    """
    if not LINUX or is_shared(fd):
        raise NoLease
    try:
        # Told of an opener by a signal that is ignored by default: the usual SIGIO would end this process.
        fcntl.fcntl(fd, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_WRLCK if write else fcntl.F_RDLCK)
    except OSError as error:
        if error.errno not in (errno.EAGAIN, errno.EBUSY):
            raise NoLease from error
        yield False
        return
    try:
        yield True
    finally:
        with contextlib.suppress(OSError):
            fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)


def is_wanted(fd: int) -> bool:
    """Whether somebody has asked to write to an open file since a lease on it was taken."""
    return fcntl.fcntl(fd, fcntl.F_GETLEASE) == fcntl.F_UNLCK
