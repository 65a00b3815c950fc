"""What is only asked: while it is answered nothing is written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from memory.journal.lock import Busy
from memory.text.sentences import say

ASKED = say("Nothing was saved yet. Press the button again to save.")

_asked: ContextVar[bool] = ContextVar("asked", default=False)


@contextmanager
def only_asked() -> Iterator[None]:
    """Whatever is done in here may read; what it would write is refused as Busy."""
    token = _asked.set(True)
    try:
        yield
    finally:
        _asked.reset(token)


def must_not_be_asked() -> None:
    """Raises Busy where nothing may be written because it is only asked."""
    if _asked.get():
        raise Busy(ASKED)
