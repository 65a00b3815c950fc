"""Charts: bars stand within their drawing, in their order, as high as their numbers."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from memory.web.base.chart import Bar, columns, wide

numbers = st.lists(st.floats(0, 1e12, allow_nan=False), min_size=1, max_size=100)


@given(numbers, st.integers(0, 200))
def test_bars_stay_in_the_drawing_beside_each_other(found, least):
    plot = wide(max(found))
    placed = columns(plot, [Bar(name="", words="", number=number) for number in found], least)
    for one in placed:
        assert plot.top <= one.y <= plot.ground
        assert one.y + one.height == plot.ground or abs(one.y + one.height - plot.ground) < 0.1
        assert one.start <= one.x
        assert one.x + one.width <= one.start + one.room + 0.02
        assert one.start + one.room <= plot.width + 0.02
    for before, after in pairwise(placed):
        assert before.start + before.room <= after.start + 0.02
        assert (before.bar.number <= after.bar.number) == (before.y >= after.y) or abs(before.y - after.y) < 0.11
