"""A bot's memory held in a dictionary, and what writing to it would make of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any, TypeVar

from memory.domain.changes import Append, Change, Delete, Put, digest
from memory.domain.errors import Unreadable

T = TypeVar("T")


class FakeMemory:
    """Documents by path; a text is encoded, an exception is raised when it is read."""

    def __init__(self, documents: dict[str, str | bytes | Exception], modified: dict[str, datetime] | None = None):
        self.documents = {path: data.encode() if isinstance(data, str) else data for path, data in documents.items()}
        self.times = modified or {}

    def paths(self) -> list[str]:
        return sorted(self.documents)

    def read(self, path: str) -> bytes | None:
        data = self.documents.get(path)
        if isinstance(data, Exception):
            raise data
        return data

    def tail(self, path: str, size: int) -> bytes | None:
        data = self.read(path)
        return None if data is None else data[-size:]

    def modified(self, path: str) -> datetime | None:
        return self.times.get(path, datetime(2026, 3, 20, tzinfo=UTC)) if path in self.documents else None

    def ask(self, root: str, work: Callable[[Any], T]) -> T | None:
        return None

    def after(self, changes: Iterable[Change]) -> FakeMemory:
        """This memory with the changes written; their bases must hold."""
        documents = dict(self.documents)
        for change in changes:
            before = documents.get(change.path)
            match change:
                case Put(path, data, base):
                    assert base == (None if before is None else digest(before))
                    documents[path] = data
                case Append(path, data):
                    documents[path] = (before or b"") + data
                case Delete(path, base):
                    assert base == digest(before)
                    del documents[path]
        return FakeMemory(documents, self.times)

    def text(self, path: str) -> str:
        return self.documents[path].decode()


def results_of(changes: Iterable[Change]) -> dict[str, bytes | None]:
    """What the gate is shown of puts and deletes."""
    return {change.path: change.data if isinstance(change, Put) else None for change in changes}


def unreadable(path: str) -> Unreadable:
    return Unreadable(f"{path} can’t be read: permission denied.")
