"""A bot's own files as a tree of directories: those that have no page of their own among the days and chats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from memory.bots import open_bot
from memory.domain.places import Kind, Tier
from memory.index import cached
from memory.models import Bot, Document
from memory.text.storable import as_utf8
from memory.web.base.addresses import addresses
from memory.web.base.gauges import kilobytes

ELSEWHERE = (Kind.DAILY, Kind.WORKING, Kind.TRANSCRIPT)  # kinds that have pages of their own
MOST = 200  # files on a page, and beside one
SMALL = 5  # files of a directory that is open at once
DEEPEST = 8  # directories in each other
_FIRST = (Kind.LONG_TERM, Kind.IDENTITY, Kind.PATTERNS, Kind.CONTEXT, Kind.HISTORY, Kind.ARCHIVE, Kind.TOPIC, Kind.TEXT)


@dataclass(frozen=True, slots=True)
class FileRow:
    """A document in a list. `url` is "" where its name cannot stand in an address, `facts` "" where it has none; `name` is its path
    below the directory that it is listed in."""

    path: str
    url: str
    size: str
    name: str = ""
    what: str = ""
    written: datetime | None = None
    facts: str = ""
    facts_url: str = ""
    error: str = ""
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """A directory: the files and directories in it that are shown; one that holds a single file is that file. `number`: how many
    files there are in it and below, also on other pages."""

    name: str
    path: str
    files: Sequence[FileRow]
    branches: Sequence[Branch]
    number: int

    @property
    def holds_current(self) -> bool:
        """Whether the file that is shown is in it or below."""
        return any(file.is_current for file in self.files) or any(one.holds_current for one in self.branches)

    @property
    def is_small(self) -> bool:
        """Whether it takes little room when it is open."""
        return self.number <= SMALL


def own_paths(bot: Bot) -> list[str]:
    """The bot's own files in the order of their tree: those in no directory first, by what they are."""
    return cached.while_indexed(bot, "own-files", partial(_own_paths, bot))


def _own_paths(bot: Bot) -> list[str]:
    kept = [kind for kind in Kind if kind not in ELSEWHERE]
    rows = Document.objects.filter(bot=bot, tier=Tier.GLOBAL, scope="", kind__in=kept, error="")
    found = [(path.rpartition("/")[0], _rank(kind), path) for path, kind in rows.values_list("path", "kind")]
    return [path for _directory, _rank, path in sorted(found)]


def _rank(kind: str) -> int:
    return next((at for at, one in enumerate(_FIRST) if one == kind), len(_FIRST))


def files_beside(bot: Bot, current: str) -> Branch:
    """The bot's own files, of very many those near the one that is shown; its long-term memory has a line above them."""
    paths = [path for path in own_paths(bot) if path != open_bot(bot).long_term]
    start = paths.index(current) // MOST * MOST if current in paths else 0
    near = paths[start : start + MOST]
    sizes = dict(Document.objects.filter(bot=bot, path__in=near).values_list("path", "size"))
    url_of = addresses("document", bot)
    files = [
        FileRow(as_utf8(path), url_of(path), kilobytes(sizes[path]), is_current=path == current)
        for path in near
        if path in sizes
    ]
    return tree(files, paths)


def tree(files: Iterable[FileRow], paths: Iterable[str]) -> Branch:
    """Files by their directories; `paths` are all that there are, of which these may be a page."""
    return _branch("", "", files, 0, _numbers(paths))


def _numbers(paths: Iterable[str]) -> Mapping[str, int]:
    """How many of these are in each directory and below, by its path as a page shows it."""
    found = Counter[str]()
    for directory, number in Counter(path.rpartition("/")[0] for path in paths).items():
        names = [f"{name}/" for name in as_utf8(directory).split("/") if directory][:DEEPEST]
        for depth in range(len(names) + 1):
            found["".join(names[:depth])] += number
    return found


def _branch(name: str, path: str, files: Iterable[FileRow], depth: int, numbers: Mapping[str, int]) -> Branch:
    within: dict[str, list[FileRow]] = {"": []}
    for file in files:
        head, slash, _rest = file.path[len(path) :].partition("/")
        within.setdefault(head if slash and depth < DEEPEST else "", []).append(file)
    here = [*within.pop(""), *(some[0] for head, some in within.items() if numbers[f"{path}{head}/"] == 1)]
    below = [(f"{path}{head}/", head, some) for head, some in within.items() if numbers[f"{path}{head}/"] > 1]
    return Branch(
        name,
        path,
        [replace(file, name=file.path[len(path) :]) for file in here],
        [_branch(head, there, some, depth + 1, numbers) for there, head, some in below],
        numbers[path],
    )
