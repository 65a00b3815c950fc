"""The families of bots we know. A new one is one new module here, and one line in this table."""

from __future__ import annotations

from collections.abc import Iterable

from memory.dialects import kenobot, nanobot, workspace
from memory.domain.dialect import Dialect

_KNOWN: dict[str, Dialect] = {
    dialect.name: dialect for dialect in (kenobot.DIALECT, workspace.DIALECT, nanobot.DIALECT)
}
# The order in which they are asked: a workspace knows that it is no KenoBot's memory, and not the other way round.
_ASKED = (nanobot.DIALECT, workspace.DIALECT, kenobot.DIALECT)


def get(name: str) -> Dialect:
    """The dialect of that name. Raises KeyError if there is none."""
    return _KNOWN[name]


def names() -> list[str]:
    """The names of all dialects, the one first that a directory with nothing in it most likely is."""
    return list(_KNOWN)


def detect(names_in_directory: Iterable[str]) -> str | None:
    """The dialect whose memory a directory with these names looks like, None if it looks like none."""
    listing = frozenset(names_in_directory)
    return next((dialect.name for dialect in _ASKED if dialect.recognises(listing)), None)
