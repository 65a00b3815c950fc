"""Keys that are made once and kept in a file that only its owner may read."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path


def read_or_make(path: Path, make: Callable[[], str]) -> str:
    """The key in the file, made first if there is none. Processes that start together agree on one. Raises OSError.

    The key appears under its name in one step, whole, so nobody reads half a key; whoever comes second keeps the first one's.
    """
    try:
        return _read(path)
    except FileNotFoundError:
        pass
    fresh = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(make())
            file.flush()
            os.fsync(file.fileno())
        try:
            path.hardlink_to(fresh)
        except FileExistsError:
            pass
        except OSError:  # a file system without hard links; the window is then two starts in the same instant
            if not path.exists():
                fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    return _read(path)


def _read(path: Path) -> str:
    key = path.read_text(encoding="ascii").strip()
    if not key:
        raise OSError(f"the key file {path.name} is empty")
    return key
