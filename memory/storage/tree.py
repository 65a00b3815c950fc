"""Every file below the root, by open directories; a link that leaves the root is an error, not a way out."""

from __future__ import annotations

import contextlib
import os
import stat as kinds
from collections.abc import Callable, Iterator
from pathlib import Path

from memory.domain.errors import Unreadable, VaultError
from memory.storage import FileEntry
from memory.storage.walk import (
    DIRECTORY,
    HIDDEN,
    DirEntry,
    at,
    circle,
    described,
    look,
    oddity,
    open_root,
    printable,
    reason,
)
from memory.text.sentences import say

_ENDINGS = (".md", ".json", ".jsonl", ".txt")


def scan(root: Path, skip: Callable[[str], bool]) -> Iterator[FileEntry]:
    """Every file below the root, as `Vault.scan` says; `skip(name)`: a directory that is passed over."""
    yield from _Walk(root, skip).below(open_root(root), "")


def listed(root: Path, directory: str) -> list[FileEntry]:
    """The files in one directory, as `Vault.listed` says."""
    walk = _Walk(root, lambda name: True)
    if not directory:
        return list(walk.below(open_root(root), ""))
    with at(root, directory) as place:
        if place is None or place.found is None or not kinds.S_ISDIR(place.found.st_mode):
            return []
        return list(walk.through(place, directory))


class _Walk:
    """One walk through the tree. A directory reached through a link is walked too, but links to directories inside it are not."""

    def __init__(self, root: Path, skip: Callable[[str], bool]) -> None:
        self.root = root
        self.skip = skip

    def below(self, fd: int, prefix: str, linked: bool = False) -> Iterator[FileEntry]:
        """Everything in an open directory, which is closed at the end."""
        try:
            directories: list[str] = []
            yield from self._listed(fd, prefix, directories, linked)
            for name in directories:
                yield from self._entered(fd, name, prefix, linked)
        finally:
            os.close(fd)

    def _listed(self, fd: int, prefix: str, directories: list[str], linked: bool) -> Iterator[FileEntry]:
        try:
            entries = os.scandir(fd)
        except OSError as error:
            yield _unlisted(prefix, os.fstat(fd), error)
            return
        others: list[str] = []
        with entries:
            for entry in entries:
                name = entry.name
                if entry.is_file(follow_symlinks=False):
                    if name.startswith(HIDDEN):
                        continue
                    try:
                        found = entry.stat(follow_symlinks=False)
                    except FileNotFoundError:
                        continue
                    except OSError as error:
                        yield _unlisted(prefix, os.fstat(fd), error)
                        return
                    yield FileEntry(prefix + name, described(found))
                elif entry.is_dir(follow_symlinks=False):
                    if not self.skip(name):
                        directories.append(name)
                elif not name.startswith(HIDDEN):
                    others.append(name)
        for name in others:
            yield from self._other(fd, name, prefix, linked)

    def _entered(self, fd: int, name: str, prefix: str, linked: bool) -> Iterator[FileEntry]:
        try:
            below = os.open(name, DIRECTORY | os.O_NOFOLLOW, dir_fd=fd)
        except FileNotFoundError:
            return
        except OSError as error:
            found = look(fd, name)
            if found is not None:
                yield _unlisted(f"{prefix}{name}/", found, error)
            return
        if name.endswith(_ENDINGS):
            # A directory may have such a name (a chat's); a document may not be one. Only who knows the names can tell.
            yield FileEntry(prefix + name, described(os.fstat(below)), oddity(prefix + name, kinds.S_IFDIR))
        yield from self.below(below, f"{prefix}{name}/", linked)

    def _other(self, fd: int, name: str, prefix: str, linked: bool) -> Iterator[FileEntry]:
        """What is neither file nor directory: followed if it is a link that stays inside, else an error."""
        path = prefix + name
        found = look(fd, name)
        if found is None:
            return
        if not kinds.S_ISLNK(found.st_mode):
            yield FileEntry(path, described(found), oddity(path, found.st_mode))
            return
        try:
            with at(self.root, path) as place:
                if place is None or place.found is None:
                    return
                if not kinds.S_ISDIR(place.found.st_mode):
                    yield FileEntry(path, described(place.found), oddity(path, place.found.st_mode))
                elif not linked and not self.skip(name):
                    if self._is_circle(prefix, path):
                        raise Unreadable(circle(path))
                    yield from self.through(place, path)
        except VaultError as error:
            yield FileEntry(path, described(found), str(error))
        except OSError as error:
            yield FileEntry(
                path,
                described(found),
                say("%(path)s can’t be read: %(reason)s.", path=printable(path), reason=reason(error)),
            )

    def _is_circle(self, prefix: str, path: str) -> bool:
        here, there = (os.path.realpath(f"{self.root}/{below}") for below in (prefix, path))
        return f"{here}/".startswith(f"{there}/")

    def through(self, place: DirEntry, path: str) -> Iterator[FileEntry]:
        """Everything in a directory that is no longer looked for by its name alone: a link led to it, or somebody named it."""
        below = os.open(place.name, DIRECTORY | os.O_NOFOLLOW, dir_fd=place.fd)
        yield from self.below(below, f"{path}/", linked=True)


def _unlisted(path: str, found: os.stat_result, error: OSError) -> FileEntry:
    return FileEntry(
        path,
        described(found),
        say("%(path)s can’t be listed: %(reason)s.", path=printable(path), reason=reason(error)),
    )


def hidden(root: Path) -> Iterator[str]:
    """The path of every hidden file of ours below the root. Directories that cannot be listed are passed over."""
    yield from _hidden(open_root(root), "")


def _hidden(fd: int, prefix: str) -> Iterator[str]:
    try:
        directories: list[str] = []
        with contextlib.suppress(OSError), os.scandir(fd) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    directories.append(entry.name)
                elif entry.name.startswith(HIDDEN):
                    yield prefix + entry.name
        for name in directories:
            with contextlib.suppress(OSError):
                below = os.open(name, DIRECTORY | os.O_NOFOLLOW, dir_fd=fd)
                yield from _hidden(below, f"{prefix}{name}/")
    finally:
        os.close(fd)
