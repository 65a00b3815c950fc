"""The vault of one directory on this machine."""

from __future__ import annotations

import contextlib
import errno
import os
import stat as kinds
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from memory.domain.changes import Stamp, digest
from memory.domain.errors import Unreadable, WriteFailed
from memory.storage import (
    Appended,
    Content,
    FileEntry,
    Moved,
    Settled,
    Slot,
    Stashed,
    Stat,
    WriteDone,
    append,
    in_place,
    kernel,
    recovery,
    staging,
    tree,
    walk,
)
from memory.storage.recovery import is_same
from memory.storage.stable_read import open_regular, read_content, read_open, read_part, read_stable, read_tail
from memory.storage.staging import Names
from memory.storage.walk import DirEntry, at, described, oddity, printable, reading, writing
from memory.text.sentences import say

QUIET_SECONDS = 10.0
_ARRIVING = 0.05  # seconds in which an opener that had found the old file gets hold of it
_APPENDS = 8  # how often a file may be replaced under an append
_NO_EXCHANGE = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP)
_NO_LINK = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK)
_STAYS = (errno.EBUSY, errno.EPERM, errno.EACCES, errno.EXDEV)  # a name that cannot be given to another file


def is_passed_over(name: str) -> bool:
    """Directories that hold no memory and may be huge."""
    return name in (".git", "node_modules")


