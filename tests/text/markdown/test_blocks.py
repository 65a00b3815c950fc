from __future__ import annotations

import sys
from collections import Counter

import pytest
from hypothesis import given, strategies as st

from memory.text.markdown.blocks import BlockKind, decode, encode, parse

MARKS = [
    "#",
    "## ",
    "- ",
    "* ",
    "1. ",
    "```",
    "~~~",
    "````",
    "---",
    "<!--",
    "-->",
    "|",
    "|-|-|",
    "\n",
    "\r",
    "\t",
    "  ",
]
MARKS += ["## 10:00 — ", "\ufeff", "\u2028", "\x85", "a: b", "[10:00] ", "\\#", "x", "\x00", "— "]
MARKDOWN = st.lists(st.sampled_from(MARKS), max_size=40).map("".join)


def shape(text):
    return [(block.kind.value, text[block.start : block.end]) for block in parse(text)]


def steps(act):
    """How many lines of Python an act takes: growth that no other work on this machine disturbs."""
    count = 0

    def trace(frame, event, arg):
        nonlocal count
        count += event == "line"
        return trace

    old = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    finally:
        sys.settrace(old)
    return count


@given(st.binary())
def test_decode_encode_are_exact_for_any_bytes(data):
    assert encode(decode(data)) == data


@given(st.one_of(st.binary().map(decode), MARKDOWN, st.text()))
def test_blocks_join_to_the_text_and_count_its_lines(text):
    blocks = parse(text)
    assert "".join(text[block.start : block.end] for block in blocks) == text
    at, line = 0, 0
    for block in blocks:
        assert block.start == at < block.end
        assert block.line == text.count("\n", 0, block.start) + 1
        assert block.end_line == text.count("\n", 0, block.end - 1) + 1
        assert block.line > line or block.line == line == 1
        at, line = block.end, block.end_line
    assert at == len(text)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("", []),
        ("\ufeff", ["bom"]),
        ("\ufeff\n", ["bom", "blank"]),
        ("\ufeff# A\n", ["bom", "heading"]),
        ("# A\n\n##B\n", ["heading", "blank", "paragraph"]),
        ("####### seven\n", ["paragraph"]),
        ("text\n# A", ["paragraph", "heading"]),
        ("- a\n- b\n", ["bullet", "bullet"]),
        ("- a\nlazy\n\nno more\n", ["bullet", "blank", "paragraph"]),
        ("- a\n\n  still\n\nnot\n", ["bullet", "blank", "paragraph"]),
        ("- a\n    - b\n\t- c\n1. d\n", ["bullet", "numbered"]),
        ("born in\n1985. A year\n", ["paragraph"]),
        ("2026. A year\n", ["paragraph"]),
        ("***\n---\n* * *\n", ["rule", "rule", "rule"]),
        ("- - -\n", ["bullet"]),
        ("**bold** text\n", ["paragraph"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n\n", ["table", "blank"]),
        ("a | b\nno | table\n", ["paragraph"]),
        ("text\n| a |\n|---|\n", ["paragraph", "table"]),
        ("<!-- a\n# b\n-->\n# c\n", ["comment", "heading"]),
        ("<!-- a\n# b\n", ["paragraph", "heading"]),
        ("<!-- a -->\n<!-- b --> text\n", ["comment", "paragraph"]),
        ("<!-- a\n## 10:00 — b\n-->\n", ["paragraph", "heading", "paragraph"]),
        ("a\u2028# b\n", ["paragraph"]),
    ],
)
def test_parse_names_what_it_sees(text, kinds):
    assert [kind for kind, _ in shape(text)] == kinds


