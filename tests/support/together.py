"""Several threads that do the same thing at the same moment, and waiting for what others do."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from django.db import connection


def together(number: int, act: Callable[[], Any]) -> list[Any]:
    """What `act` returned in each of so many threads, in the order in which they came back. Each has a database connection of its
    own, closed at its end."""
    outcomes: list[Any] = []
    ready = threading.Barrier(number)

    def one() -> None:
        try:
            ready.wait()
            outcomes.append(act())
        finally:
            connection.close()

    threads = [threading.Thread(target=one) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def until(found: Callable[[], Any], seconds: float = 60) -> Any:
    """What `found` returns as soon as that is something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if outcome := found():
            return outcome
        time.sleep(0.02)
    raise AssertionError("It did not happen in time.")
