"""Charts: bars stand within their drawing, in their order, as high as their numbers, which are told in words or in a table too."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from memory.web.base.chart import Bar, columns, wide

ROOT = Path(__file__).resolve().parents[3]
DRAWING = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
# Drawings that are hidden, for their numbers stand beside them; "": those of a legend.
TOLD = {"limit", "shares", "weight", "parts", ""}
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


TEMPLATES = [
    path
    for top in ("templates", "memory")
    for path in sorted((ROOT / top).rglob("*.html"))
    if "<svg" in path.read_text("utf-8")
]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_drawing_has_its_numbers_in_words_or_in_a_table(path):
    source = path.read_text("utf-8")
    for found in DRAWING.finditer(source):
        drawing, name = found[0], re.search(r'^<svg class="([a-z]*)', found[0])
        if "<use" in drawing:
            continue  # an icon
        is_told = 'aria-hidden="true"' in drawing and "<title>" not in drawing and (name[1] if name else "") in TOLD
        has_table = "<table" in source[found.end() :]
        assert is_told or has_table or re.search(r"<title>.*\{\{.*</title>", drawing), drawing
