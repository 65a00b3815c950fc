"""What was worked out last is kept as far as there is room: by bytes and not by number, for one long document is as much as
thousands of short ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import Generic, ParamSpec, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
P = ParamSpec("P")


class ByteCache(Generic[K, V]):
    """What was used last, each thing with its size, as far as there is `room` for all of them, in bytes."""

    def __init__(self, room: int) -> None:
        self.room, self.size = room, 0
        self._all: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        with self._lock:
            found = self._all.get(key)
            if found is None:
                return None
            self._all.move_to_end(key)
            return found[0]

    def put(self, key: K, value: V, size: int) -> None:
        with self._lock:
            self._drop(key)
            if size > self.room:  # it would drop everything else, and then itself
                return
            self._all[key] = value, size
            self.size += size
            while self.size > self.room:
                self._drop(next(iter(self._all)))

    def clear(self) -> None:
        with self._lock:
            self._all.clear()
            self.size = 0

    def _drop(self, key: K) -> None:
        _, size = self._all.pop(key, (None, 0))
        self.size -= size


def byte_cached(room: int, times: int) -> Callable[[Callable[P, V]], Callable[P, V]]:
    """For a function of texts: what it answered last is kept, which takes so many `times` the texts it was asked about."""

    def kept(function: Callable[P, V]) -> Callable[P, V]:
        answers: ByteCache[Hashable, tuple[V]] = ByteCache(room)

        @wraps(function)
        def answer(*args: P.args, **named: P.kwargs) -> V:
            key = (args, *named.items())
            found = answers.get(key)
            if found is None:
                found = (function(*args, **named),)
                answers.put(key, found, times * sum(len(one) for one in args if isinstance(one, str | bytes)))
            return found[0]

        vars(answer)["cache_clear"] = answers.clear  # as Python's own calls it
        return answer

    return kept
