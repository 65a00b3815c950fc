from __future__ import annotations

import json
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import assume, example, given, strategies as st

from memory.text.markdown import entries
from memory.text.markdown.blocks import BlockKind, decode, parse, parse_body
from memory.text.markdown.entries import (
    bullet,
    escape,
    is_spent,
    log_facts,
    memory_facts,
    remainder,
    strays,
    unescape,
)
from memory.text.markdown.normal import key
from tests.text.markdown.test_blocks import MARKDOWN, SHAPES, steps

GOLDEN = Path(__file__).parent / "golden"
PIECES = [
    "#",
    "# ",
    "## ",
    "\\",
    "\\#",
    "- ",
    "```",
    "~~~",
    "<!--",
    "-->",
    "\n",
    "\n",
    "  ",
    "\t",
    "x",
    "10:00",
    " — ",
    "é",
    "\r",
]
LINES = [
    "",
    "x",
    "# x",
    "## x",
    "### x",
    "##",
    "\\# x",
    "\\## 10:00 — x",
    "## 10:00 — x",
    "- x",
    "  x",
    "  # x",
    "    x",
    "1. x",
]
LINES += [
    "```",
    "```",
    "```js",
    "~~~",
    "````",
    "  ```",
    "- ```",
    "   ~~~",
    "<!--",
    "<!-- x",
    "-->",
    "x -->",
    "---",
    "***",
    "- -",
]
LINES += [
    "| x |",
    "|---|",
    "# Session: 2026-09-14",
    "[10:00] x",
    "10:00 — x",
    "\tx",
    "  ",
    "\x0c",
    "\u3000x",
    "> x",
    "# 2026-09-14",
]
REMEMBERED = (
    st.one_of(
        st.lists(st.sampled_from(LINES), min_size=1, max_size=16).map("\n".join),
        st.lists(st.sampled_from(PIECES), max_size=30).map("".join),
        st.text(),
    )
    .filter(lambda text: "\r\n" not in text)
    .map(str.strip)
    .filter(bool)
)
OPENED = st.tuples(REMEMBERED, st.sampled_from(["```", "~~~~", "```js"])).map("\n".join)
PLAIN = [line + "\n" for line in LINES if not entries._has_shields(f"\n{line}")]
LOG = st.one_of(MARKDOWN, st.lists(st.sampled_from(LINES), max_size=24).map("\n".join))


def texts(facts):
    return [fact.text for fact in facts]


def has_open_fence(text):
    body = text.partition("\n")[2]
    return any(block.kind is BlockKind.FENCE and not block.closed for block in parse_body(body))


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.md")), ids=lambda path: path.stem)
def test_facts_of_golden_files(path):
    text = decode(path.read_bytes())
    facts = memory_facts(text) if path.stem.startswith("memory") else log_facts(text)
    expected = [json.loads(line) for line in path.with_suffix(".jsonl").read_text("utf-8").split("\n") if line]
    assert [{"line": f.line, "end_line": f.end_line, "time": f.time, "text": f.text} for f in facts] == expected


def test_every_golden_file_has_its_expectation():
    assert {path.stem for path in GOLDEN.glob("*.md")} == {path.stem for path in GOLDEN.glob("*.jsonl")}
    assert list(GOLDEN.glob("*.md"))


def test_log_facts_read_a_kenobot_entry_whole():
    text = "## 10:17 — Recipe: mole\nNeeds 2 chiles\nSoak overnight\n\n"
    (fact,) = log_facts(text)
    assert (fact.line, fact.end_line, fact.start, fact.end) == (1, 3, 0, len(text))
    assert (fact.time, fact.text) == ("10:17", "Recipe: mole\nNeeds 2 chiles\nSoak overnight")
    assert (fact.key, fact.nth) == (key(fact.text), 0)


