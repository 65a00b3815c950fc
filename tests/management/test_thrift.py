"""All garbage of a process is collected between requests."""

from __future__ import annotations

import gc
import weakref

import pytest

from memory.management.thrift import LATE, SOON, Collector


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