class FileVault:
    """Documents below one directory, shared with bots that know nothing of us. Keeps the contract of `memory.storage.Vault`.

    `exchange`, `lease`: use what Linux offers where the file system has it; without, a link and a quiet time of
    `quiet_seconds` stand in. `skip(name)`: a directory that a scan passes over.
    """

    transactional = False

    def __init__(
        self,
        root: Path,
        *,
        exchange: bool = True,
        lease: bool = True,
        quiet_seconds: float = QUIET_SECONDS,
        skip: Callable[[str], bool] = is_passed_over,
    ) -> None:
        self.root = Path(root)
        self.skip = skip
        self.exchange = exchange and kernel.LINUX
        self.lease = lease and kernel.LINUX
        self.quiet_seconds = quiet_seconds

    def scan(self, skip: Callable[[str], bool] | None = None) -> Iterator[FileEntry]:
        return tree.scan(self.root, skip or self.skip)

    def listed(self, directory: str) -> list[FileEntry]:
        with reading(directory):
            return tree.listed(self.root, directory)

    def directories(self) -> Iterator[Path]:
        for path, names, _files in os.walk(self.root):
            names[:] = [name for name in names if not self.skip(name)]
            yield Path(path)

    def stat(self, path: str) -> Stat | None:
        with reading(path), at(self.root, path) as place:
            if place is None or place.found is None:
                return None
            if odd := oddity(path, place.found.st_mode):
                raise Unreadable(odd)
            return described(place.found)

    def read(self, path: str) -> Content | None:
        with reading(path), at(self.root, path) as place:
            return read_content(place)

    def tail(self, path: str, size: int) -> bytes | None:
        with reading(path), at(self.root, path) as place:
            return read_tail(place, size)

    def part(self, path: str, start: int, size: int) -> bytes | None:
        with reading(path), at(self.root, path) as place:
            return read_part(place, start, size)

    def as_stored(self, path: str, data: bytes) -> bytes:
        return data

    def everything(self, is_wanted: Callable[[str], bool]) -> Iterator[tuple[str, Content]]:
        for path in sorted(found.path for found in self.scan() if is_wanted(found.path)):
            if content := self.read(path):
                yield path, content

    def stage(self, path: str, slot: str, data: bytes | None, stamp: Stamp | None) -> None:
        names = Names(slot)
        with writing(path), at(self.root, path, make=data is not None) as place:
            if place is not None:
                _check_kind(place)
                _check_mode(place)
                if data is not None:
                    staging.stage(place, names, data, stamp)

    def replace(
        self, path: str, slot: str, data: bytes, expected: str | None, size: int | None = None
    ) -> WriteDone | Moved:
        names = Names(slot)
        with writing(path), at(self.root, path) as place:
            found = read_stable(place) if place is not None else None
            if place is None or not _is_expected(found, expected, size):
                return _moved(place)
            if found is None:
                return self._placed(place, names)
            return self._replaced(place, names, data, expected, found[1])

    def _replaced(
        self, place: DirEntry, names: Names, data: bytes, expected: str | None, found: os.stat_result
    ) -> WriteDone | Moved:
        staged = place.look(names.new)
        if staged is not None and _may_leave(place, found, staged):
            try:
                return self._exchanged(place, names, found, staged) or self._linked(place, names, found)
            except FileNotFoundError:
                return _moved(place)
            except OSError as error:
                if error.errno not in (*_STAYS, *_NO_LINK):
                    raise
        staging.mark(place, names, data)
        if not in_place.overwrite(place, names, data, expected, lease=self.lease):
            place.drop(names.now)
            return _moved(place)
        return _done(place, stashed=False)

    def _exchanged(
        self, place: DirEntry, names: Names, found: os.stat_result, staged: os.stat_result
    ) -> WriteDone | Moved | None:
        """Swap the staged file and its target at once, and back where the target was another file by then; None where that
        cannot be done. Raises OSError with nothing changed."""
        if not self.exchange:
            return None
        try:
            kernel.exchange(place.fd, names.new, place.name)
        except OSError as error:
            if error.errno in _NO_EXCHANGE:
                return None
            raise
        try:
            before = place.look(names.new)
            if before is None or not kinds.S_ISREG(before.st_mode):
                raise Unreadable(
                    say(
                        "%(path)s is no longer a regular file. Nothing was changed.",
                        path=printable(place.path),
                    )
                )
            if not is_same(before, found):  # renamed over it since it was looked at
                kernel.exchange(place.fd, names.new, place.name)
                if not is_same(place.look(names.new), staged):  # and once more since: the newest is the one that stays
                    kernel.exchange(place.fd, names.new, place.name)
                return _moved(place)
            place.rename(names.new, names.old)
        except (OSError, Unreadable):
            kernel.exchange(place.fd, names.new, place.name)
            raise
        return _done(place, stashed=True)

    def _linked(self, place: DirEntry, names: Names, found: os.stat_result) -> WriteDone | Moved:
        """Keep the old file under a second name, then rename over the first. Raises OSError with nothing changed."""
        os.link(place.name, names.old, src_dir_fd=place.fd, dst_dir_fd=place.fd, follow_symlinks=False)
        if not is_same(place.look(names.old), found):
            place.drop(names.old)
            return _moved(place)
        try:
            place.rename(names.new, place.name)
        except OSError:
            place.drop(names.old)
            raise
        return _done(place, stashed=True)

    def _placed(self, place: DirEntry, names: Names) -> WriteDone | Moved:
        """Give a new document its name, if the name is still free."""
        try:
            self._named(place, names.new)
        except FileExistsError:
            return _moved(place)
        return _done(place, stashed=False)

    def _named(self, place: DirEntry, staged: str) -> None:
        if self.exchange:
            try:
                kernel.move_if_free(place.fd, staged, place.name)
                return
            except OSError as error:
                if error.errno not in _NO_EXCHANGE:
                    raise
        try:
            os.link(staged, place.name, src_dir_fd=place.fd, dst_dir_fd=place.fd, follow_symlinks=False)
        except OSError as error:
            if error.errno not in _NO_LINK:
                raise
            place.rename(staged, place.name)  # no links here (exFAT): the name was free a moment ago
        else:
            place.drop(staged)

    def remove(self, path: str, slot: str, expected: str, size: int | None = None) -> WriteDone | Moved:
        names = Names(slot)
        with writing(path), at(self.root, path) as place:
            found = read_stable(place) if place is not None else None
            if place is None or found is None or not _is_expected(found, expected, size):
                return _moved(place)
            try:
                place.rename(place.name, names.old)
            except FileNotFoundError:
                return _moved(place)
            if is_same(place.look(names.old), found[1]):
                return WriteDone(None, True)
            return self._put_back(place, names)

    def _put_back(self, place: DirEntry, names: Names) -> WriteDone | Moved:
        """What was taken away is not what was read: it was replaced in that very moment."""
        try:
            self._named(place, names.old)
        except FileExistsError:
            return WriteDone(None, True)
        return _moved(place)

    def append(self, path: str, data: bytes, *, fsync: bool = False) -> Appended:
        for _ in range(_APPENDS):
            with writing(path), at(self.root, path, make=True) as place:
                added = append.append(place, data, fsync=fsync) if place is not None else None
                if added is not None:
                    return added
        raise WriteFailed(
            say(
                "%(path)s is being replaced constantly; the text may or may not be in it. Check the file first.",
                path=printable(path),
            )
        )

    def flush(self, paths: list[str]) -> None:
        done: set[tuple[int, int]] = set()
        for path in _with_parents(paths):
            with writing(path), at(self.root, path) as place:
                if place is None:
                    continue
                directory = os.fstat(place.fd)
                if (directory.st_dev, directory.st_ino) not in done:
                    staging.sync(place.fd)
                    done.add((directory.st_dev, directory.st_ino))

    def inspect(self, path: str, slot: str, before: Stat | None, after: str | None) -> Slot:
        names = Names(slot)
        with reading(path), self._slot(path, names) as place:
            if place is None:
                return Slot.DONE if after is None else Slot.UNTOUCHED
            return recovery.inspect(place, names, before, after)

    def settle(self, path: str, slot: str) -> Settled:
        names = Names(slot)
        with reading(path), self._slot(path, names) as place:
            if place is None or place.look(names.old) is None:
                return Settled(Stashed.NONE)
            file = open_regular(place.fd, names.old, os.O_RDONLY)
            try:
                return self._settled(file)
            finally:
                os.close(file)

    def _settled(self, file: int) -> Settled:
        age = _age(file)
        if 0 <= age < _ARRIVING:
            time.sleep(_ARRIVING - age)
        if self.lease:
            with contextlib.suppress(kernel.NoLease), kernel.lease(file, write=False) as alone:
                data = read_open(file) if alone else b""
                return Settled(Stashed.QUIET, data) if alone and not kernel.is_wanted(file) else Settled(Stashed.BUSY)
        before = os.fstat(file)
        data = read_open(file)
        still = before.st_ctime_ns == os.fstat(file).st_ctime_ns and _age(file) >= self.quiet_seconds
        return Settled(Stashed.QUIET, data) if still else Settled(Stashed.BUSY)

    def discard(self, path: str, slot: str) -> None:
        names = Names(slot)
        with writing(path), self._slot(path, names) as place:
            if place is not None:
                for name in names:
                    place.drop(name)

    def leave(self, path: str) -> None:
        directory = path.rpartition("/")[0]
        if not directory:
            return
        with writing(directory), at(self.root, directory, follow=False) as place, contextlib.suppress(OSError):
            if place is not None:
                os.rmdir(place.name, dir_fd=place.fd)

    def leftovers(self) -> Iterator[tuple[str, str]]:
        for path in tree.hidden(self.root):
            yield path, staging.slot_of(path.rpartition("/")[2])

    def sweep(self, hidden: str) -> None:
        if not hidden.rpartition("/")[2].startswith(walk.HIDDEN):
            raise ValueError(f"not a hidden file of ours: {hidden!r}")
        with writing(hidden), at(self.root, hidden, follow=False) as place:
            if place is not None:
                place.drop(place.name)

    @contextlib.contextmanager
    def _slot(self, path: str, names: Names) -> Iterator[DirEntry | None]:
        """The place whose directory holds what a slot left: beside the name itself, or beside what a link there points to."""
        with at(self.root, path, follow=False) as place:
            linked = place is not None and place.found is not None and kinds.S_ISLNK(place.found.st_mode)
            if place is None or not linked or any(place.look(name) for name in names):
                yield place
                return
        with at(self.root, path) as place:
            yield place


