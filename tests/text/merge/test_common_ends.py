"""What two versions of a text share at both ends, in whole lines."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st

from memory.text.markdown.entries import log_facts, memory_facts
from memory.text.merge.common_ends import differing_sections, same_end, same_start
from memory.text.tokens.estimate import FAMILIES, cost
from tests.support.amounts import times

LINES = st.lists(st.sampled_from([b"a\n", b"ab\n", b"b\n", b"\n", b"abc\n"]), max_size=12).map(b"".join)
ENDS = st.sampled_from([b"", b"a", b"ab"])
TEXTS = st.builds(bytes.__add__, LINES, ENDS)


@given(TEXTS, TEXTS)
def test_what_is_the_same_is_whole_lines_of_both(old, new):
    start = same_start(old, new)
    end = same_end(old, new, start)
    assert old[:start] == new[:start]
    assert old[len(old) - end :] == new[len(new) - end :]
    assert start + end <= min(len(old), len(new))
    for text in (old, new):
        assert not start or text[start - 1 : start] == b"\n"
        assert not end or text[len(text) - end - 1 : len(text) - end] in (b"\n", b"")


@given(LINES, LINES, LINES, TEXTS)
def test_as_much_as_can_be_is_the_same(before, one, other, behind):
    old, new = before + one + b"x\n" + behind, before + other + b"y\n" + behind
    start = same_start(old, new)
    assert start >= len(before)
    assert same_end(old, new, start) >= len(behind)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r")), max_size=6))
def test_the_cost_of_lines_sums_to_that_of_the_text(lines):
    told = [line.replace("\n", " ") + "\n" for line in lines]
    for family in FAMILIES.values():
        assert sum(cost(line, family) for line in told) == cost("".join(told), family)


_PIECES = st.lists(
    st.sampled_from(
        ["# Log", "## 10:00 — Tea", "## Home", "### More", "- Lives in Porto", "- Has a cat", "  and a dog", "Paints boats",
         "#tag first", "```", "~~~", "<!-- no", "-->", "", "", "# ", "9. Nine", "---", "## 11:00 — Sold"]
    ),
    max_size=14,
)  # fmt: skip


@settings(max_examples=times(75, 3000))
@given(_PIECES, _PIECES, _PIECES, _PIECES)
def test_sections_that_differ_have_the_facts_that_differ(above, was, has, below):
    old, new = ("\n".join([*above, *middle, *below]).encode() for middle in (was, has))
    for facts in (log_facts, memory_facts):
        before, after = (_keys(facts, text) for text in (old, new))
        some = [_keys(facts, text) for text in differing_sections(old, new)]
        assert (some[0] - after, some[1] - before) == (before - after, after - before)


def _keys(facts, text):
    return {fact.key for fact in facts(text.decode())}


def test_long_text_is_read_only_where_it_differs():
    old = b"\n\n".join(b"## Part %d\n\n- Fact %d" % (number, number) for number in range(1000))
    assert differing_sections(old, old.replace(b"- Fact 500\n", b"- Another\n")) == (
        b"## Part 500\n\n- Fact 500\n\n",
        b"## Part 500\n\n- Another\n\n",
    )
