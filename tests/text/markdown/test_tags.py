"""Tags out of raw replies: the pipeline of KenoBot, case by case and against the plain expression."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, strategies as st

from memory.text.markdown.tags import JS_SPACE, Extracted, extract, js_trim


def test_extract_takes_every_kind_of_tag_out():
    reply = (
        "Noted.\n<memory>Likes Go</memory>\n<chat-memory>Topic: EU</chat-memory>\n<chat-context>- About: work</chat-context>\n"
        "<working-memory>\n- Pending: slides\n</working-memory>\n<user>Prefers lists</user>\n<bootstrap-complete/>\n"
        "Anything else?"
    )
    assert extract(reply) == Extracted(
        clean_text="Noted.\n\nAnything else?",
        memories=("Likes Go",),
        chat_memories=("Topic: EU",),
        working_memory="- Pending: slides",
        chat_context="- About: work",
        user=("Prefers lists",),
        bootstrap_complete=True,
    )


@pytest.mark.parametrize(
    ("reply", "clean", "memories"),
    [
        ("plain", "plain", ()),
        ("", "", ()),
        ("  spaced  ", "spaced", ()),
        ("a\n\n\n\nb", "a\n\nb", ()),
        ("a\r\n\r\n\r\nb", "a\r\n\r\n\r\nb", ()),
        ("a\n \n \nb", "a\n \n \nb", ()),
        ("x<memory> a </memory>y<memory>a</memory>z", "xyz", ("a", "a")),
        ("x <memory></memory> y <memory> \n </memory>z", "x  y z", ()),
        ("<MEMORY>a</MEMORY>", "<MEMORY>a</MEMORY>", ()),
        ('<memory kind="x">a</memory>', '<memory kind="x">a</memory>', ()),
        ("< memory>a</memory >", "< memory>a</memory >", ()),
        ("<memory>a<memory>b</memory>c</memory>", "c</memory>", ("a<memory>b",)),
        ("before <memory>never closed", "before <memory>never closed", ()),
        ("one <memory>open, two <memory>closed</memory> three", "one  three", ("open, two <memory>closed",)),
        ("stray</memory> <memory>a</memory>", "stray</memory>", ("a",)),
        ("<memory>a <chat-memory>b</chat-memory></memory>", "", ("a <chat-memory>b</chat-memory>",)),
        ("```\n<memory>in a fence</memory>\n```", "```\n\n```", ("in a fence",)),
        ("<memory>line one\nline two</memory>", "", ("line one\nline two",)),
        ("\ufeffa\u00a0\u3000", "a", ()),
        ("\u200ba\u001c\u0085", "\u200ba\u001c\u0085", ()),
    ],
)
def test_extract_table(reply, clean, memories):
    found = extract(reply)
    assert (found.clean_text, found.memories) == (clean, memories)


def test_extract_last_nonempty_working_memory_wins():
    found = extract(
        "<working-memory>a</working-memory><working-memory>b</working-memory><working-memory> </working-memory>"
    )
    assert found.working_memory == "b"


def test_extract_last_nonempty_chat_context_wins():
    found = extract("<chat-context>a</chat-context><chat-context>b</chat-context><chat-context></chat-context>")
    assert found.chat_context == "b"


def test_extract_says_none_when_working_memory_is_absent_or_empty():
    assert extract("<working-memory>  </working-memory>").working_memory is None
    assert extract("x").chat_context is None


def test_extract_takes_memory_out_of_working_memory_first():
    found = extract("<working-memory>- a <memory>fact</memory>- b</working-memory>")
    assert (found.memories, found.working_memory) == (("fact",), "- a - b")


def test_extract_finds_a_tag_that_an_earlier_stage_joined():
    found = extract("<chat-<memory>x</memory>memory>joined</chat-memory>")
    assert (found.memories, found.chat_memories, found.clean_text) == (("x",), ("joined",), "")


def test_extract_collapses_blank_lines_between_stages():
    found = extract("<chat-memory>a\n\n<memory>x</memory>\n\nb</chat-memory>")
    assert found.chat_memories == ("a\n\nb",)


@pytest.mark.parametrize(
    ("mark", "complete"),
    [
        ("<bootstrap-complete/>", True),
        ("<bootstrap-complete>", True),
        ("<bootstrap-complete \n\u00a0/>", True),
        ("<bootstrap-complete / >", False),
        ("<Bootstrap-complete/>", False),
    ],
)
def test_extract_recognises_bootstrap_complete(mark, complete):
    found = extract(f"done {mark}")
    assert found.bootstrap_complete is complete
    assert found.clean_text == ("done" if complete else f"done {mark}")


def test_js_trim_knows_every_space_of_javascript():
    spaces = [
        9,
        10,
        11,
        12,
        13,
        32,
        160,
        0x1680,
        *range(0x2000, 0x200B),
        0x2028,
        0x2029,
        0x202F,
        0x205F,
        0x3000,
        0xFEFF,
    ]
    assert sorted(map(ord, JS_SPACE)) == spaces
    assert js_trim(JS_SPACE + "x" + JS_SPACE) == "x"


@pytest.mark.parametrize(
    "hostile",
    [
        "<memory>" * 200_000,
        "<memory>a</memory" * 100_000,
        "<bootstrap-complete" + " " * 1_000_000,
        "</memory>" * 200_000,
    ],
)
def test_extract_is_linear_on_hostile_replies(hostile):
    began = time.thread_time()
    extract(hostile)
    assert time.thread_time() - began < 2


def _by_expression(reply):
    """The same pipeline with the plain non-greedy expressions of section b."""
    text, found = reply, {}
    for tag in ("memory", "chat-memory", "chat-context", "working-memory", "user"):
        pattern = f"<{tag}>([\\s\\S]*?)</{tag}>"
        found[tag] = [content for content in (js_trim(hit) for hit in re.findall(pattern, text)) if content]
        text = js_trim(re.sub(r"\n{3,}", "\n\n", re.sub(pattern, "", text)))
    complete = bool(re.search(r"<bootstrap-complete\s*/?>", text))
    text = js_trim(re.sub(r"\n{3,}", "\n\n", re.sub(r"<bootstrap-complete\s*/?>", "", text)))
    return Extracted(
        text,
        tuple(found["memory"]),
        tuple(found["chat-memory"]),
        (found["working-memory"] or [None])[-1],
        (found["chat-context"] or [None])[-1],
        tuple(found["user"]),
        complete,
    )


PIECES = ["a", " ", "\n", "\n\n", "<", "memory>", "<bootstrap-complete/>", "<bootstrap-complete"]
PIECES += [
    f"<{slash}{tag}>"
    for tag in ("memory", "chat-memory", "chat-context", "working-memory", "user")
    for slash in ("", "/")
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_extract_equals_the_plain_expressions(reply):
    assert extract(reply) == _by_expression(reply)