@pytest.mark.parametrize(
    ("title", "time", "words"),
    [
        ("10:17 — x", "10:17", "x"),
        ("10:17 – x", "10:17", "x"),
        ("10:17 - x", "10:17", "x"),
        ("10:17 -- x", "10:17", "x"),
        ("10:17: x", "10:17", "x"),
        ("10:17 x", "10:17", "x"),
        ("[10:17] x", "10:17", "x"),
        ("(10:17) x", "10:17", "x"),
        ("~10:17 — x", "10:17", "x"),
        ("**10:17** — x", "10:17", "x"),
        ("9:05 — x", "09:05", "x"),
        ("10:17:59 — x", "10:17", "x"),
        ("10：17 开会", "10:17", "开会"),
        ("10:17开会", "10:17", "10:17开会"),
        ("2:30 PM — x", "14:30", "x"),
        ("12:05 AM: x", "00:05", "x"),
        ("12:05pm x", "12:05", "x"),
        ("10:17 UTC — x", "10:17", "x"),
        ("10:17 (CET) x", "10:17", "x"),
        ("10:17 UTC+2 - x", "10:17", "x"),
        ("10:17 America/Mexico_City - x", "10:17", "x"),
        ("10:17-11:40 — x", "10:17", "x"),
        ("10:17 – 11:40: x", "10:17", "x"),
        ("🌅 10:17 — x", "10:17", "🌅 x"),
        ("2026-09-14 10:17 — x", "10:17", "2026-09-14 x"),
        ("2026-09-14T10:17Z x", "10:17", "2026-09-14 x"),
        ("x (10:17)", "10:17", "x"),
        ("x (~10:17)", "10:17", "x"),
        ("x (2:30 PM)", "14:30", "x"),
        ("x — 10:17", "10:17", "x"),
        ("x - 10:17 UTC", "10:17", "x"),
        ("x (10:17-11:40)", "10:17", "x (10:17-11:40)"),
        ("x at 10:17", "10:17", "x at 10:17"),
        ("moved 10:17 call (11:00)", "10:17", "moved 10:17 call (11:00)"),
        ("25:71 — x", "", "25:71 — x"),
        ("25:71 — x, not 10:17", "10:17", "25:71 — x, not 10:17"),
        ("24:00 x", "", "24:00 x"),
        ("a 16:9 screen", "", "a 16:9 screen"),
        ("10:17 -5°C outside", "10:17", "-5°C outside"),
        ("10:17 — - x", "10:17", "- x"),
        ("10:17 — 11:00 x", "10:17", "11:00 x"),
        ("10:17 — UTC is a zone", "10:17", "UTC is a zone"),
        ("10:17 — learn C #", "10:17", "learn C #"),
        ("٢٣:٠٥ x", "", "٢٣:٠٥ x"),
    ],
)
@pytest.mark.parametrize("level", ["##", "###"])
def test_log_facts_take_the_first_clock_of_a_title(level, title, time, words):
    (fact,) = log_facts(f"{level} {title}\nbody\n")
    assert (fact.time, fact.text) == (time, f"{words}\nbody")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("## 10:17\n\n## 10:18 — \n", []),
        ("- \n-\n", []),
        ("# 2026-09-14\n\n## Summary\n\n## Decisions\n### Open\n---\n\n## Done\n- rent\n", ["Done\n- rent"]),
        ("## 10:17\n\nbody\n", ["body"]),
        ("# 2026-09-14\n", []),
        ("# 2026-09-14 Trip day\n", []),
        ("# 2026-09-14 Trip day\n- a\n- b\n", ["a", "b"]),
        ("# 10:17 — Standup\nbody\n", ["Standup\nbody"]),
        ("# 10:17 — Standup\n", ["Standup"]),
        ("# 2026-09-14 08:00\n## A\na\n## B\nb\n", ["A\na", "B\nb"]),
        ("## Work\n- a\n- b\n### sub\ntext\n", ["Work\n- a\n- b\n### sub\ntext"]),
        ("## Work\n### 10:17 a\n### b\nc\n", ["a", "b\nc"]),
        ("## Work\nabout\n### 10:17 a\n#### 10:18 b\n", ["Work\nabout", "a\n#### 10:18 b"]),
        ("## Work\n### Morning\n#### 10:17 a\n## Play\nb\n", ["a", "Play\nb"]),
        ("## 10:17 a\n### 10:18 b\n", ["a\n### 10:18 b"]),
        ("### a\nb\n## c\nd\n", ["a\nb", "c\nd"]),
        ("prose\n\n## 10:17 a\n", ["prose", "a"]),
        ("- one\n- two\n\n## 10:17 a\n", ["one", "two", "a"]),
        ("prose\n\nmore prose\n", ["prose", "more prose"]),
        ("# 2026-09-14\nprose\n", ["prose"]),
        ("prose\n\n- a\n", ["prose", "a"]),
        ("```\ncode\n```\n", []),
        ("| a |\n|---|\n", []),
        ("[10:17] a\nand on\n[2026-09-14 10:18] b\n", ["a\nand on", "2026-09-14 b"]),
        ("prose\n[10:17] a\n", ["prose", "a"]),
        ("- **10:17** — a\n  - b\n- c (10:18)\n", ["a\n- b", "c (10:18)"]),
        ("1. a\n2. b\n", ["a", "b"]),
        ("##a\n## 10:17 b\n", ["##a", "b"]),
        ("\ufeff## 10:17 — a\r\nb\r\n\r\n", ["a\nb"]),
        ("## a\n```\n## 10:17 — b\n```\n## 10:18 c\n", ["a\n```\n## 10:17 — b\n```", "c"]),
        ("## a\n```\nopen\n## 10:17 — b\n", ["a\n```\nopen", "b"]),
        ("## a\n<!--\n## template\n-->\n## 10:17 b\n", ["a\n<!--\n## template\n-->", "b"]),
        ("---\ntitle: x\n# y\n---\n## 10:17 a\n", ["a"]),
        ("## a\ntext\n\n---\n\n## 10:17 b\n", ["a\ntext", "b"]),
        ("## 10:17 — a\n\n---\n\n", ["a\n\n---"]),
        ("## 10:17 — 2026-09-14\n", ["2026-09-14"]),
        ("## 10:17 — a\n\\# b\n\\\\# c\n\\#d\n", ["a\n# b\n\\# c\n\\#d"]),
    ],
)
def test_log_facts_of_small_logs(text, found):
    assert texts(log_facts(text)) == found


