"""What a directory holds before it becomes a bot: how many documents of which kind, by name and size, never by content."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from memory.bots import families
from memory.domain.changes import MEMORY_ROOT, join_path
from memory.domain.errors import VaultError
from memory.domain.places import Kind
from memory.storage import FileEntry, Vault

MOST_FILES = 50_000
SAMPLES = 3


@dataclass(frozen=True, slots=True)
class Shelf:
    """The documents of one kind: how many, how many bytes, a few paths."""

    kind: Kind
    count: int
    size: int
    samples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Survey:
    """What lies in a bot's directories. `others`: files that its dialect does not describe; `broken` has (path, why)."""

    shelves: tuple[Shelf, ...] = ()
    others: int = 0
    broken: tuple[tuple[str, str], ...] = ()
    is_cut: bool = False  # more than MOST_FILES: the rest was not counted
    notes: tuple[str, ...] = ()  # what else people should know before they add it, a sentence or two each

    @property
    def count(self) -> int:
        return sum(shelf.count for shelf in self.shelves)

    @property
    def size(self) -> int:
        return sum(shelf.size for shelf in self.shelves)


def survey(roots: Mapping[str, Path], family: str) -> Survey:
    """Count what is there. A root that cannot be read is among the broken."""
    of = families.get(family)
    kinds: defaultdict[Kind, list[tuple[str, int]]] = defaultdict(list)
    others, broken, is_cut = 0, [], False
    for name, directory in roots.items():
        found, problem = _files(of.vault(name, directory, roots[MEMORY_ROOT], of.dialect.passes_over))
        is_cut = is_cut or len(found) > MOST_FILES
        broken += [(f"@{name}", problem)] if problem else []
        for one in found[:MOST_FILES]:
            path = join_path(name, one.path)
            place = of.dialect.describe(path)
            if place is None:
                others += not of.dialect.is_its_own(path)
            elif one.error:
                broken.append((path, one.error))
            else:
                kinds[place.kind].append((path, one.stat.size))
    shelves = tuple(_shelf(kind, kinds[kind]) for kind in Kind if kind in kinds)
    return Survey(shelves, others, tuple(broken), is_cut, tuple(of.remarks(roots)))


def _files(vault: Vault) -> tuple[list[FileEntry], str]:
    try:
        return list(islice(vault.scan(), MOST_FILES + 1)), ""
    except VaultError as error:
        return [], str(error)


def _shelf(kind: Kind, found: list[tuple[str, int]]) -> Shelf:
    paths = sorted(path for path, _ in found)
    ends = paths if len(paths) <= SAMPLES else [paths[0], paths[len(paths) // 2], paths[-1]]
    return Shelf(kind, len(found), sum(size for _, size in found), tuple(ends))
