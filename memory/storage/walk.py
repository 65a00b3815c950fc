"""The way to a document: from the root, one open directory at a time, following no link that leaves the root."""

from __future__ import annotations

import contextlib
import errno
import os
import stat as kinds
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memory.domain.changes import names_a_file
from memory.domain.errors import LeadsOutside, RootGone, Unreadable, WriteFailed
from memory.storage import Stat
from memory.text.sentences import join_sentences, say

HIDDEN = ".kenoweb-"
LINKS = 16  # how often a path may lead through a link before it counts as a circle
DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_NO_LINK = (errno.ELOOP, errno.ENOTDIR, getattr(errno, "EMLINK", errno.ELOOP))
_INODE = _LATEST = 2**63 - 1

_REASONS = {
    errno.ENOSPC: say("the disk is full"),
    errno.EDQUOT: say("the disk quota is used up"),
    errno.EROFS: say("the file system is read-only"),
    errno.EACCES: say("Kenoweb doesn’t have permission"),
    errno.EPERM: say("permission denied"),
    errno.ENAMETOOLONG: say("the name is too long"),
    errno.EIO: say("the disk reported an error"),
    errno.ENOTDIR: say("a file exists where a directory is needed"),
    errno.EISDIR: say("it is a directory, not a file"),
    errno.ENXIO: say("it isn’t a regular file"),
    errno.EAGAIN: say("another program is using it"),
}


def reason(error: OSError) -> str:
    """Why the system refused, for people; never with a path in it."""
    return _REASONS.get(error.errno or 0) or (error.strerror or "").lower() or say("the system denied access")


@contextlib.contextmanager
def reading(path: str) -> Iterator[None]:
    """Say what the system refuses while a document is read."""
    try:
        yield
    except OSError as error:
        raise Unreadable(
            say("%(path)s can’t be read: %(reason)s.", path=printable(path), reason=reason(error))
        ) from error


@contextlib.contextmanager
def writing(path: str) -> Iterator[None]:
    """Say what the system refuses while a document is written; used where nothing has changed by then."""
    try:
        yield
    except OSError as error:
        raise WriteFailed(
            say(
                "%(path)s couldn’t be written: %(reason)s. Nothing was changed.",
                path=printable(path),
                reason=reason(error),
            )
        ) from error


