"""The numbers of change sets: each means one thing for ever, also after an older database was put back in place of a newer one."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from functools import cache
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction

# What the database gave out last, and how to tell it that it gave out more.
_LAST = {
    "sqlite": "SELECT seq FROM sqlite_sequence WHERE name = 'memory_changeset'",
    "postgresql": "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM memory_changeset_id_seq",
}
_RAISE = {
    "sqlite": "INSERT INTO sqlite_sequence (name, seq) SELECT 'memory_changeset', %s",
    "postgresql": "SELECT setval('memory_changeset_id_seq', GREATEST(%s, last_value)) FROM memory_changeset_id_seq",
}


def keep_ahead() -> None:
    """Let the next number be one that was never given out here. A process asks once; called under a bot's lock."""
    _kept_ahead(settings.KENOWEB_HOME, os.getpid())


@cache
def _kept_ahead(_home: Path, _process: int) -> None:
    if _last() < (noted := _noted()):
        with transaction.atomic(), connection.cursor() as cursor:
            if connection.vendor == "sqlite":  # it has no row before the first number
                cursor.execute("DELETE FROM sqlite_sequence WHERE name = 'memory_changeset'")
            cursor.execute(_RAISE[connection.vendor], [noted])


def note(number: int) -> None:
    """Keep a number that stands in the database beside it, too: a few bytes in place, which a full disk takes."""
    with suppress(OSError):
        descriptor = os.open(_file(), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if number > _noted():
                os.pwrite(descriptor, f"{number:020}".encode(), 0)
        finally:
            os.close(descriptor)


def _last() -> int:
    with connection.cursor() as cursor:
        cursor.execute(_LAST[connection.vendor])
        row = cursor.fetchone()
    return int(row[0]) if row else 0


def _noted() -> int:
    try:
        return int(_file().read_text(encoding="ascii"))
    except (OSError, ValueError):  # none yet, or one that was cut off: the database's own number holds
        return 0


def _file() -> Path:
    home: Path = settings.KENOWEB_HOME
    return home / "last_change_set"