@pytest.mark.parametrize(
    ("text", "fence"),
    [
        ("```\n# a\n```\n# b\n", "```\n# a\n```\n"),
        ("```py\n```js\n```\n# b\n", "```py\n```js\n```\n"),
        ("~~~ ```\n```\n~~~\n# b\n", "~~~ ```\n```\n~~~\n"),
        ("````\n```\n````\n# b\n", "````\n```\n````\n"),
        ("```\n````\n# b\n", "```\n````\n"),
        ("```\n## 10:00 — a\n```\n# b\n", "```\n## 10:00 — a\n```\n"),
        ("```\n# a\n## 10:00 — b\n", "```\n# a\n"),
        ("```\n# a\n## 10:00 - b\n", "```\n# a\n## 10:00 - b\n"),
        ("```\r\n# a\r\n```\r\n# b\r\n", "```\r\n# a\r\n```\r\n"),
    ],
)
def test_fence_ends_at_its_own_closing_line(text, fence):
    assert shape(text)[0] == ("fence", fence)


def test_fence_with_backticks_behind_it_is_prose():
    assert shape("```code``` inline\n# a\n")[0][0] == "paragraph"


@pytest.mark.parametrize(
    "item",
    [
        "- a\n  ```\n  # x\n  ```\n",
        "- a\n    ~~~\n\n    x\n    ~~~\n",
        "- ```\n  x\n  ```\n",
        "- sloppy\n  ```\n  x\n```\n",
        "- never closed\n  ```\n  x\n",
    ],
)
def test_fence_in_a_list_item_ends_with_the_item(item):
    assert shape(item + "- b\n") == [("bullet", item), ("bullet", "- b\n")]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("---\ntitle: x\ntags:\n- a\n  - b\n# note\n\n---\ntext\n", BlockKind.FRONT_MATTER),
        ("---\r\ntitle: x\r\n---\r\n", BlockKind.FRONT_MATTER),
        ("---\ntitle: x\n", BlockKind.RULE),
        ("---\nprose that says nothing\n---\n", BlockKind.RULE),
        ("---\n---\n", BlockKind.RULE),
        ("---\nsee http://example.org\n---\n", BlockKind.RULE),
    ],
)
def test_front_matter_closes_and_is_a_mapping(text, kind):
    assert parse(text)[0].kind is kind
    assert parse("\ufeff" + text)[1].kind is kind


SHAPES = {
    "equal headings": "## Heartbeat\n",
    "unclosed fences": "```js\n## 10:00 — x\n",
    "growing fences": "`" * 3 + "\n~~~x\n",
    "open comments": "<!-- x\n## 10:00 — x\n",
    "comments before one end": "<!--\n",
    "items and blank lines": "- a\n\n  b\n\n\n",
    "pipes": "a | b\n",
    "blank": "\n",
    "front matter that never closes": "---\n",
    "nested fences": "- a\n  ```\n",
}


@pytest.mark.parametrize("line", SHAPES.values(), ids=SHAPES.keys())
def test_parse_takes_steps_in_proportion_to_the_lines(line):
    small, large = (steps(lambda n=n: parse(line * n + "-->\n```\n")) for n in (50, 400))
    assert large < 8.5 * small


def test_parse_of_ever_longer_fences_stays_in_proportion_to_the_text():
    def text(n):
        return "".join("`" * (n - i + 3) + "\n" + "`" * (n - i + 3) + "x\n" for i in range(n))

    small, large = (steps(lambda n=n: parse(text(n))) for n in (50, 400))
    assert large < 8.5 * small


@pytest.mark.parametrize("start", ["", "- ", "| ", "# ", "`", "1. ", "- - ", "<!--", "\\"])
def test_parse_reads_a_very_long_line(start):
    line = start * 20_000 + " -" * 50_000 + "|:-" * 20_000 + "\r" * 50_000 + " " * 50_000 + "x"
    text = f"{line}\n{line}\n"
    assert "".join(part for _, part in shape(text)) == text


def test_parse_keeps_thousands_of_entries_apart():
    text = "".join(f"## 10:00 — fact {n}\n\n" for n in range(2558))
    assert Counter(kind for kind, _ in shape(text)) == {"heading": 2558, "blank": 2558}
