"""One writer a bot at a time, over all threads and processes of this Kenoweb. No bot ever meets this lock."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

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
        with ExitStack() as between_processes:
            try:
                between_processes.enter_context(locks.lock(f"bot-{bot.pk}", patience))
            except locks.Timeout:
                raise Busy(say("Another change is being written. Nothing was changed; try again.")) from None
            database.must_stand()
            change_set_numbers.keep_ahead()
            yield
    finally:
        thread.release()


def _in_test_transaction() -> bool:
    return bool(connection.atomic_blocks and getattr(connection.atomic_blocks[0], "_from_testcase", False))
