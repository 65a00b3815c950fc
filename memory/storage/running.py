"""What a running server leaves in KENOWEB_HOME for other processes to read: small files that begin with its process."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from django.conf import settings


def said(name: str) -> Sequence[str] | None:
    """The words in the note of this name; None if there is none, or its process has ended."""
    try:
        process, *words = _file(name).read_text(encoding="ascii").split()
        with suppress(PermissionError):  # somebody else's, and alive
            os.kill(int(process), 0)
    except (OSError, ValueError):
        return None
    return words


@contextmanager
def noted(name: str, *words: object) -> Iterator[None]:
    """Leave a note while this process runs. Of several that run at once the first one's stands."""
    us, is_first = os.getpid(), said(name) is None
    if is_first:
        _file(name).write_text(" ".join(map(str, (us, *words))), encoding="ascii")
    try:
        yield
    finally:
        if is_first and os.getpid() == us:  # a worker leaves through here too
            _file(name).unlink(missing_ok=True)


def _file(name: str) -> Path:
    home: Path = settings.KENOWEB_HOME
    return home / name
