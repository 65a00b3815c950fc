"""Several threads that do the same thing at the same moment."""

from __future__ import annotations

import threading
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
