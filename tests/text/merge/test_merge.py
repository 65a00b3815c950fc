from __future__ import annotations

import random
import time
from collections import Counter

import pytest
from hypothesis import assume, example, given, strategies as st

from memory.text.merge.three_way import Clashed, Merged, merge

line = st.sampled_from([b"a", b"b", b"c", b"", b"- tea", b"- tea, green", b"\xff\x00", b"x\r"])
text = st.builds(
    lambda lines, ended: b"\n".join(lines) + (b"\n" if ended and lines else b""),
    st.lists(line, max_size=8),
    st.booleans(),
)


@st.composite
def versions(draw):
    """A base and two versions of it with a few edits each, so that most merge."""
    base = [b"line %d" % i for i in range(draw(st.integers(0, 8)))]

    def edited():
        lines = list(base)
        for _ in range(draw(st.integers(0, 3))):
            at = draw(st.integers(0, len(lines)))
            new = draw(st.lists(st.sampled_from([b"p", b"q", b"", b"line 1", b"line 3"]), max_size=2))
            lines[at : at + draw(st.integers(0, 2))] = new
        return b"\n".join(lines) + draw(st.sampled_from([b"", b"\n"]) if lines else st.just(b""))

    ended = b"\n" if base and draw(st.booleans()) else b""
    return b"\n".join(base) + ended, edited(), edited()


def lines_of(data):
    """The lines of a file, whatever they end in."""
    return Counter(line.removesuffix(b"\r") for line in data.removesuffix(b"\n").split(b"\n")) if data else Counter()


def merged(base, ours, theirs):
    outcome = merge(base, ours, theirs)
    assert isinstance(outcome, Merged), outcome
    return outcome.data


def clash(base, ours, theirs):
    outcome = merge(base, ours, theirs)
    assert isinstance(outcome, Clashed), outcome
    return outcome


@given(st.one_of(versions(), st.tuples(text, text, text)))
@example((b"a\nb", b"a\nB", b"a\nbcc"))
@example((b"a\nb", b"a\nb\nX", b"a\nbcc"))
@example((b"z\n", b"z\nx\nz\n", b"z\ny\nz\n"))
def test_merge_drops_no_line_that_either_side_added(files):
    base, ours, theirs = files
    outcome = merge(base, ours, theirs)
    assume(isinstance(outcome, Merged))
    result = lines_of(outcome.data)
    for side in (ours, theirs):
        assert not lines_of(side) - lines_of(base) - result


@given(st.one_of(versions(), st.tuples(text, text, text)))
@example((b"a\nx\nx\nb\n", b"A\nx\nb\n", b"a\nx\nb\n"))
@example((b"x\r\nx\r", b"x\r", b"x\r\n"))
def test_merge_keeps_every_line_that_neither_side_removed(files):
    base, ours, theirs = files
    outcome = merge(base, ours, theirs)
    assume(isinstance(outcome, Merged) and not theirs.startswith(base))
    missing = (lines_of(base) & lines_of(ours) & lines_of(theirs)) - lines_of(outcome.data)
    assert not any(missing)


@given(st.lists(st.sampled_from([b"", b"x", b"y"]), min_size=1, max_size=8), st.data())
def test_merge_of_two_versions_that_lost_the_same_of_several_equal_lines_loses_it_once(middle, data):
    base = [b"head", b"1", *middle, b"2", b"foot"]
    at = data.draw(st.integers(2, len(base) - 3))
    both = base[:at] + base[at + 1 :]
    sides = [b"HEAD", *both[1:]], [*both[:-1], b"FOOT"]
    result = merged(*(b"\n".join(lines) + b"\n" for lines in (base, *sides)))
    assert result == b"\n".join([b"HEAD", *both[1:-1], b"FOOT"]) + b"\n"


@given(versions())
def test_merge_makes_no_line_that_no_side_has(files):
    base, ours, theirs = files
    outcome = merge(base, ours, theirs)
    assume(isinstance(outcome, Merged))
    assert set(lines_of(outcome.data)) <= set(lines_of(base)) | set(lines_of(ours)) | set(lines_of(theirs)) | {b""}


@given(versions())
def test_merge_takes_out_what_one_side_removed_and_the_other_left_alone(files):
    base, ours, _ = files
    theirs = base.replace(b"line 0\n", b"line 0\nnew\n")
    outcome = merge(base, ours, theirs)
    assume(isinstance(outcome, Merged))
    assert lines_of(outcome.data) - Counter([b"new"]) == lines_of(ours) - Counter([b"new"])


