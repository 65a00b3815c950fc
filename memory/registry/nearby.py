"""Memories on this machine that nobody added yet, in the places where the families keep theirs, looked at by their names only."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from memory.bots import families
from memory.bots.directories import resolved
from memory.bots.family import Family, Recognised
from memory.registry import is_taken
from memory.text.storable import is_keepable

MOST = 2_000  # entries of a directory that are looked at, those below it among them


@dataclass(frozen=True, slots=True)
class Nearby:
    """A memory that may be added: of which family it looks (`family:flavour`), its files and when the newest was written. `is_cut`:
    there are more. `error` is the system's word for why it cannot be read, "" if it can."""

    directory: Path
    family: str
    files: int = 0
    newest: float = 0
    is_cut: bool = False
    error: str = ""


def nearby() -> list[Nearby]:
    """The memories in the usual places of this machine's user, without those of bots on the desk. No file is read."""
    with suppress(RuntimeError):  # who runs this has no home
        return [one for directory, known in _places(Path.home()).items() if (one := _look_at(directory, known))]
    return []


def _places(home: Path) -> dict[Path, list[Family]]:
    """The directories that are there and stay in the home, each once, with the families that keep their memory in it."""
    found: dict[Path, tuple[Path, list[Family]]] = {}
    for family in families.every():
        for place in family.usual:
            there = resolved(home / place)
            if _may_be_added(there, home):
                found.setdefault(there, (home / place, []))[1].append(family)
    return dict(found.values())


def _may_be_added(directory: Path, home: Path) -> bool:
    with suppress(OSError):  # what is above may be closed to us
        inside = resolved(home) in directory.parents and is_keepable(str(directory))
        return inside and directory.is_dir() and not is_taken(directory)
    return False


def _look_at(directory: Path, known: Sequence[Family]) -> Nearby | None:
    try:
        entries = list(islice(_entries(directory, known[0]), MOST + 1))
    except OSError as error:
        return Nearby(directory, known[0].name, error=error.strerror or str(error))
    told = _recognise(directory, known, entries)
    written = [when for entry in entries[:MOST] if (when := _modified(entry))]
    if told is None or not written:
        return None
    return Nearby(directory, told.name, len(written), max(written), len(entries) > MOST)


def _entries(directory: Path, family: Family) -> Iterator[os.DirEntry[str]]:
    """What is in a directory, then what is in those below it. Links are not followed. Raises OSError if it cannot be listed."""
    below: deque[str] = deque()
    with os.scandir(directory) as listed:
        yield from _scan(listed, family, below)
    while below:
        with suppress(OSError), os.scandir(below.popleft()) as listed:
            yield from _scan(listed, family, below)


def _scan(listed: Iterable[os.DirEntry[str]], family: Family, directories: deque[str]) -> Iterator[os.DirEntry[str]]:
    for entry in listed:
        yield entry
        if entry.is_dir(follow_symlinks=False) and not family.dialect.passes_over(entry.name):
            directories.append(entry.path)


def _recognise(directory: Path, known: Iterable[Family], entries: Iterable[os.DirEntry[str]]) -> Recognised | None:
    paths = (Path(entry.path).relative_to(directory) for entry in entries)
    names = sorted(path.as_posix() for path in paths if len(path.parts) == 1 or path.parent.as_posix() == "memory")
    found = [told for family in known if (told := family.recognise(str(directory), names))]
    return max(found, key=lambda told: told.certain, default=None)


def _modified(entry: os.DirEntry[str]) -> float:
    """When a file was written; 0 for what is no file, or gone."""
    with suppress(OSError):
        if entry.is_file(follow_symlinks=False):
            return entry.stat(follow_symlinks=False).st_mtime
    return 0