@dataclass(frozen=True, slots=True)
class DirEntry:
    """Where a document stands: an open directory, its name there, and what has that name (None: nothing)."""

    path: str
    fd: int
    name: str
    found: os.stat_result | None

    def look(self, name: str) -> os.stat_result | None:
        """What has this name in the directory, links not followed."""
        return look(self.fd, name)

    def again(self) -> DirEntry:
        """The same place, with what stands there by now."""
        return DirEntry(self.path, self.fd, self.name, self.look(self.name))

    def drop(self, name: str) -> None:
        """Remove a name; nothing happens if it is not there."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self.fd)

    def rename(self, source: str, target: str) -> None:
        os.replace(source, target, src_dir_fd=self.fd, dst_dir_fd=self.fd)


def is_hidden(path: str) -> bool:
    """Whether a path leads to or below a name that we keep for our own hidden files: no document can have it."""
    return any(part.startswith(HIDDEN) for part in path.split("/"))


def described(found: os.stat_result) -> Stat:
    """The system's stat in the vault's own terms."""
    return Stat(
        found.st_size,
        keepable_time(found.st_mtime_ns),
        keepable_time(found.st_ctime_ns),
        found.st_ino & _INODE,
        found.st_mode & 0o7777,
        found.st_nlink,
    )


def keepable_time(nanoseconds: int) -> int:
    """A time since 1970 that a database can hold: a clock gone wrong dates files from 1677 back and from 2262 on."""
    return nanoseconds if -_LATEST <= nanoseconds <= _LATEST else max(-_LATEST, min(nanoseconds, _LATEST))


def look(directory: int, name: str) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        return None


def oddity(path: str, mode: int) -> str:
    """Why something with this mode is not a document, for people; empty for a regular file."""
    if kinds.S_ISREG(mode):
        return ""
    if kinds.S_ISDIR(mode):
        return say("%(path)s is a directory, not a file.", path=printable(path))
    return say("%(path)s isn’t a regular file.", path=printable(path))


def circle(path: str) -> str:
    return say("%(path)s is a circular link.", path=printable(path))


def open_root(root: Path) -> int:
    """The root as an open directory; it may itself be reached through links. Raises RootGone."""
    try:
        return os.open(root, DIRECTORY)
    except OSError as error:
        why = {errno.ENOENT: say("is missing"), errno.ENOTDIR: say("isn’t a directory")}.get(error.errno or 0)
        why = why or say("can’t be opened: %(reason)s", reason=reason(error))
        what = say("The memory directory %(why)s.", why=why)
        raise RootGone(join_sentences(what, say("Nothing was changed.")), what) from error


@contextlib.contextmanager
def at(root: Path, path: str, *, make: bool = False, follow: bool = True) -> Iterator[DirEntry | None]:
    """The place of a document, None if a directory on the way is missing (`make` makes them). `follow`: through a link at its end.

    Raises Unreadable for a path that cannot be one or leads outside, RootGone; OSError for what the system refuses.
    """
    place = _locate(root, path, make, follow)
    try:
        yield place
    finally:
        if place is not None:
            os.close(place.fd)


def _locate(root: Path, path: str, make: bool, follow: bool) -> DirEntry | None:
    if not names_a_file(path):
        raise Unreadable(say("%(path)s isn’t a valid file name.", path=printable(path)))
    parts = path.split("/")
    for _ in range(LINKS):
        fd, done = _descend(open_root(root), parts, make)
        place = None
        try:
            name = parts[done]
            found = look(fd, name)
            last = done == len(parts) - 1
            if found is not None and kinds.S_ISLNK(found.st_mode) and (follow or not last):
                inside = _inside(root, path, parts[:done], os.readlink(name, dir_fd=fd))
                parts = inside + parts[done + 1 :]
            elif last:
                place = DirEntry(path, fd, name, found)
                return place
            elif found is not None and kinds.S_ISDIR(found.st_mode):
                pass  # it was something else a moment ago: from the start
            elif not make:
                return None
            elif found is not None:
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        finally:
            if place is None:
                os.close(fd)
        if not parts:
            raise Unreadable(oddity(path, kinds.S_IFDIR))
    raise Unreadable(circle(path))


def _descend(fd: int, parts: list[str], make: bool) -> tuple[int, int]:
    """Go down from an open directory (which is closed) as far as directories go; where that ended, and after how many parts."""
    for done, part in enumerate(parts[:-1]):
        try:
            below = os.open(part, DIRECTORY | os.O_NOFOLLOW, dir_fd=fd)
        except FileNotFoundError:
            if not make:
                return fd, done
            below = _made(fd, part)
        except OSError as error:
            if error.errno in _NO_LINK:
                return fd, done
            os.close(fd)
            raise
        os.close(fd)
        fd = below
    return fd, len(parts) - 1


def _made(fd: int, name: str) -> int:
    """A new directory, opened; mode and owner as the one that it is in."""
    try:
        like = os.fstat(fd)
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, like.st_mode & 0o777, dir_fd=fd)
        below = os.open(name, DIRECTORY | os.O_NOFOLLOW, dir_fd=fd)
    except OSError:
        os.close(fd)
        raise
    take_owner(below, like)
    with contextlib.suppress(PermissionError):
        os.fchmod(below, like.st_mode & 0o7777)
    return below


def take_owner(fd: int, like: os.stat_result) -> bool:
    """Give an open file the owner and group of another; whether it has them now."""
    mine = os.fstat(fd)
    if (mine.st_uid, mine.st_gid) == (like.st_uid, like.st_gid):
        return True
    try:
        os.fchown(fd, like.st_uid, like.st_gid)
    except PermissionError:
        with contextlib.suppress(PermissionError):
            os.fchown(fd, -1, like.st_gid)
        return False
    return True


def _inside(root: Path, path: str, done: list[str], target: str) -> list[str]:
    """Where a link points, as the parts of a path below the root. Only asked: the walk goes there itself, from the root."""
    home = os.path.realpath(root)
    real = os.path.realpath(target if target.startswith("/") else "/".join([home, *done, target]))
    below = os.path.relpath(real, home)
    if below == os.pardir or below.startswith("../"):
        raise LeadsOutside(say("%(path)s is a link to a place outside the memory directory.", path=printable(path)))
    if not os.path.lexists(real):
        raise Unreadable(say("%(path)s is a broken link.", path=printable(path)))
    return [] if below == os.curdir else below.split("/")


def printable(path: str) -> str:
    """A path that may stand in a sentence, also when it is no UTF-8, holds NUL, or is endless."""
    shown = "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in path)
    shown = shown.replace("\0", "\\0") or "An empty name"
    return shown if len(shown) <= 200 else f"{shown[:197]}..."
