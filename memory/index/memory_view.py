"""A bot's documents as its dialect sees them: read-only, straight from the files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, TypeVar

from memory.bots import open_bot
from memory.domain.changes import MEMORY_ROOT, join_path, split_path
from memory.domain.errors import RootGone
from memory.domain.places import Kind
from memory.models import Bot
from memory.storage import Askable, Stat
from memory.text.ages import instant

T = TypeVar("T")


class BotMemory:
    """The dialect's view of one bot's files, listed once and read fresh each time. With `paths`, of these documents only; those
    that are `known` (None: no document) are not read again."""

    def __init__(
        self, bot: Bot, paths: Iterable[str] | None = None, known: Mapping[str, bytes | None] | None = None
    ) -> None:
        self._vaults = open_bot(bot).vaults
        self._dialect = open_bot(bot).dialect
        self._paths = None if paths is None else sorted(paths)
        self._known = known or {}

    def paths(self) -> list[str]:
        """Every document that is read, sorted. Raises RootGone for the memory itself; other roots may be missing."""
        if self._paths is None:
            found = []
            for root, vault in self._vaults.items():
                try:
                    found += [path for one in vault.scan() if self._is_read(path := join_path(root, one.path))]
                except RootGone:
                    if root == "memory":
                        raise
            self._paths = sorted(found)
        return self._paths

    def _is_read(self, path: str) -> bool:
        place = self._dialect.describe(path)
        return place is not None and place.is_read

    def read(self, path: str) -> bytes | None:
        """A document's bytes, None if there is none. Raises Unreadable."""
        if path in self._known:
            return self._known[path]
        root, below = split_path(path)
        content = self._vaults[root].read(below) if root in self._vaults else None
        return content.data if content else None

    def tail(self, path: str, size: int) -> bytes | None:
        """At most the last `size` bytes of a document, None if there is none. Raises Unreadable."""
        root, below = split_path(path)
        return self._vaults[root].tail(below, size) if root in self._vaults else None

    def modified(self, path: str) -> datetime | None:
        """When a document was last written, in UTC; None if there is none. Raises Unreadable."""
        root, below = split_path(path)
        stat = self._vaults[root].stat(below) if root in self._vaults else None
        return instant(stat.mtime_ns) if stat else None

    def ask(self, root: str, work: Callable[[Any], T]) -> T | None:
        """What `work` finds in a root that can be asked; None for any other. Raises RootGone and Unreadable."""
        vault = self._vaults.get(root)
        return vault.ask(work) if isinstance(vault, Askable) else None


def notes(bot: Bot, scopes: Iterable[str]) -> dict[str, Stat]:
    """Path and stat of the daily logs and the long-term memory of some scopes ("" is the bot's own), as their directories say
    at this moment. One scope costs a look into one directory, several a walk. Raises Unreadable."""
    wanted = set(scopes)
    dialect, vault = open_bot(bot).dialect, open_bot(bot).vaults[MEMORY_ROOT]
    directory = dialect.directory(*wanted) if len(wanted) == 1 else None
    found = vault.scan() if directory is None else vault.listed(directory)
    stats: dict[str, Stat] = {}
    for one in found:
        place = dialect.describe(one.path)
        if place and place.scope in wanted and place.kind in (Kind.DAILY, Kind.LONG_TERM):
            stats[one.path] = one.stat
    return stats
