"""Texts with some of them marked: safe to stand in a page, whatever they hold."""

from __future__ import annotations

import pytest

from memory.web.base.marks import marked, rendered


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


@pytest.mark.parametrize(
    ("text", "spans", "html"),
    [
        ("a **red** boat", [(10, 14)], "a <strong>red</strong> <mark>boat</mark>"),
        ("a **red boat**", [(4, 7)], "a <strong><mark>red</mark> boat</strong>"),
        ("a re**d** boat", [(2, 9)], "a <mark>re</mark><strong><mark>d</mark></strong> boat"),
        ("- item, `code`", [(2, 6)], "- <mark>item</mark>, <code>code</code>"),
        ("<b>x</b> **y**", [(3, 4)], "&lt;b&gt;<mark>x</mark>&lt;/b&gt; <strong>y</strong>"),
        ("\ue000<script>\ue001 *b*", [(10, 13)], "\ufffd&lt;script&gt;\ufffd<mark> </mark><em><mark>b</mark></em>"),
        ("plain & simple", [(0, 5)], "<mark>plain</mark> &amp; simple"),
    ],
)
def test_marks_stand_in_what_markdown_makes_of_a_line(text, spans, html):
    assert rendered(text, spans) == html


def test_a_mark_in_an_address_is_no_mark():
    made = rendered("[the pier](https://pier.test/pier) https://boat.test/pier", [(5, 9), (29, 33), (53, 57)])
    assert "<mark>pier</mark>" in made
    assert 'href="https://pier.test/pier"' in made
    assert "\ue000" not in made


def test_blocks_are_shown_with_their_marks():
    made = rendered("### Decisions\n\n- ship the **boat**\n- paint it", [(17, 21), (28, 32)], blocks=True)
    assert "".join(made.split("\n")) == (
        "<h6>Decisions</h6><ul><li><mark>ship</mark> the <strong><mark>boat</mark></strong></li><li>paint it</li></ul>"
    )
