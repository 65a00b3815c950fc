from __future__ import annotations

import random

import pytest

from memory.text.words.excerpt import window
from tests.support.amounts import times


def test_short_text_is_shown_whole():
    assert window("a red boat", [(2, 5)], 100, 5) == (0, 10)
    assert window("", [], 100, 5) == (0, 0)


def test_long_text_is_cut_around_most_marks():
    text = "lead " * 100 + "the red boat lies in the red harbour " + "tail " * 100
    marks = [(0, 4), (504, 507), (508, 512), (525, 528)]
    start, end = window(text, marks, 200, 5)
    assert "red boat lies in the red" in text[start:end]
    assert start <= 504 - 20
    assert text[start - 1].isspace()
    assert text[end : end + 1].isspace()


def test_beginning_is_kept_where_it_shows_as_much():
    text = "boat " + "word " * 200
    assert window(text, [(0, 4)], 100, 5)[0] == 0
    assert window(text, [], 100, 5)[0] == 0


def test_lines_are_counted():
    text = "one\ntwo\nthree\nfour"
    start, end = window(text, [], 100, 2)
    assert text[start:end] == "one\ntwo"


def test_a_cut_leaves_no_dash_that_would_make_a_heading():
    start, end = window("one word\n- two\n- three and more", [], 17, 8)
    assert (start, end) == (0, len("one word\n- two"))
    assert window("one\n---\nfour", [], 7, 8) == (0, 3)
    assert window("one\n---", [], 100, 8) == (0, 7)


@pytest.mark.parametrize("seed", range(times(15, 50)))
def test_window_is_never_larger_than_asked_and_shows_a_mark(seed):
    dice = random.Random(seed)
    text = "".join(dice.choice("ab \n聊🎉") for _ in range(dice.randrange(1, 3000)))
    first = dice.randrange(len(text))
    mark = (first, min(first + dice.randrange(1, 20), len(text)))
    start, end = window(text, [mark], 300, 10_000)
    assert 0 <= start <= end <= len(text)
    assert end - start <= 300
    assert start <= mark[0] < end


class Counted(list):
    """Marks that know how often they were looked at."""

    looks = 0

    def __iter__(self):
        for one in super().__iter__():
            self.looks += 1
            yield one


def test_a_window_over_very_many_marks_looks_at_each_a_few_times():
    marks = Counted((at, at + 2) for at in range(0, 40_000, 7))
    assert window("do you " * 6000, marks, 420, 8)[0] == 0
    assert marks.looks < 5 * len(marks)
