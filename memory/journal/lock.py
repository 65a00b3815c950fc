"""One writer a bot at a time, over all threads and processes of this Kenoweb. No bot ever meets this lock."""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from django.conf import settings
from django.db import connection

from memory.journal import change_set_numbers
from memory.models import Bot
from memory.storage import database, locks
from memory.text.sentences import say

PATIENCE_SECONDS = 20.0

_threads: defaultdict[int, threading.Lock] = defaultdict(threading.Lock)


class Busy(Exception):
    """Another change is being written, and did not end in time."""


@contextmanager
def locked(bot: Bot, patience: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Hold the bot's lock. `patience` in seconds, 0 to only try. Raises Busy, and Lost where the database is."""
    # A transaction that waits here would hold the database's own write lock against the very process it waits for.
    if patience and connection.in_atomic_block and not _in_test_transaction():
        raise RuntimeError("The bot's lock must not be waited for inside a transaction.")
    thread = _threads[bot.pk]
    if not thread.acquire(timeout=patience or -1) if patience else not thread.acquire(blocking=False):
        raise Busy(say("Another change is being written. Nothing was changed; try again in a moment."))
    try:
        between_processes = _file_lock(settings.KENOWEB_HOME, f"bot-{bot.pk}", os.getpid())
        try:
            between_processes.acquire(timeout=patience, poll_interval=0.0005)
        except locks.Timeout:
            raise Busy(say("Another change is being written. Nothing was changed; try again.")) from None
        try:
            database.must_stand()
            change_set_numbers.keep_ahead()
            yield
        finally:
            between_processes.release()
    finally:
        thread.release()


@cache
def _file_lock(_home: Path, name: str, _process: int) -> locks.FileLock:
    """One lock file, held by one thread at a time; a forked child opens its own."""
    return locks.lock(name, thread_local=False)


def _in_test_transaction() -> bool:
    return bool(connection.atomic_blocks and getattr(connection.atomic_blocks[0], "_from_testcase", False))
