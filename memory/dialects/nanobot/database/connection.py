"""The database of one workspace of a nanobot: looked at and written to, and what stands in the way said for people."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from memory.dialects.nanobot.database.table import READ_ONLY, Table
from memory.domain.errors import RootGone, Unreadable, WriteFailed
from memory.storage import sqlite
from memory.storage.sqlite import State
from memory.text.sentences import say

T = TypeVar("T")

NOT_THERE = say("The bot’s database is missing. Its disk may not be mounted.")
NO_FILE = say(
    "The bot’s database, or a file that goes with it, isn’t a regular file. It wasn’t opened. Nothing was changed."
)


class Database:
    """One file, whoever else has it open. `patience`: seconds to wait for the bot's own transaction. `place` is where the workspace
    lies: its name in the database does not tell."""

    def __init__(self, file: Path, workspace: str, patience: float, place: str = "") -> None:
        self.file = file
        self.workspace = workspace
        self.patience = patience
        self.place = place

    def state(self) -> State:
        """Which state the files are in: equal as long as nobody wrote. Raises RootGone."""
        try:
            return sqlite.signature(self.file)
        except OSError as error:
            raise _gone(error) from None

    def look(self, work: Callable[[Table], T]) -> T:
        """What `work` finds in one snapshot; it may be asked again. Raises RootGone."""
        try:
            return sqlite.look(self.file, self.patience, lambda db: work(Table(db, self.workspace)))
        except Unreadable as error:
            raise RootGone(str(error)) from None
        except OSError as error:
            raise _gone(error) from None
        except sqlite3.Error as error:
            if not self.file.is_file():
                raise _gone(FileNotFoundError()) from None
            raise RootGone(say("The bot’s database can’t be read: %(why)s.", why=_why(error))) from error

    @contextlib.contextmanager
    def writing(self) -> Iterator[Table]:
        """One transaction: what is raised in it takes all of it back. Raises RootGone and WriteFailed."""
        self.state()
        try:
            with sqlite.transaction(self.file, self.patience) as db:
                table = writable(Table(db, self.workspace))
                table.lies_at(self.place)
                yield table
        except sqlite.NoFile as error:
            raise _gone(error) from None
        except sqlite3.Error as error:
            raise WriteFailed(
                say("The bot’s database was not written: %(why)s. Nothing was changed.", why=_why(error))
            ) from error


def writable(table: Table) -> Table:
    """The table, if it is one that we know how to write. Raises WriteFailed."""
    if not table.is_writable:
        raise WriteFailed(READ_ONLY)
    return table


def _gone(error: OSError) -> RootGone:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return RootGone(NOT_THERE)
    if isinstance(error, sqlite.NoFile):
        return RootGone(NO_FILE)
    return RootGone(say("The bot’s database can’t be opened: it isn’t a file, or Kenoweb doesn’t have permission."))


def _why(error: sqlite3.Error) -> str:
    match sqlite.code(error):
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return say("the bot was writing to it for too long")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return say("it is damaged or not an SQLite database")
        case sqlite3.SQLITE_FULL:
            return say("the disk is full")
        case sqlite3.SQLITE_IOERR:
            return say("the disk reported an error")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return say("Kenoweb doesn’t have permission")
    return say("SQLite rejected it")
