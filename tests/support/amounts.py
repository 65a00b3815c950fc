"""How much is tried: `make test` what meets each case once, `make test-long` ten times that, `make quick` a few of the tests."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

LONG = "TESTS_LONG" in os.environ
QUICK = "TESTS_QUICK" in os.environ
One = TypeVar("One")


def times(usual: int, long: int | None = None) -> int:
    """So often; in a long run `long`, or ten times as often."""
    return usual if not LONG else long or 10 * usual


def some(every: Sequence[One], step: int) -> list[One]:
    """Each `step`-th of them, in a long run all."""
    return list(every if LONG else every[::step])


def first(every: Sequence[One]) -> list[One]:
    """The first of them, in a long run all."""
    return some(every, len(every) or 1)
