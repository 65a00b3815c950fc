"""No text makes a regular expression of ours take longer than its length: each is given what it would take longest over."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.architecture.test_floors import MODULES, nodes
from tests.support.patterns import Found, every, inline
from tests.support.pumps import Pump, tried

SHORT, SIZES = (8, 16, 24, 32, 48, 64), (128, 512, 2048)  # characters
FOR_EVER = 0.02  # seconds of work for 64 characters or less
QUICK = 0.001  # seconds of work; what a small text takes longer over is held against a text four times as long
MOST = 8.0  # times the work for four times the text: 4 is linear, 16 its square
AGAIN = 3


@pytest.mark.slow
def test_no_pattern_takes_longer_than_its_text_is_long():
    assert {found.where: pump for found in every(MODULES) if (pump := slow(found)) is not None} == {}


def test_every_pattern_has_a_name_or_is_made_of_escaped_words():
    assert [f"{module}:{line}" for module in MODULES for line in inline(nodes(module)[0])] == []


def slow(found: Found) -> Pump | None:
    """A text that a pattern takes too long over: what one of its alternatives does is tried again with all of them."""
    for part, texts in tried(found.pattern):
        for way in found.ways:
            for pump in texts:
                if grows(getattr(part, way), pump) and all(
                    grows(getattr(found.pattern, way), pump) for _ in range(AGAIN)
                ):
                    return pump
    return None


def grows(ask: Callable[..., Any], pump: Pump) -> bool:
    """Whether the work grows faster than the text. Shortest texts first: what doubles with each character would take for ever."""
    if any(work(ask, pump, size) > FOR_EVER for size in SHORT):
        return True
    for size in SIZES:
        few = work(ask, pump, size)
        if few > QUICK and work(ask, pump, 4 * size) > MOST * few:
            return True
    return False


def work(ask: Callable[..., Any], pump: Pump, size: int) -> float:
    text = pump.text(size)
    before = time.thread_time()
    ask(text)
    return time.thread_time() - before