def test_session_dump_has_no_facts_until_the_next_entry():
    text = "# Session: 2026-09-14 10:17:00 UTC\n\n- **Session Key**: x\n\n## Summary\n\nuser: hi\n\n# b\n\n## 10:18 — kept\n"
    assert texts(log_facts(text)) == ["kept"]
    assert texts(log_facts(text.replace("Session: 2026-09-14 10:17:00 UTC", "Talk"))) == ["kept"]
    assert len(strays(text)) == 5


def test_facts_count_the_occurrences_of_a_key():
    facts = log_facts("## 10:00 — a\n## 10:01 — b\n## 10:02 — A.\n")
    assert [fact.nth for fact in facts] == [0, 0, 1]
    assert [fact.nth for fact in memory_facts("- a\n- b\n- **a**\n")] == [0, 0, 1]


def test_log_facts_keep_file_order_whatever_the_clocks_say():
    facts = log_facts("# 2026-09-14\n- z\n\n## 11:00 — b\n# 2026-09-13\n- y\n## 09:00 — a\n")
    assert texts(facts) == ["z", "b", "y", "a"]


def test_log_facts_tell_148_equal_headings_apart():
    facts = log_facts("## Heartbeat\nok\n\n" * 148)
    assert [fact.nth for fact in facts] == list(range(148))
    assert [fact.line for fact in facts] == list(range(1, 444, 3))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("- First\n  second\n\n  third\n", ["First\nsecond\n\nthird"]),
        ("-   wide\n    more\n  less\n", ["wide\nmore\nless"]),
        ("1. one\n   more\n10) two\n    more\n", ["one\nmore", "two\nmore"]),
        ("-\ttab\n\tmore\n", ["tab\nmore"]),
        ("- a\n  - b\n    - c\n", ["a\n- b\n  - c"]),
        ("- a\nlazy\n\nparagraph\nof two\n", ["a\nlazy", "paragraph\nof two"]),
        ("# T\n\n## S\n- a\n\n---\n\n<!-- c -->\n```\nx\n```\n| a |\n|---|\n", ["a"]),
        ("---\na: b\n---\n- a\n", ["a"]),
        ("- [ ] open\n- [x] done\n", ["[ ] open", "[x] done"]),
        ("- 10:17 — kept\n", ["10:17 — kept"]),
        ("- a\r\n  b\r\n", ["a\nb"]),
        ("- a\n  ```\n  open\n- b\n", ["a\n```\nopen", "b"]),
        (" - a\n - b\n", ["a", "b"]),
        ("- \n- a\n", ["a"]),
    ],
)
def test_memory_facts_of_small_memories(text, found):
    assert texts(memory_facts(text)) == found
    assert {fact.time for fact in memory_facts(text)} == {""}


@given(st.one_of(LOG, st.text()))
def test_facts_stand_where_they_say(text):
    for facts in (log_facts(text), memory_facts(text)):
        at = 0
        for fact in facts:
            assert fact.start >= at
            at = fact.end
            assert fact.line == text.count("\n", 0, fact.start) + 1
            assert fact.end_line == fact.line + text[fact.start : fact.end].rstrip().count("\n")
            assert fact.text == fact.text.strip() != ""


FILLED = "# 2026-09-14\n\n## 09:00 — " + "x" * entries.BEGINNING + "\n\n"  # long enough for a log to be known again


