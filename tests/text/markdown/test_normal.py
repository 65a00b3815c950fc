from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given, strategies as st

from memory.text.markdown.normal import key, normalise

SAME = [
    ("Likes Go", "likes go"),
    ("- Likes Go", "Likes Go"),
    ("* Likes Go", "Likes Go"),
    ("## Likes Go", "Likes Go"),
    ("Likes **Go**", "Likes Go"),
    ("Likes __Go__", "Likes Go"),
    ("*Likes* _Go_", "Likes Go"),
    ("Likes ***Go***!", "Likes Go!"),
    ("Likes ~~C~~", "Likes C"),
    ("Likes `Go`", "Likes Go"),
    ("**`Go`** it is", "Go it is"),
    ("**Name:** Ana", "Name: Ana"),
    ("(*really*)", "(really)"),
    ("**🎂 March 15**", "🎂 March 15"),
    ("Likes\n  Go\t and\u3000tea\u2028\r\n", "Likes Go and tea"),
    ("Likes Go.", "Likes Go"),
    ("喜欢茶。", "喜欢茶"),
    ("Cafe\u0301", "Café"),
    ("Straße", "STRASSE"),
]
DIFFERENT = [
    ("likes Go", "likes Google"),
    ("March 1", "March 15"),
    ("like cats", "does not like cats"),
    ("x²", "x2"),
    ("2*3*4", "234"),
    ("snake_case", "snakecase"),
    ("ignore *.py", "ignore .py"),
    ("*.py,*.js", ".py,.js"),
    ("a * b * c", "a b c"),
    ("rm *a *b", "rm a b"),
    ("[ ] water the plants", "[x] water the plants"),
    ("[ ] water the plants", "water the plants"),
    ("Port 80.", "Port 8.0"),
    ("Wait...", "Wait"),
    ("Done?", "Done"),
    ("3. März", "März"),
    ("-5 degrees", "5 degrees"),
    ("#tag", "tag"),
    ("1. one", "2. one"),
    ("C++", "C"),
    ("naïve", "naive"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_key_is_equal_for_what_only_looks_different(one, other):
    assert normalise(one) == normalise(other)
    assert key(one) == key(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_key_differs_for_different_facts(one, other):
    assert normalise(one) != normalise(other)
    assert key(one) != key(other)


@pytest.mark.parametrize(
    ("text", "plain"), [("2*3*4 = 24", "2*3*4 = 24"), ("a_b _c_", "a_b c"), (".", "."), ("-", "-")]
)
def test_normalise_takes_marks_around_words_only(text, plain):
    assert normalise(text) == plain


def test_key_is_32_hex_digits_also_for_bytes_that_were_no_text():
    assert len(key("caf\udce9")) == 32
    assert int(key("caf\udce9"), 16) >= 0


@given(st.text())
def test_normalise_does_not_see_form_case_or_space(text):
    assert normalise(f" \n{unicodedata.normalize('NFD', text)}\t") == normalise(text)
    assert normalise(text).split(" ") == (normalise(text).split() or [""])


@pytest.mark.parametrize("mark", ["*", "_", "~~", "`", "**a", "*a ", " _a", "``a` "])
def test_normalise_reads_a_very_long_run_of_marks(mark):
    start = time.process_time()
    normalise(mark * 100_000 + "x")
    assert time.process_time() - start < 5  # some milliseconds when linear, hours when not


def test_what_has_few_marks_takes_little_longer_than_what_has_none():
    words = "Deploy budget release root Porto. " * 20
    spent = dict.fromkeys((words, f"{words}**bold** `soil`"), 60.0)
    for _ in range(5):
        for text in spent:
            start = time.process_time()
            for _ in range(100):
                normalise(text)
            spent[text] = min(spent[text], time.process_time() - start)
    plain, marked = spent.values()
    assert marked < 8 * plain  # some 25 times as long where each letter is looked at for what may stand before a mark
