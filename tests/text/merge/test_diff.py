from __future__ import annotations

import random
import re
import time
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from memory.text.merge.diff import MOST_ROWS, diff, unified_diff

line = st.sampled_from(["a", "b", "likes tea", "likes green tea", "", "x\r", "日本語", "\ufeffa", "two words"])
text = st.builds(lambda lines, end: "\n".join(lines) + end, st.lists(line, max_size=30), st.sampled_from(["", "\n"]))


def rows(hunks):
    return [row for hunk in hunks for row in hunk.rows]


def words(row):
    return "".join(span.text for span in row.spans)


def marks(row):
    return [span.text for span in row.spans if span.marked]


def sketch(hunks):
    """The hunks as people see them: `3 lines` for what is folded, then each row with its sign."""
    signs = {"same": "  ", "removed": "- ", "added": "+ "}
    seen = []
    for hunk in hunks:
        seen += [f"{hunk.folded} lines"] if hunk.folded else []
        seen += [signs[row.kind] + words(row) for row in hunk.rows]
    return seen


def lines_of(text):
    return [line.removesuffix("\n").removesuffix("\r") for line in re.findall(r"[^\n]*\n|[^\n]+", text)]


@given(text, text)
def test_diff_holds_every_line_of_both_sides_or_says_how_many_are_folded(old, new):
    hunks = diff(old, new)
    for side, text in (("old", old), ("new", new)):
        lines, at = lines_of(text), 0
        for hunk in hunks:
            at += hunk.folded
            for row in hunk.rows:
                number = getattr(row, side)
                if number is not None:
                    at += 1
                    assert number == at
                    assert words(row).removesuffix("\r") == lines[at - 1]
        assert at == (len(lines) if hunks else 0)


@given(text, text)
def test_diff_of_different_texts_is_never_empty(old, new):
    assert bool(diff(old, new)) == (old != new)
    assert any(row.kind in ("added", "removed") for row in rows(diff(old, new))) == (old != new)


@given(text, text)
def test_diff_leaves_what_both_lines_of_a_pair_hold_unmarked(old, new):
    for hunk in diff(old, new):
        for one, two in pairwise(hunk.rows):
            if one.kind == "removed" and two.kind == "added" and (marks(one) or marks(two)):
                kept = ["".join(span.text for span in row.spans if not span.marked) for row in (one, two)]
                assert kept[0].split() == kept[1].split()


def test_diff_folds_unchanged_lines_and_counts_them():
    old = "".join(f"line {i}\n" for i in range(1, 31))
    new = old.replace("line 5\n", "").replace("line 25\n", "line 25\nnew\n")
    assert sketch(diff(old, new, context=1)) == [
        "3 lines",
        "  line 4",
        "- line 5",
        "  line 6",
        "18 lines",
        "  line 25",
        "+ new",
        "  line 26",
        "4 lines",
    ]


def test_diff_folds_no_single_line_between_two_changes():
    old = "a\n1\n2\n3\nb\n"
    assert len(diff(old, "A\n1\n2\n3\nB\n", context=1)) == 1


def test_diff_marks_the_words_that_changed():
    removed, added = rows(diff("- likes black coffee a lot\n", "- likes green tea a lot\n"))
    assert (removed.kind, removed.old, removed.new) == ("removed", 1, None)
    assert (added.kind, added.old, added.new) == ("added", None, 1)
    assert removed.spans == (("- likes ", False), ("black coffee", True), (" a lot", False))
    assert added.spans == (("- likes ", False), ("green tea", True), (" a lot", False))


def test_diff_marks_single_signs_in_scripts_without_spaces():
    removed, added = rows(diff("我喜欢喝茶\n", "我喜欢喝水\n"))
    assert (marks(removed), marks(added)) == (["茶"], ["水"])


def test_diff_pairs_the_lines_that_are_alike():
    old = "- the cat is called Mia\n- works in Berlin as a nurse\n"
    new = "- works in Potsdam as a nurse\n- plays chess\n"
    assert sketch(diff(old, new)) == [
        "- - the cat is called Mia",
        "- - works in Berlin as a nurse",
        "+ - works in Potsdam as a nurse",
        "+ - plays chess",
    ]
    assert [marks(row) for row in rows(diff(old, new))] == [[], ["Berlin"], ["Potsdam"], []]


@pytest.mark.parametrize(
    ("old", "new", "notes"),
    [
        ("a\nb", "a\nb\n", ["", "no line ending", "ends with LF"]),
        ("a\r\nb\n", "a\nb\n", ["ends with CR LF", "ends with LF", ""]),
        ("a\r\nb", "A\r\nb", ["", "", "no line ending"]),
        ("a", "a\nb", ["no line ending", "ends with LF", "no line ending"]),
    ],
)
def test_diff_says_how_lines_end_where_it_matters(old, new, notes):
    assert [row.note for row in rows(diff(old, new))] == notes


def test_diff_that_is_too_long_says_how_many_rows_are_not_shown():
    old = "".join(f"line {i}\n" for i in range(100))
    shown = rows(diff(old, "", most_rows=40))
    assert len(shown) == 41
    assert (shown[-1].kind, shown[-1].count) == ("more", 60)
    assert all(row.kind == "removed" for row in shown[:-1])


def test_diff_that_just_fits_says_nothing_of_more():
    old = "".join(f"line {i}\n" for i in range(40))
    assert [row.kind for row in rows(diff(old, "", most_rows=40))] == ["removed"] * 40


@given(text, text, st.integers(0, 12))
def test_diff_counts_the_rows_it_leaves_out(old, new, most):
    cut, whole = rows(diff(old, new, most_rows=most)), rows(diff(old, new))
    if len(whole) <= most:
        assert cut == whole
    else:
        assert (cut[-1].kind, cut[-1].count) == ("more", len(whole) - most)
        assert [(row.kind, row.old, row.new) for row in cut[:-1]] == [
            (row.kind, row.old, row.new) for row in whole[:most]
        ]


def all_edited(rng):
    return [f"- fact {i} about tea\n" for i in range(60_000)], [f"- fact {i} about coffee\n" for i in range(60_000)]


def all_other(rng):
    return [f"- {rng.random()}\n" for _ in range(60_000)], [f"- {rng.random()}\n" for _ in range(60_000)]


def one_line(rng):
    names = [str(rng.randrange(5_000)) for _ in range(200_000)]
    return [" ".join(names)], [" ".join(names[::-1])]


def long_lines(rng):
    return [[" ".join(str(rng.randrange(300)) for _ in range(3_000)) + "\n" for _ in range(60)] for _ in range(2)]


@pytest.mark.parametrize("make", [all_edited, all_other, one_line, long_lines])
def test_diff_of_large_texts_is_quick(make):
    old, new = ("".join(lines) for lines in make(random.Random(4)))
    started = time.process_time()
    shown = rows(diff(old, new))
    assert time.process_time() - started < 4
    assert 0 < len(shown) <= MOST_ROWS + 1


def test_a_program_is_told_of_a_last_line_without_an_ending():
    none = "\\ No newline at end of file\n"
    assert unified_diff("- A", "- A\n- B") == f"@@ -1,1 +1,2 @@\n-- A\n{none}+- A\n+- B\n{none}"
