"""The locks that the processes of this Kenoweb share: files in its home. No bot ever meets one."""

from __future__ import annotations

import fcntl
import math
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

PAUSES = (0.0005, 0.005)  # seconds between two tries, at first and at last


class Timeout(Exception):
    """Somebody else held the lock for too long."""


@contextmanager
def lock(name: str, patience: float = math.inf) -> Iterator[None]:
    """Hold the lock of this name, over all threads and processes. It waits `patience` seconds (0: only tries) and raises Timeout.

    Its file is left there: removing it would let two processes lock two files."""
    folder: Path = settings.KENOWEB_HOME / "locks"
    folder.mkdir(mode=0o700, exist_ok=True)
    descriptor = os.open(folder / f"{name}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if not taken(descriptor, patience):
            raise Timeout
        yield
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)  # a child that was forked meanwhile has it open too
        os.close(descriptor)


def taken(descriptor: int, patience: float = 0, how: int = fcntl.LOCK_EX) -> bool:
    """Whether nobody else has an open file locked, or lets go of it within so many seconds; it is ours then, until it is unlocked,
    or closed wherever we have forked."""
    until, (pause, longest) = time.monotonic() + patience, PAUSES
    while True:
        try:
            fcntl.flock(descriptor, how | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
        else:
            return True
        time.sleep(pause)
        pause = min(longest, pause * 1.5)
