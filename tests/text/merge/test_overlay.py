from __future__ import annotations

import random
import re
import time
from itertools import pairwise

import pytest
from hypothesis import example, given, strategies as st

from memory.text.merge.overlay import lay_over

piece = st.sampled_from(
    [
        "a",
        "b",
        "- tea  ",
        "",
        "é",
        "\u2028",
        "\x0b",
        "\x0c",
        "\x85",
        "\t",
        " ",
        "\ufeff",
        "日本",
        "\0",
        "\n",
        "\n",
        "\r\n",
        "\r",
    ]
)
text = st.builds("".join, st.lists(piece, max_size=14))


def shown(text, end="\n"):
    """What a browser sends back for an untouched text: one kind of line end."""
    return re.sub(r"\r\n|\r|\n", end, text)


@given(st.one_of(text, st.text()), st.sampled_from(["\n", "\r\n", "\r"]))
@example("\ufeff\ufeffa\r\nb\rc\n", "\n")
def test_lay_over_gives_an_untouched_text_back(text, end):
    base = text.encode()
    assert lay_over(base, text) == base
    assert lay_over(base, shown(text, end)) == base


@given(st.binary())
def test_lay_over_gives_any_bytes_back(base):
    text = base.decode("utf-8", "surrogateescape")
    assert lay_over(base, text) == base
    assert lay_over(base, shown(text, "\r\n")) == base


@given(text)
def test_lay_over_takes_a_missing_byte_order_mark_or_final_line_end_for_no_edit(text):
    base = text.encode()
    editor = shown(text)
    assert lay_over(base, editor.removeprefix("\ufeff")) == base
    assert lay_over(base, editor.replace("\0", "\ufffd")) == base
    if not editor.endswith("\n\n"):
        assert lay_over(base, editor.removesuffix("\n")) == base
    if not editor.endswith("\n"):
        assert lay_over(base, editor + "\n") == base


@pytest.mark.parametrize("base", [b"a\nb  ", b"a\nb  \n", b"a\r\nb \t\r\n", b"a\nb\n  ", b"a\nb"])
@pytest.mark.parametrize("sent", ["a\nb", "a\nb\n"])
def test_lay_over_takes_missing_spaces_at_the_end_of_the_file_for_no_edit(base, sent):
    assert lay_over(base, sent) == base


lines = st.lists(
    st.tuples(st.sampled_from(["a", "b", "- tea  ", "", "é", "x\u2028y", " "]), st.sampled_from(["\n", "\r\n", "\r"])),
    min_size=1,
    max_size=10,
).filter(lambda lines: "\r\n" not in [a[1] + b[0] + b[1] for a, b in pairwise(lines) if a[1] == "\r"])


@given(lines, st.data(), st.booleans(), st.sampled_from(["\n", "\r\n"]))
def test_lay_over_of_one_edited_line_changes_only_its_bytes(lines, data, mark, end):
    at = data.draw(st.integers(0, len(lines) - 1))
    edited = [*lines[:at], ("EDITED", lines[at][1]), *lines[at + 1 :]]
    base, wanted = (("\ufeff" * mark + "".join(map("".join, each))).encode() for each in (lines, edited))
    sent = "".join(text + end for text, _ in edited)
    assert lay_over(base, sent) == wanted


@given(lines, st.data())
def test_lay_over_of_one_removed_line_keeps_the_others(lines, data):
    lines = [(f"{text}{at}", end) for at, (text, end) in enumerate(lines)]
    at = data.draw(st.integers(0, len(lines) - 1))
    rest = [*lines[:at], *lines[at + 1 :]]
    sent = "".join(text + "\n" for text, _ in rest)
    assert lay_over("".join(map("".join, lines)).encode(), sent) == "".join(map("".join, rest)).encode()


@pytest.mark.parametrize(
    ("base", "sent", "saved"),
    [
        (b"", "a\nb", b"a\nb"),
        (b"", "a\r\nb\r\n", b"a\nb\n"),
        (b"a\r\nb\r\n", "a\nnew\nb\n", b"a\r\nnew\r\nb\r\n"),
        (b"a\r\nb\r\nc\n", "a\nb\nc\nd\n", b"a\r\nb\r\nc\nd\r\n"),  # the usual end for a new line, its own for the rest
        (b"a\rb\rc\r", "a\nB\nc\n", b"a\rB\rc\r"),
        (b"a\nb", "a\nb\nc", b"a\nb\nc"),
        (b"a\nb", "a\nb\nc\n", b"a\nb\nc\n"),
        (b"a\r\nb", "A\nb\n", b"A\r\nb"),  # the last line stayed, and so does its missing end
        (b"a\nb\n", "A\nb", b"A\nb\n"),
        (b"a\nb\n", "a\nB", b"a\nB"),  # it was edited: as typed
        (b"a\nb", "a\nB\n", b"a\nB\n"),
        (b"a\nb  ", "A\nb", b"A\nb  "),
        (b"a\nb\nc\n", "a\nb\n", b"a\nb\n"),
        (b"a\nb\nc", "a\nb", b"a\nb"),
        (b"a\nb\n", "a\nb\n\n\n", b"a\nb\n\n\n"),
        (b"a\nb\n\n\n", "a\nb\n", b"a\nb\n"),
        (b"\xef\xbb\xbfa\nb\n", "A\nb\n", b"\xef\xbb\xbfA\nb\n"),
        (b"\xef\xbb\xbfa\nb\n", "\ufeffA\nb\n", b"\xef\xbb\xbfA\nb\n"),
        (b"\xef\xbb\xbfa\n", "", b""),
        (b"a\n", "", b""),
        (b"a\0b\nc\n", "a\ufffdb\nC\n", b"a\0b\nC\n"),
        (b"a\n", "a\nb\0c\n", b"a\nb\0c\n"),
        (b"a\x0cb\nc\n", "a\x0cb\nC\n", b"a\x0cb\nC\n"),
    ],
)
def test_lay_over_by_example(base, sent, saved):
    assert lay_over(base, sent) == saved


@pytest.mark.slow
def test_lay_over_of_five_megabytes_is_quick():
    rng = random.Random(1)
    lines = [f"- fact {rng.randrange(30_000)} about tea\r\n" for _ in range(200_000)]
    base = "".join(lines).encode()
    lines[5], lines[150_000] = "- edited\r\n", "- edited too\r\n"
    started = time.thread_time()
    saved = lay_over(base, "".join(lines).replace("\r\n", "\n"))
    assert time.thread_time() - started < 4
    assert saved == "".join(lines).encode()