@given(st.lists(st.one_of(st.lists(st.sampled_from(PLAIN)).map("".join), st.sampled_from(PIECES)), max_size=8))
@example(["## 10:00 — x\n", "## 10:01 — x\n", "- y\n", "## 10:01 — x\n"])
@example(["## 10:00 — x\n", "# Session: 2026-09-14\n- y\n", "## 10:01 — x\n", "z"])
@example(["# 10:00\n", "x\n- y\n", "## 10:01 — x", "\n### 10:02\n", "# t\nz\n"])
@example(["## x\n### y\n", "## 10:01 — x\n", "### 10:02 z\n", "```\n## 10:03 — a\n"])
def test_facts_of_a_log_that_grows_are_those_of_the_log_read_anew(additions):
    for log in accumulate(additions, initial=FILLED):
        known = log_facts(log)
        assert known == entries._log_facts_from(log, [], parse(log) if entries._has_shields(log) else None)


def test_log_that_grew_is_read_from_its_last_entry_on():
    log_facts(FILLED + "## 10:00 — a\n\n")
    assert texts(entries._unchanged(FILLED + "## 10:00 — a\n\n## 10:01 — b\n")) == ["x" * entries.BEGINNING]
    assert entries._unchanged(FILLED + "## 10:00 — other\n") == []


@given(REMEMBERED)
@example("a\n```\n## 10:00 — x\n~~~\n\\# y\n~~~")
@example("a\n<!--\n## 10:00 — b\n\\# c\n-->\n\\# d")
@example("a\n- b\n# c\n  ```\n# d\n  ```\n# e")
def test_unescape_gives_what_escape_was_given(text):
    assert unescape(escape(text)) == text


@given(st.lists(REMEMBERED, max_size=5))
@example(["a\n<!--", "b\n-->"])
@example(["a\n# Session: 2026-09-14\n# b", "c"])
def test_remembered_texts_are_read_back_as_they_were(remembered):
    assume(not any(has_open_fence(text) for text in remembered))
    log = "".join(f"## 10:00 — {escape(text)}\n\n" for text in remembered)
    assert texts(log_facts(log)) == remembered


@given(OPENED, st.lists(REMEMBERED.filter(lambda text: "## 10:00 — " not in text), max_size=3))
@example("a\n```", ["b\n```\nc\n```", "d"])
@example("a\n```", ["b\n  ```\n````"])
@example("a\n```", ["b\n~~~\nc\n~~~\n```js\n# d\n```"])
def test_open_fence_ends_at_the_next_entry_if_that_closes_its_own(opened, others):
    assume(not any(has_open_fence(text) for text in others))
    log = "".join(f"## 10:00 — {escape(text)}\n\n" for text in [opened, *others])
    assert texts(log_facts(log)) == [opened, *others]


@given(st.lists(OPENED, max_size=3), REMEMBERED)
def test_open_fences_lose_no_word_of_the_entries_around_them(opened, other):
    log = "".join(f"## 10:00 — {escape(text)}\n\n" for text in [*opened, other, *opened])
    read = texts(log_facts(log)) + texts(strays(log))
    assert "".join(read).count("x") == log.count("x")


def test_open_fence_ends_at_the_next_entry():
    log = f"## 10:00 — {escape('a' + chr(10) + '```' + chr(10) + '# b')}\n\n## 10:01 — c\n\n"
    assert texts(log_facts(log)) == ["a\n```\n# b", "c"]


def test_escape_leaves_code_and_deeper_headings_alone():
    text = "a\n# b\n### c\n```\n# d\n## 10:00 — e\n```\n##\n##f\n\\# g"
    assert escape(text) == "a\n\\# b\n### c\n```\n# d\n## 10:00 — e\n```\n\\##\n##f\n\\\\# g"


@given(st.lists(REMEMBERED, min_size=1, max_size=4))
@example(["```\nopen", "b"])
@example(["- -", "---"])
@example(["a\n\n\n    b\n\t\tc\n  \n# d\n- e\n1. f\n---"])
def test_bullet_is_read_back_as_the_same_fact(facts):
    assert texts(memory_facts("".join(bullet(text) for text in facts))) == facts


@given(LOG)
def test_bullets_of_a_log_are_read_back_as_its_facts(log):
    found = texts(log_facts(log))
    assert texts(memory_facts("## Compacted memories\n" + "".join(bullet(text) for text in found))) == found