@given(text, text)
def test_merge_without_a_change_of_theirs_is_ours(base, ours):
    assert merge(base, ours, base) == Merged(ours, joined=False)


@given(text, text)
def test_merge_without_a_change_of_ours_is_theirs_unless_most_is_gone(base, theirs):
    outcome = merge(base, base, theirs)
    if isinstance(outcome, Clashed):
        assert outcome.kind == "lost"
    else:
        assert outcome == Merged(theirs, joined=base != theirs)


@given(text, text)
def test_merge_of_the_same_change_is_that_change(base, both):
    assert merge(base, both, both) == Merged(both, joined=False)


@given(text.filter(lambda data: not data or data.endswith(b"\n")), text, text)
def test_merge_always_joins_a_pure_append_behind_ours(base, ours, tail):
    result = merged(base, ours, base + tail)
    assert result.endswith(tail)
    assert result.startswith(ours) or lines_of(result) >= lines_of(ours)


@given(text, text, text)
def test_merge_never_refuses_a_pure_append(base, ours, tail):
    merged(base, ours, base + tail)


@given(versions(), st.integers(0, 60))
def test_merge_limit_joins_appends_and_refuses_the_rest(files, limit):
    base, ours, theirs = files
    free, bound = merge(base, ours, theirs), merge(base, ours, theirs, limit=limit)
    if isinstance(bound, Clashed) and bound.kind == "size":
        assert max(map(len, files)) > limit
    elif theirs.startswith(base) and isinstance(bound, Merged):
        assert not lines_of(theirs) - lines_of(base) - lines_of(bound.data)
        assert not lines_of(ours) - lines_of(base) - lines_of(bound.data)
    else:
        assert bound == free


@given(versions())
def test_merge_of_a_merge_changes_nothing(files):
    base, ours, theirs = files
    outcome = merge(base, ours, theirs)
    assume(isinstance(outcome, Merged))
    assert merge(theirs, outcome.data, theirs) == Merged(outcome.data, joined=False)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "result"),
    [
        (b"a\nb\nc\n", b"A\nb\nc\n", b"a\nb\nC\n", b"A\nb\nC\n"),
        (b"a\nb\n", b"A\nb\n", b"a\nB\n", b"A\nB\n"),
        (b"a\n", b"a\nours\n", b"a\ntheirs\n", b"a\nours\ntheirs\n"),
        (b"a\nz\n", b"a\nours\nz\n", b"a\ntheirs\nz\n", b"a\nours\ntheirs\nz\n"),
        (b"a\nz\n", b"a\nsame\nz\n", b"a\nsame\nz\n", b"a\nsame\nz\n"),
        (b"a\nz\n", b"a\nsame\nz\n", b"a\nsame\nmore\nZ\n", b"a\nsame\nmore\nZ\n"),
        (b"a\n", b"a\none\n", b"a\none\ntwo\n", b"a\none\ntwo\n"),
        (b"a\n", b"a\none\ntwo\n", b"a\ntwo\n", b"a\none\ntwo\n"),
        (b"a\nb\n", b"a\nB\nnew\n", b"a\nb\nnew\n", b"a\nB\nnew\n"),
        (b"a\nb\n", b"a\nnew\n", b"a\nb\nnew\n", b"a\nnew\nnew\n"),  # an edit and an insert, though they look alike
        (b"a\nb\n", b"a\n", b"a\nb\nnew\n", b"a\nnew\n"),
        (b"a\n\nb\nc", b"a\n\nc", b"a\n\nb", b"a\n\n"),  # a blank last line has to have an end
        (b"a\nb\nc\nd\ne\nf\n", b"a\nd\ne\nf\n", b"a\nb\ne\nf\n", b"a\ne\nf\n"),
        (b"", b"ours\n", b"theirs\n", b"ours\ntheirs\n"),
        (b"a\n", b"", b"a\nb\n", b"b\n"),
        (b"a\n", b"ours", b"a\nb\n", b"ours\nb\n"),
        (b"a\r\nb\r\n", b"A\r\nb", b"a\r\nb\r\nc\r\n", b"A\r\nb\r\nc\r\n"),
        (b"a\nb\nc", b"A\nb\nc", b"a\nb\nc\n", b"A\nb\nc\n"),
        (b"a\nb\nc\n", b"a\nb\nc", b"A\nb\nc\n", b"A\nb\nc"),
    ],
)
def test_merge_by_example(base, ours, theirs, result):
    assert merge(base, ours, theirs) == Merged(result, joined=result != ours)