def _check_kind(place: DirEntry) -> None:
    if place.found is not None and (odd := oddity(place.path, place.found.st_mode)):
        raise Unreadable(odd)


def _check_mode(place: DirEntry) -> None:
    """A file that may not be written to is not replaced or removed either, though its directory would let it: nothing can be
    appended to it, and pages call it read-only."""
    if place.found is not None and not os.access(place.name, os.W_OK, dir_fd=place.fd):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _may_leave(place: DirEntry, found: os.stat_result, staged: os.stat_result) -> bool:
    """Whether a document may get another inode: no other name, no mount on it, and the staged file has its owner."""
    own_device = found.st_dev == os.fstat(place.fd).st_dev
    return own_device and found.st_nlink == 1 and (found.st_uid, found.st_gid) == (staged.st_uid, staged.st_gid)


def _is_expected(found: tuple[bytes, os.stat_result] | None, expected: str | None, size: int | None) -> bool:
    """Whether what was found is the expected version or, given that version's size, has only grown beyond it."""
    if found is None or expected is None:
        return found is None and expected is None
    return digest(found[0]) == expected or (
        size is not None and len(found[0]) > size and digest(found[0][:size]) == expected
    )


def _moved(place: DirEntry | None) -> Moved:
    return Moved(read_content(place.again() if place is not None else None))


def _done(place: DirEntry, *, stashed: bool) -> WriteDone:
    found = place.look(place.name)
    return WriteDone(described(found) if found is not None else None, stashed)


def _age(file: int) -> float:
    """Seconds since an open file was last written, linked or renamed; only the system sets this time."""
    return time.time() - os.fstat(file).st_ctime_ns / 1e9


def _with_parents(paths: list[str]) -> list[str]:
    """Documents and the directories above them, each directory once."""
    by_directory = {path.rpartition("/")[0]: path for path in paths}
    above = {path[:at] for path in paths for at, letter in enumerate(path) if letter == "/"}
    return [*by_directory.values(), *sorted(above)]
