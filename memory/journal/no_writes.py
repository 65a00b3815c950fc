"""A stretch in which nothing is written: a form that is asked for again is only read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from memory.journal.lock import Busy
from memory.text.sentences import say

ASKED = say("Nothing was saved yet. Press the button again to save.")

_no_writes: ContextVar[bool] = ContextVar("no_writes", default=False)


@contextmanager
def no_writes() -> Iterator[None]:
    """Whatever is done in here may read; what it would write is refused as Busy."""
    token = _no_writes.set(True)
    try:
        yield
    finally:
        _no_writes.reset(token)


def check_may_write() -> None:
    """Raises Busy within `no_writes`."""
    if _no_writes.get():
        raise Busy(ASKED)