@pytest.mark.parametrize(
    ("ours", "tail", "result"),
    [
        (b"A\nb", b"cc\n", b"A\nbcc\n"),  # left alone: the line goes on
        (b"A\nb\n", b"cc", b"A\nbcc"),
        (b"a\nb\nX\n", b"cc\nd\n", b"a\nbcc\nX\nd\n"),  # ours below it stays below it
        (b"a\nB\n", b"cc\nd\n", b"a\nB\nbcc\nd\n"),  # changed: both, each whole
        (b"a\n", b"cc\n", b"a\nbcc\n"),
        (b"a\nb\nX", b"\nd\n", b"a\nb\nX\nd\n"),  # a line of its own
        (b"a\nB", b"\r\nd\r\n", b"a\nB\nb\r\nd\r\n"),
    ],
)
def test_merge_glues_nothing_when_the_last_line_had_no_end(ours, tail, result):
    assert merged(b"a\nb", ours, b"a\nb" + tail) == result


def test_merge_asks_when_both_edit_one_line():
    outcome = clash(b"a\nb\nc\n", b"a\nB\nc\n", b"a\nbb\nc\n")
    assert outcome == Clashed("Both versions change line 2.", "edits")


def test_merge_asks_when_one_removes_what_the_other_edits():
    outcome = clash(b"a\nb\nc\nd\n", b"a\nd\n", b"a\nb\nC\nd\n")
    assert outcome == Clashed("One version changes lines 2 to 3, the other removes them.", "edits")


def test_merge_asks_when_each_side_took_out_another_of_several_equal_lines():
    outcome = clash(b"a\nx\nb\nx\nc\n", b"b\nx\nc\n", b"a\nx\nb\nc\n")
    assert outcome == Clashed("A line that occurs several times was removed in different places.", "edits")


def test_merge_lets_two_removals_take_markup_that_both_had():
    assert merged(b"a\n---\nb\n---\nc\n", b"b\n---\nc\n", b"a\n---\nb\nc\n") == b"b\nc\n"


def test_merge_asks_when_one_removes_the_place_where_the_other_inserts():
    assert clash(b"a\nb\nc\nd\n", b"a\nd\n", b"a\nb\nnew\nc\nd\n").kind == "edits"


@pytest.mark.parametrize("ours", [b"1\n2\n3\n4\n5\nmine\n", b"1\n2\n3\n4\n5\n"])
def test_merge_asks_when_theirs_lost_more_than_half(ours):
    outcome = clash(b"1\n2\n\n3\n4\n5\n", ours, b"1\n2\n")
    assert outcome == Clashed("3 of the file’s 5 lines would be gone.", "lost")


@pytest.mark.parametrize("theirs", [b"5\n4\n3\n2\n1\n", b"1\r\n2\r\n3\r\n4\r\n5\r\n", b"1\n2\n3\nx\ny\n"])
def test_merge_does_not_ask_when_most_lines_are_still_somewhere(theirs):
    assert merge(b"1\n2\n3\n4\n5\n", b"1\n2\n3\n4\n5\n", theirs) == Merged(theirs, joined=True)


def test_merge_of_files_over_the_limit_says_so():
    outcome = merge(b"a\nb\n" * 2000, b"A\n" + b"a\nb\n" * 2000, b"b\n" + b"a\nb\n" * 1999, limit=4096)
    assert outcome == Clashed("The file is larger than 4 KB, too large to merge line by line.", "size")


def repeated(rng):
    base = [b"- same\n"] * 100_000
    return base, [b"- mine\n", *base], [*base[:50_000], b"- yours\n", *base[50_001:]]


def moved_blocks(rng):
    base = [b"- fact %d\n" % i for i in range(50_000)]
    blocks = [base[i : i + 50] for i in range(0, len(base), 50)]
    rng.shuffle(blocks)
    return base, [line for block in blocks for line in block], [*base, b"- new\n"]


def many_small_edits(rng):
    base = [line for i in range(40_000) for line in (b"- fact %d\n" % i, b"\n")]
    ours = [b"- mine\n" if i % 20 == 0 else line for i, line in enumerate(base)]
    theirs = [b"- yours\n" if i % 20 == 10 else line for i, line in enumerate(base)]
    return base, ours, theirs


@pytest.mark.parametrize("make", [repeated, moved_blocks, many_small_edits])
@pytest.mark.slow
def test_merge_of_large_files_is_near_linear(make):
    files = [b"".join(lines) for lines in make(random.Random(2))]
    started = time.process_time()
    merged(*files)
    assert time.process_time() - started < 4
