"""Facts of each kind of document, and runs of text tied to them."""

from __future__ import annotations

from hypothesis import given, strategies as st

from memory.dialects.kenobot import DIALECT
from memory.domain.prompt_lines import lines_of, part_of, text_of
from memory.text.markdown.entries import memory_facts

PATTERNS = """[
  {
    "id": "p1",
    "trigger": "deploy",
    "response": "Ask for the branch first."
  },
  7,
  {"trigger": "resumen", "response": "Responde en viñetas."}, {"id": "no trigger"}
]
"""


def test_facts_of_a_daily_log_are_its_entries():
    facts = DIALECT.facts("chats/a/2026-02-07.md", "## 10:30 — Likes Go\n\n## 11:00 — Two\nlines\n\n".encode())
    assert [(fact.line, fact.time, fact.text) for fact in facts] == [
        (1, "10:30", "Likes Go"),
        (3, "11:00", "Two\nlines"),
    ]


def test_facts_of_other_notes_are_bullets_and_paragraphs():
    data = b"# Title\n- one\n  - nested\n- two\n\nprose\n"
    for path in ("MEMORY.md", "chats/a/MEMORY.md", "chats/a/context.md", "working/a.md", "@identity/USER.md"):
        assert len(DIALECT.facts(path, data)) == 3


def test_facts_of_patterns_are_its_items_with_their_lines():
    facts = DIALECT.facts("procedural/patterns.json", PATTERNS.encode())
    assert [(fact.line, fact.end_line, fact.text) for fact in facts] == [
        (2, 6, "deploy → Ask for the branch first."),
        (8, 8, "resumen → Responde en viñetas."),
    ]
    assert PATTERNS[facts[1].start : facts[1].end] == '{"trigger": "resumen", "response": "Responde en viñetas."}'


def test_facts_of_broken_patterns_are_those_before_the_break():
    assert DIALECT.facts("procedural/patterns.json", b"") == []
    assert DIALECT.facts("procedural/patterns.json", b'{"trigger": "x"}') == []
    assert DIALECT.facts("procedural/patterns.json", b"[" * 100_000) == []
    assert len(DIALECT.facts("procedural/patterns.json", b'\xef\xbb\xbf[{"trigger": "x"}, {"trigger": ')) == 1


def test_facts_of_equal_patterns_are_told_apart():
    facts = DIALECT.facts("procedural/patterns.json", b'[{"trigger": "x"}, {"trigger": "x"}]')
    assert [fact.nth for fact in facts] == [0, 1]


def test_facts_of_patterns_hold_no_half_characters():
    (fact,) = DIALECT.facts("procedural/patterns.json", b'[{"trigger": "x\\ud83d", "response": "\\u0000"}]')
    assert fact.text == "x\ufffd → \ufffd"


def test_facts_of_unknown_files_are_none():
    assert DIALECT.facts("notes.md", b"- a\n") == []


@given(
    st.lists(st.sampled_from(["# h\n", "- a\n", "  b\n", "\n", "prose\n", "é", "```\n", "1. x\n"]), max_size=12).map(
        "".join
    )
)
def test_runs_join_to_the_text_and_name_their_facts(text):
    facts = memory_facts(text)
    runs = lines_of("MEMORY.md", text, facts)
    assert text_of(runs) == text
    assert [run.fact for run in runs if run.fact] == facts
    at = 0
    for run in runs:
        assert run.line == text.count("\n", 0, at) + 1
        at += len(run.text)


@given(st.text("a\n# -", max_size=30), st.integers(0, 30), st.integers(0, 30))
def test_cut_runs_are_the_slice_of_the_text(text, start, end):
    runs = lines_of("MEMORY.md", text, memory_facts(text))
    found = part_of(runs, start, end)
    assert text_of(found) == text[start:end]
    for run, lines in ((run, text.split("\n")) for run in found):
        assert run.text.split("\n")[0] in lines[run.line - 1]


def test_runs_show_undecodable_bytes_as_the_bot_reads_them():
    text = b"- caf\xe9\n- ok\n".decode("utf-8", "surrogateescape")
    assert text_of(lines_of("MEMORY.md", text, memory_facts(text))) == "- caf\ufffd\n- ok\n"