@given(LOG, st.data())
def test_remainder_cuts_out_just_the_moved_facts(log, data):
    facts = log_facts(log)
    moved = [fact for fact in facts if data.draw(st.booleans())]
    left = remainder(log, reversed(moved))
    assert len(left) == len(log) - sum(fact.end - fact.start for fact in moved)
    kept, at = "", 0
    for fact in moved:
        kept, at = kept + log[at : fact.start], fact.end
    assert left == kept + log[at:]


def test_remainder_leaves_no_hole():
    log = "# 2026-09-14\n\n## 10:00 — a\n\n## 10:01 — b\nc\n\n\n## 10:02 — d\n"
    facts = log_facts(log)
    assert remainder(log, facts[1:2]) == "# 2026-09-14\n\n## 10:00 — a\n\n## 10:02 — d\n"
    assert remainder(log, facts) == "# 2026-09-14\n\n"


@pytest.mark.parametrize(
    ("text", "spent"),
    [
        ("", True),
        ("\ufeff\n\n", True),
        ("# 2026-09-14\n\n", True),
        ("# Sunday, 2026-09-14\r\n", True),
        ("# Daily log 2026-09-14", True),
        ("# September 14, 2026\n", True),
        ("# 14. September\n", True),
        ("# 2026年9月14日 星期一\n", True),
        ("# 📅 Memory — 14/09/2026\n", True),
        ("# 2026-09-14 Trip day\n", False),
        ("# 2026-09-15\n", False),
        ("# 2026-13-45\n", False),
        ("# Daily log\n", False),
        ("# 2026-09-14\n---\n", False),
        ("# 2026-09-14\n\nprose\n", False),
        ("## 10:17\n", False),
    ],
)
def test_is_spent_when_nothing_but_the_date_is_left(text, spent):
    assert is_spent(text, "2026-09-14") is spent


def test_strays_are_what_no_fact_covers():
    log = "# 2026-09-14 Trip day\n\nprose\nof two\n\n- a\n\n```\ncode\n```\n## Work\n### 10:17 b\n## 10:18\n"
    assert [(stray.line, stray.end_line, stray.text) for stray in strays(log)] == [
        (1, 1, "# 2026-09-14 Trip day"),
        (8, 10, "```\ncode\n```"),
        (11, 11, "## Work"),
        (13, 13, "## 10:18"),
    ]
    assert strays("# 2026-09-14\n\n## 10:00 — a\n\n") == []


@given(LOG)
def test_log_is_spent_without_its_facts_unless_it_has_strays(log):
    left = remainder(log, log_facts(log))
    assert is_spent(left, "2026-09-14") or strays(log)


LOGS = SHAPES | {
    "entries": "## 10:00 — a\nb\n\n",
    "escaped": "\\# a\n## 10:00 — b\n\\# c\n",
    "containers": "## a\n### b\n#### 10:00 c\n",
    "titles": "# a\n- b\n",
    "timed lines": "[10:00] a\n",
    "prose": "a\n\n",
}


@pytest.mark.parametrize("line", LOGS.values(), ids=LOGS.keys())
@pytest.mark.parametrize("read", [log_facts, memory_facts, strays, escape, bullet])
def test_reading_takes_steps_in_proportion_to_the_lines(read, line):
    small, large = (steps(lambda n=n: read("x\n" + line * n)) for n in (50, 400))
    assert large < 8.5 * small


@pytest.mark.parametrize("part", ["10:00 ", "25:71", "a (", " — ", "\r", "# ", "**", "🌅", "2026-09-14 ", "\\", "\t"])
def test_log_facts_read_very_long_lines(part):
    line = part * 20_000
    assert texts(log_facts(f"## 10:17 — {line}x\n- {line}x\n")) == [f"{line}x\n- {line}x".strip()]
    assert len(log_facts(f"## a {line}x\ny\n# b\n- {line}x\n")) == 2


def test_entries_module_names_no_clock_and_no_disk():
    assert not {"os", "pathlib", "datetime", "time"} & set(vars(entries))


@pytest.mark.parametrize(
    ("line", "time"),
    [
        ("- 07:10 watered the plants", "07:10"),
        ("- At 07:10 they came", "07:10"),
        ("- Called the dentist (14:05)", "14:05"),
        ("- Hugo moved the dentist appointment to 8:30", ""),
        ("- The shop opens between 9:00 and 18:30 on weekdays", ""),
    ],
)
def test_a_clock_late_in_a_sentence_is_what_it_tells_of(line, time):
    assert [fact.time for fact in log_facts(f"# 2026-03-11\n\n{line}\n")] == [time]
