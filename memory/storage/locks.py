"""The locks that the processes of this Kenoweb share: files in its home. No bot ever meets one."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from filelock import FileLock, Timeout

__all__ = ["FileLock", "Timeout", "lock"]


def lock(name: str, patience: float = -1, *, thread_local: bool = True) -> FileLock:
    """The lock of this name, for a `with`: it waits `patience` seconds (0: only tries; -1: for ever) and raises Timeout.

    Its file is left there: removing it would let two processes lock two files. `thread_local` False: what one thread took
    another may give back.
    """
    folder: Path = settings.KENOWEB_HOME / "locks"
    folder.mkdir(mode=0o700, exist_ok=True)
    return FileLock(folder / f"{name}.lock", timeout=patience, thread_local=thread_local)
