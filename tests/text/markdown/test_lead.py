"""Folded texts: what they are called, and that nothing of them is lost below."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text.markdown.lead import LONGEST_FIRST, LONGEST_TITLE, below, cut, lead, plain

NEEDS = "\n\nThree replies came in.\n"


@pytest.mark.parametrize(
    ("text", "title", "first"),
    [
        ("One line only", "", ""),
        ("One line only\n\n  \n", "", ""),
        ("Heartbeat" + NEEDS, "Heartbeat", "Three replies came in."),
        ("## Heartbeat" + NEEDS, "Heartbeat", "Three replies came in."),
        ("- [x] Call `Ana` about *tea*" + NEEDS, "Call Ana about tea", "Three replies came in."),
        ("**Decision:** audio first" + NEEDS, "Decision", "audio first"),
        ("Heartbeat\n\n**Platform checks**\n\n- **Club:** 3 replies", "Heartbeat", "Platform checks: Club: 3 replies"),
        ("See [the list](https://example.org/a_b_c) of file_name_x" + NEEDS, "See the list of file_name_x", None),
        ("![pic [js](https://a.example/x_(y).png)](b.png)" + NEEDS, "pic js", None),
        (
            '[![Logo](a.png)](https://a.example "Home") of <https://b.example>' + NEEDS,
            "Logo of https://b.example",
            None,
        ),
        ("Decisions\n---\n\n| what | who |\n|---|---|\n| van | Ana |", "Decisions", "what · who"),
        ("> **Said**\n> twice", "Said", "twice"),
        ("晴れ" * 90 + "\n雨", "晴れ" * 40 + "…", "雨"),
    ],
)
def test_title_and_first_words(text, title, first):
    assert lead(text)[0] == title
    assert first is None or lead(text)[1] == first


def test_a_text_in_one_line_has_no_markdown_and_is_never_lost():
    assert plain("- **Shop**\n\n---\n- [x] call `Ana`, [map](a.md)\n") == "Shop call Ana, map"
    assert plain("---") == "---"
    assert plain("a_b and 2 * 3 * 4") == "a_b and 2 * 3 * 4"


def test_what_the_title_says_is_not_said_twice():
    assert below("Heartbeat\n\n- three", "Heartbeat") == "\n- three"
    assert below("**Decision:** audio first\n\n- three", "Decision") == "**Decision:** audio first\n\n- three"


@given(st.text(alphabet="#*_`[]()-:a ü\n", max_size=400))
def test_any_text_has_short_words_and_keeps_its_lines(text):
    title, first = lead(text)
    assert len(title) <= LONGEST_TITLE + 1
    assert len(first) <= LONGEST_FIRST + 1
    assert text.endswith(below(text, title))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Short", "Short"),
        ("Two\n lines", "Two lines"),
        ("One two three", "One two…"),
        ("x" * 20, "x" * 10 + "…"),
        ("", ""),
    ],
)
def test_a_cut_text_says_that_it_goes_on(text, shown):
    assert cut(text, 10) == shown
