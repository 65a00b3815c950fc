"""All garbage of a process is collected between requests, and no more of its threads work than are needed."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest
from waitress.task import ThreadedTaskDispatcher

from memory.management import http_worker, thrift
from memory.management.thrift import LATE, SOON, Collector
from tests.support.together import until


class Circle:
    """What only a collection finds."""

    def __init__(self):
        self.itself = self


@pytest.fixture
def collector():
    before = gc.get_threshold()
    yield Collector()
    gc.set_threshold(*before)


def circle():
    """A reference to garbage that is old already."""
    made = Circle()
    gc.collect(1)
    return weakref.ref(made)


@pytest.mark.parametrize(
    ("asked", "idle", "gone"), [(SOON - 1, True, False), (SOON, True, True), (SOON, False, False), (LATE, False, True)]
)
def test_soon_where_nobody_waits_and_late_where_somebody_does(collector, asked, idle, gone):
    found = circle()
    collector.look(asked, idle=idle)
    assert (found() is None) is gone


def test_what_is_free_then_goes_back_to_the_system(collector, monkeypatch):
    told = []
    monkeypatch.setattr(thrift, "_tell", lambda *words: told.append(words))
    collector.look(SOON - 1, idle=True)
    assert not told
    collector.look(SOON, idle=True)
    assert told == [("malloc_trim", 0)]


def test_not_twice_for_the_same_requests(collector):
    collector.look(SOON, idle=True)
    found = circle()
    collector.look(2 * SOON - 1, idle=True)
    assert found() is not None


def test_no_request_meets_one(collector):
    found = circle()
    kept = [[[]] for _ in range(200_000)]
    assert found() is not None
    assert kept


class Asked(list):
    """Requests, as the threads that answered them."""

    def service(self):
        self.append(threading.get_ident())


def test_the_thread_that_worked_last_works_next():
    made, asked = http_worker.threads(4), Asked()
    for number in range(8):
        until(lambda: not made.active_count)
        made.add_task(asked)
        until(lambda number=number: len(asked) > number)
    made.shutdown()
    assert len(set(asked)) == 1


class Sealed:
    """A condition that nobody changes from outside."""

    __slots__ = ("kept",)

    def __init__(self, kept):
        self.kept = kept

    def __getattr__(self, name):
        return getattr(self.kept, name)


class SealedDispatcher(ThreadedTaskDispatcher):
    def __init__(self):
        super().__init__()
        self.queue_cv = Sealed(self.queue_cv)


def test_threads_answer_where_python_keeps_those_that_wait_elsewhere(monkeypatch):
    monkeypatch.setattr(http_worker, "ThreadedTaskDispatcher", SealedDispatcher)
    made, asked = http_worker.threads(2), Asked()
    made.add_task(asked)
    until(lambda: asked)
    made.shutdown()
