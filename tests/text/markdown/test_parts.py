"""A long text in parts: joined they are the text, each fits a page, and one put back changes nothing else."""

from __future__ import annotations

from html import escape

from hypothesis import given, strategies as st

from memory.text.markdown.parts import MOST, WHOLE, part_of, part_with, parts, put_back

LINES = st.sampled_from(
    [
        "",
        "# Title",
        "## Section",
        "###### deep ######",
        "- a fact " * 40,
        "```",
        "x" * 5_000,
        "雪" * 9_000,
        "<&>" * 4_000,
        "~~~",
        "\u2028",
    ]
)
TEXTS = st.lists(LINES, max_size=60).map("\n".join)


@given(TEXTS, st.sampled_from(["", "\n", "z" * 300_000]))
def test_joined_parts_are_the_text_and_each_fits(text, end):
    whole = text + end
    found = parts(whole)
    assert "".join(whole[part.start : part.end] for part in found) == whole
    most = WHOLE if len(found) == 1 else MOST
    for number, part in enumerate(found):
        assert len(escape(whole[part.start : part.end]).encode()) <= most + 1
        assert part.line == whole.count("\n", 0, part.start) + 1
        assert part.start == part.end or part_of(found, part.start) == number
    assert part_of(found, len(whole) + 5) == len(found) - 1


def test_parts_begin_at_headings_and_are_called_by_them():
    text = "".join(f"## Chapter {number}\n\n" + f"- fact of {number}\n" * 600 for number in range(30))
    found = parts(text)
    assert len(found) > 5
    assert all(text[part.start :].startswith(f"## {part.title}\n") for part in found)
    assert part_with(found, found[3].line) == 3
    assert part_with(found, found[3].line - 1) == 2
    assert part_with(found, 10**9) == len(found) - 1


def test_a_heading_in_a_fence_begins_no_part():
    text = "".join(f"```\n# not one\n{'code ' * 60}\n```\n\n" + "- fact\n" * 30 for _ in range(400))
    assert all(part.title == "" for part in parts(text))
    assert not any(text[part.start :].startswith("# not one") for part in parts(text))


@given(TEXTS, st.data())
def test_a_part_put_back_as_it_was_is_the_text(text, data):
    found = parts(text)
    part = found[data.draw(st.integers(0, len(found) - 1))]
    typed = text[part.start : part.end]
    assert put_back(text, part.start, part.end, typed) == text
    if not typed.endswith("\n\n"):
        assert put_back(text, part.start, part.end, typed.removesuffix("\n")) == text


def test_a_part_that_is_changed_keeps_its_line_end():
    assert put_back("a\nb\nc\n", 2, 4, "new") == "a\nnew\nc\n"
    assert put_back("a\nb\nc\n", 2, 4, "") == "a\nc\n"
    assert put_back("a\nb\nc\n", 4, 6, "last") == "a\nb\nlast"
