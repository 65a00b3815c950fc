"""Kenoweb's own database as a file: whether its disk is full, and whether it is still the one that was opened."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from django.db import OperationalError, connection
from django.db.backends.base.base import BaseDatabaseWrapper

from memory.domain.errors import VaultError
from memory.storage import running
from memory.text.sentences import say

FULL = say("The disk with Kenoweb’s database is full. Free some space; until then, pages show what the files say.")
LOST = say(
    "Kenoweb’s database was removed or replaced while this server was running. Nothing is written until you restart Kenoweb."
)
ELSEWHERE = say("A server has another database open than the one that is here now. Stop it and start it again.")
BUSY = say("Kenoweb’s database is busy. Nothing was changed; try again in a moment.")
SHOWN_SECONDS = 60  # a full disk stands in the bar for so long after it was last met
DISK_FULL = "53100"  # what PostgreSQL calls it
LOCKED = {"55P03", "40P01"}  # that a lock did not come, or that two waited for each other
IN_USE = "database_in_use"  # the note of a running server

Identity = tuple[int, int]


class Lost(VaultError):
    """Anything written would be written into a file that nobody finds."""


_opened: dict[str, Identity] = {}
_met: list[float] = []


def is_full(error: BaseException | None) -> bool:
    """Whether an error of the database says that there is no room left: trying again does not help."""
    cause = error.__cause__ if isinstance(error, OperationalError) else None
    full = (
        getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL or getattr(cause, "sqlstate", "") == DISK_FULL
    )
    if full:
        _met[:] = [time.monotonic()]
    return full


def is_busy(error: BaseException | None) -> bool:
    """Whether an error of the database says that others held it for too long."""
    cause = error.__cause__ if isinstance(error, OperationalError) else None
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF  # the rest of it says why
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or getattr(cause, "sqlstate", "") in LOCKED


@contextmanager
def unless_in_trouble() -> Iterator[None]:
    """What is done inside may stay undone where it cannot be kept: it only spares time, or is done again later."""
    try:
        yield
    except Lost:
        return
    except OperationalError as error:
        if not is_full(error):
            raise


def note_opened(connection: BaseDatabaseWrapper, **_rest: Any) -> None:
    """A connection was made: from its first one on, a process knows its file."""
    if connection.vendor == "sqlite" and (found := _identity()):
        _opened.setdefault(_name(), found)


def is_lost() -> bool:
    """Whether what this process has open is not, or no longer, the file that the next one will open."""
    return connection.vendor == "sqlite" and _name() in _opened and _opened[_name()] != _identity()


def must_stand() -> None:
    """Raises Lost if the database is."""
    if is_lost():
        raise Lost(LOST)


def trouble() -> str:
    """What the bar says of the database, "" if there is nothing to say."""
    if is_lost():
        return LOST
    return FULL if _met and time.monotonic() - _met[0] < SHOWN_SECONDS else ""


def noted() -> AbstractContextManager[None]:
    """While a server runs, other processes can tell which file it has open."""
    return running.noted(IN_USE, *_opened.get(_name(), (0, 0)))


def server_has_another() -> bool:
    """Whether a server runs here that has another file open than the one that is here now."""
    words = running.said(IN_USE)
    opened = tuple(map(int, words)) if words is not None else None
    return connection.vendor == "sqlite" and opened not in (None, (0, 0), _identity())


def _name() -> str:
    return str(connection.settings_dict["NAME"])


def _identity() -> Identity | None:
    try:
        found = Path(_name()).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
