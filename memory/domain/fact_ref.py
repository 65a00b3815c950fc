"""Which fact of a bot's is meant: what forms, commands and programs say, and findings and recall tests hold."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class _Named(Protocol):
    @property
    def path(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def nth(self) -> int: ...


class FactRef(NamedTuple):
    """The `nth` of the facts of the document `path` whose text has the hash `key`."""

    path: str
    key: str
    nth: int

    @classmethod
    def of(cls, one: _Named) -> FactRef:
        """The fact that a row or an answer stands for."""
        return cls(one.path, one.key, one.nth)
