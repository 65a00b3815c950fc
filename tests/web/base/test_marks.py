"""Texts with some of them marked: safe to stand in a page, whatever they hold."""

from __future__ import annotations

import pytest

from memory.web.base.marks import marked


@pytest.mark.parametrize(
    ("text", "spans", "html"),
    [
        ("a boat", [(2, 6)], "a <mark>boat</mark>"),
        ("boat, boat", [(0, 4), (6, 10)], "<mark>boat</mark>, <mark>boat</mark>"),
        ("nothing", [], "nothing"),
        ("<b>\"x\" & 'y'", [(3, 6)], "&lt;b&gt;<mark>&quot;x&quot;</mark> &amp; &#x27;y&#x27;"),
        ("a<script>b", [(0, 4)], "<mark>a&lt;sc</mark>ript&gt;b"),
        ("two words", [(0, 9), (4, 9)], "<mark>two words</mark>"),
        ("caf\udce9!", [(0, 4)], "<mark>caf\ufffd</mark>!"),
    ],
)
def test_text_is_escaped_and_its_spans_are_marked(text, spans, html):
    made = marked(text, iter(spans))
    assert made == html
    assert f"{made}".encode()
