"""When a chat is summed up and what goes: the table of the measured behaviour, and the examples of its description."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from memory.dialects.autobot.window import archived, dropped, kept, timeline


@pytest.mark.parametrize(
    ("windows", "keep"),
    [
        (range(-4, 6), 2),
        ((6, 7), 3),
        ((8, 9), 4),
        ((10, 11), 5),
        ((12, 13), 6),
        ((14, 15), 7),
        ((16, 17), 8),
        ((18, 19), 9),
        ((20, 21, 50, 2**31 - 1), 10),
        ((-(2**31),), 2),
    ],
)
def test_keep_table(windows, keep):
    assert {kept(window) for window in windows} == {keep}


def run(window, until, step):
    """(messages when it happens, archived, numbers that stay) as a chat grows by `step`."""
    stored, said, found = 0, 0, []
    while said < until:
        if gone := archived(stored, window) or dropped(stored, window):
            found.append((said, gone, stored - gone))
            stored -= gone
        stored, said = stored + step, said + step
    return found


@pytest.mark.parametrize(
    ("window", "step", "wanted"),
    [
        (50, 1, [(51, 41, 10), (92, 41, 10)]),
        (50, 2, [(52, 42, 10), (94, 42, 10)]),
        (20, 1, [(21, 11, 10), (32, 11, 10), (43, 11, 10)]),
        (20, 2, [(22, 12, 10), (34, 12, 10), (46, 12, 10)]),
        (0, 1, [(11, 1, 10), (12, 1, 10)]),
        (0, 2, [(12, 2, 10), (14, 2, 10)]),
    ],
)
def test_three_examples(window, step, wanted):
    assert run(window, 95, step)[: len(wanted)] == wanted


@pytest.mark.parametrize(
    ("stored", "window", "gone"), [(50, 50, 0), (2, 1, 0), (3, 1, 1), (3, -5, 1), (2, -5, 0), (10, 6, 7), (11, 0, 0)]
)
def test_strictly_more_than_the_window_and_than_what_is_kept(stored, window, gone):
    assert archived(stored, window) == gone


@given(stored=st.integers(0, 500), window=st.integers(-100, 300), sent=st.integers(0, 100))
def test_timeline_counts_each_message_once_and_says_the_right_turn(stored, window, sent):
    line = timeline(stored, window, sent)
    assert line.sent + line.neither == stored
    assert line.due == archived(stored, window)
    if line.turns is None:
        assert window == 0
        return
    falls = [archived(stored + 2 * turn, window) > 0 for turn in range(line.turns)]
    assert falls == [False] * (line.turns - 1) + [True]
