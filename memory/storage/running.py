"""What a running server leaves in KENOWEB_HOME for other processes to read: small files that it holds locked while it runs, for a
process's number alone would be another's one day."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from django.conf import settings

MOMENT = 1.0  # seconds, longer than anybody takes to read a note


def said(name: str) -> Sequence[str] | None:
    """The words in the note of this name; None if there is none, or none yet, or whoever left it has ended."""
    try:
        with _file(name).open(encoding="ascii") as note:
            return None if _take(note.fileno(), fcntl.LOCK_SH) else note.read().split() or None
    except (OSError, ValueError):
        return None


@contextmanager
def noted(name: str, *words: object) -> Iterator[None]:
    """Leave a note while this process runs. Of several that run at once the first one's stands."""
    us = os.getpid()
    note, is_first = _opened(name)
    with note:
        if is_first:
            note.truncate(0)
            note.write(" ".join(map(str, words)))
            note.flush()
        try:
            yield
        finally:
            if is_first and os.getpid() == us:  # a worker leaves through here too
                _file(name).unlink(missing_ok=True)


def _opened(name: str) -> tuple[TextIO, bool]:
    """The note, and whether it is ours to write. Who had it takes its file away at the end, maybe while we wait for it."""
    while True:
        note = _file(name).open("a", encoding="ascii")
        is_first = _take_from_readers(note.fileno())
        if not is_first or _is_there(name, note):
            return note, is_first
        note.close()


def _is_there(name: str, note: TextIO) -> bool:
    """Whether this is the file that who looks for the note opens."""
    try:
        return os.path.samestat(os.fstat(note.fileno()), _file(name).stat())
    except FileNotFoundError:
        return False


def _take_from_readers(handle: int) -> bool:
    """Whether nobody who runs has it locked: whoever reads a note does so too, but for less than a moment."""
    end = time.monotonic() + MOMENT
    while not (is_ours := _take(handle, fcntl.LOCK_EX)) and time.monotonic() < end:
        time.sleep(0.01)
    return is_ours


def _take(handle: int, how: int) -> bool:
    """Whether nobody else has it locked; it is ours then, until it is closed wherever we have forked."""
    try:
        fcntl.flock(handle, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _file(name: str) -> Path:
    home: Path = settings.KENOWEB_HOME
    return home / name
