"""A bot's documents as its dialect reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Memory(Protocol):
    """A read-only view of one bot's documents. Reading raises what the vault raises; nothing here is ever guessed."""

    def paths(self) -> Iterable[str]:
        """Every described document, sorted."""

    def read(self, path: str) -> bytes | None:
        """Its bytes, None if there is none. Raises Unreadable."""

    def tail(self, path: str, size: int) -> bytes | None:
        """Its last `size` bytes (all of it if it is shorter), None if there is none. Raises Unreadable."""

    def modified(self, path: str) -> datetime | None:
        """When it was last written, aware; None if there is none."""

    def ask(self, root: str, work: Callable[[Any], T]) -> T | None:
        """What `work` finds in a root that can be asked, as a database can; None for one that can only be read. Raises what the
        vault raises."""


class Documents:
    """A memory of which all is known: bytes and time of writing by path, and nothing that can be asked."""

    def __init__(self, documents: Mapping[str, tuple[bytes, datetime]]) -> None:
        self.documents = documents

    def paths(self) -> Iterable[str]:
        return sorted(self.documents)

    def read(self, path: str) -> bytes | None:
        return self.documents[path][0] if path in self.documents else None

    def tail(self, path: str, size: int) -> bytes | None:
        data = self.read(path)
        return None if data is None else data[max(0, len(data) - size) :]

    def modified(self, path: str) -> datetime | None:
        return self.documents[path][1] if path in self.documents else None

    def ask(self, root: str, work: Callable[[Any], T]) -> T | None:
        return None
