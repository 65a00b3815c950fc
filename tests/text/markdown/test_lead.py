"""Folded texts: what they are called, and that nothing of them is lost below."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, strategies as st

from memory.text.markdown.lead import LONGEST_FIRST, LONGEST_TITLE, lead, plain_text, truncate, without_title

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


def test_a_line_of_which_nothing_is_said_is_not_looked_through_for_secrets(monkeypatch):
    monkeypatch.setattr("memory.text.markdown.lead.mask", None)
    assert lead("One line only") == ("", "")


def test_a_text_in_one_line_has_no_markdown_and_is_never_lost():
    assert plain_text("- **Shop**\n\n---\n- [x] call `Ana`, [map](a.md)\n") == "Shop call Ana, map"
    assert plain_text("---") == "---"
    assert plain_text("a **bold** beginning", 6) == "a bold"


@pytest.mark.parametrize(
    "text",
    [
        *("a_b and 2 * 3 * 4", "2**3 and 4**5", "f(*args, **kwargs) and g(*args, **kwargs)", "SELECT *, count(*)"),
        *("rm *.tmp,*.log and *.x", "a/**/b and **/c, **/d", "^_[a-z]*$ or ^_[0-9]*$", "C:\\_a*b*c_"),
        *("_config.yml of /srv/_data_/x", "__init__.py and __main__", "if __name__ == '__main__'", "file_name_x"),
    ],
)
def test_code_and_names_of_files_have_no_marks(text):
    assert plain_text(text) == text
    assert plain_text(f"see **`{text}`** or _`{text}`_") == f"see {text} or {text}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("***all*** of *it*, _file_name x_ and __More of it__", "all of it, file_name x and More of it"),
        ("**b *i* `c`** (_x_): ~~gone~~", "b i c (x): gone"),
        ("**Note:**text, 这是**重要**的", "Note:text, 这是重要的"),
        ("**.env** and **/etc/hosts** or **a**/**b**", ".env and /etc/hosts or a/b"),
        ("```sh\nrm *.tmp\n```", "rm *.tmp"),
    ],
)
def test_marks_go_in_pairs(text, said):
    assert plain_text(text) == said


@pytest.mark.parametrize("part", ["**a ", "*a ", "_a ", "`a ", "[a](", "[[a]", "[a[", "![", "_a*b~~c`", "<http://"])
def test_marks_are_looked_for_in_a_time_that_grows_with_the_length(part):
    start = time.process_time()
    plain_text(part * (64 * 1024 // len(part)))
    assert time.process_time() - start < 3


def test_what_the_title_says_is_not_said_twice():
    assert without_title("Heartbeat\n\n- three", "Heartbeat") == "\n- three"
    assert without_title("**Decision:** audio first\n\n- three", "Decision") == "**Decision:** audio first\n\n- three"


@given(st.text(alphabet="#*_`[]()-:a ü\n", max_size=400))
def test_any_text_has_short_words_and_keeps_its_lines(text):
    title, first = lead(text)
    assert len(title) <= LONGEST_TITLE + 1
    assert len(first) <= LONGEST_FIRST + 1
    assert text.endswith(without_title(text, title))


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
    assert truncate(text, 10) == shown
