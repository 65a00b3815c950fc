"""What the bot of a workspace loads at the start, and what is cut and left out, by each family's limits."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, strategies as st

from memory.dialects.workspace import budget
from memory.dialects.workspace.look import CLAUDE_CODE, HKUDS, OPENCLAW, PLAIN, look
from memory.dialects.workspace.prompt import prompt
from memory.dialects.workspace.settings import settings_from
from memory.domain.prompt import PromptLine
from tests.dialects.memories import FakeMemory, unreadable

NOW = datetime(2026, 1, 31, 10, 17, tzinfo=UTC)
TREE = {
    "AGENTS.md": "# Agents\n\n- Read MEMORY.md first.\n",
    "SOUL.md": "Calm.\n",
    "USER.md": "- Ana\n",
    "CLAUDE.md": "Run make check.\n",
    "MEMORY.md": "# Memory\n\n- tea\n- frost\n",
    "memory/2026-01-29.md": "- old\n",
    "memory/2026-01-30.md": "- yesterday\n",
    "memory/2026-01-31.md": "- today\n",
    "memory/2026-01-31-garden.md": "- garden\n",
    "memory/people/ana.md": "- Ana likes tea\n",
    "memory/state.json": "{}",
    "sessions/a.jsonl": "{}",
}


def reading(flavour, tree=TREE, **values):
    return prompt(FakeMemory(tree), look(list(tree)), NOW, settings_from({"flavour": flavour, **values}, PLAIN))


def shown(read):
    return [section.heading for section in read.sections]


def left_out(read):
    return {one.path: one.why for one in read.left_out}


@pytest.mark.parametrize(
    ("flavour", "sections"),
    [
        (
            OPENCLAW,
            [
                *("AGENTS.md", "SOUL.md", "USER.md", "MEMORY.md"),
                *("memory/2026-01-31-garden.md", "memory/2026-01-31.md", "memory/2026-01-30.md"),
            ],
        ),
        (CLAUDE_CODE, ["CLAUDE.md", "MEMORY.md"]),
        (HKUDS, ["AGENTS.md", "SOUL.md", "USER.md", "MEMORY.md"]),
        (
            PLAIN,
            [
                *("AGENTS.md", "CLAUDE.md", "SOUL.md", "USER.md", "MEMORY.md"),
                *("memory/2026-01-31-garden.md", "memory/2026-01-31.md", "memory/2026-01-30.md"),
            ],
        ),
    ],
)
def test_each_family_loads_what_it_loads(flavour, sections):
    read = reading(flavour)
    assert shown(read) == sections
    documents = {path for path in TREE if path.endswith(".md")}
    assert {*sections, *left_out(read)} == documents
    assert not set(sections) & set(left_out(read))


def test_each_document_stands_whole_under_its_path_and_each_fact_is_tied():
    read = reading(OPENCLAW)
    assert read.text.startswith("## AGENTS.md\n\n# Agents\n\n- Read MEMORY.md first.\n\n## SOUL.md\n\nCalm.\n\n")
    tied = [(line.path, line.line, line.fact.text) for section in read.sections for line in section.lines if line.fact]
    assert ("MEMORY.md", 4, "frost") in tied


def test_what_is_left_out_says_how_old_it_is_and_why():
    read = reading(OPENCLAW)
    assert [(one.path, one.age) for one in read.left_out] == [
        ("memory/2026-01-29.md", "2 days ago"),
        ("CLAUDE.md", ""),
        ("memory/people/ana.md", ""),
    ]
    assert "The bot reads it when it looks something up, not at the start." in left_out(read)["memory/people/ana.md"]
    assert "The bot doesn’t load files with this name." in left_out(read)["CLAUDE.md"]


def test_openclaw_cuts_the_middle_out_of_a_long_document():
    long = "".join(f"- line {number:04}\n" for number in range(2_000))
    read = reading(OPENCLAW, {**TREE, "MEMORY.md": long})
    (section,) = [section for section in read.sections if section.heading == "MEMORY.md"]
    assert section.text.startswith("## MEMORY.md\n\n- line 0000\n")
    assert "[...truncated, read MEMORY.md for full content...]" in section.text
    assert "…(truncated MEMORY.md: kept 14000+4000 chars of 23999)…" in section.text
    assert section.text.rstrip().endswith("- line 1999")
    why = left_out(read)["MEMORY.md"]
    assert why.startswith("Lines 1167 to 1667 are cut")
    assert "it has 23,999 characters, and the bot loads 18,000." in why


def test_what_is_cut_out_of_a_single_line_is_told_by_its_characters():
    read = reading(OPENCLAW, {**TREE, "MEMORY.md": "# Memory\n" + "x" * 25_000 + "\n"})
    why = left_out(read)["MEMORY.md"]
    assert why.startswith("Characters 13,992 to 21,000 of line 2 are cut: it has 25,009 characters")


def test_openclaw_takes_no_more_than_it_takes_in_all():
    tree = {**TREE, "AGENTS.md": "a" * 1_500, "SOUL.md": "s" * 900, "USER.md": "u"}
    read = reading(OPENCLAW, tree, documents_chars=2_000)
    assert shown(read)[:2] == ["AGENTS.md", "SOUL.md"]
    assert "it has 900 characters, and the bot loads 450." in left_out(read)["SOUL.md"]
    assert "used up the 2,000 characters" in left_out(read)["MEMORY.md"]


def test_openclaw_takes_little_of_its_notes():
    tree = {
        **TREE,
        "memory/2026-01-31.md": "n" * 5_000,
        "memory/2026-01-30.md": "y" * 5_000,
        "memory/2026-01-31-garden.md": "g" * 900,
    }
    read = reading(OPENCLAW, tree)
    sizes = {
        section.heading: len(section.lines[1].text)
        for section in read.sections
        if section.heading.startswith("memory/")
    }
    assert sizes == {"memory/2026-01-31-garden.md": 900, "memory/2026-01-31.md": 1_200, "memory/2026-01-30.md": 700}
    assert "cut at line 1" in left_out(read)["memory/2026-01-30.md"]


@pytest.mark.parametrize(
    ("text", "kept", "why"),
    [
        ("x\n" * 200, "x\n" * 200, ""),
        ("x\n" * 201, "x\n" * 200, "Line 201 is not loaded: the bot loads the first 200 lines."),
        (
            ("é" * 99 + "\n") * 150,
            ("é" * 99 + "\n") * 125,
            "Lines 126 to 150 are not loaded: the bot loads the first 25,000 bytes.",
        ),
        (
            "é" * 20_000,
            "é" * 12_500,
            "Nothing after character 12,500 of line 1 is loaded: the bot loads the first 25,000 bytes.",
        ),
    ],
)
def test_claude_code_takes_the_first_lines_or_bytes_of_its_memory(text, kept, why):
    found = budget.first_lines([PromptLine(text)], 200, 25_000)
    assert ("".join(line.text for line in found.lines), found.why) == (kept, why)


@given(st.text(st.sampled_from("ab\n é🌱"), max_size=300), st.integers(1, 200))
def test_what_is_kept_fits(text, most):
    runs = [PromptLine(text)]
    for kept in (budget.head_of_letters(runs, most), budget.head_only(runs, most), budget.first_lines(runs, 5, most)):
        said = "".join(line.text for line in kept.lines)
        assert text.startswith(said)
        assert len(said) <= most
        assert kept.why or said == text
    middle = budget.middle_cut(runs, "A.md", most)
    assert middle.why or "".join(line.text for line in middle.lines) == text.rstrip()


def entries(first, last):
    line = '{{"cursor": {0}, "timestamp": "2026-01-30 09:05", "content": "thing {0}"}}\n'
    return "".join(line.format(number) for number in range(first, last + 1))


def test_hkuds_reads_what_it_has_not_worked_through():
    tree = {"memory/MEMORY.md": "- tea\n", "memory/history.jsonl": entries(1, 80), "memory/.dream_cursor": "77"}
    read = reading(HKUDS, tree)
    assert shown(read) == ["memory/MEMORY.md", "memory/history.jsonl"]
    assert read.sections[1].text == (
        "## memory/history.jsonl\n\n"
        "- [2026-01-30 09:05] thing 78\n- [2026-01-30 09:05] thing 79\n- [2026-01-30 09:05] thing 80\n\n"
    )
    assert [line.fact.line for line in read.sections[1].lines if line.fact] == [78, 79, 80]
    read = reading(HKUDS, {**tree, "memory/.dream_cursor": "nonsense"})
    assert read.sections[1].text.count("thing") == 50
    assert left_out(read)["memory/history.jsonl"] == "Only the newest 50 of 80 entries are read."


def test_hkuds_does_not_load_the_older_history():
    read = reading(HKUDS, {"memory/MEMORY.md": "- tea\n", "memory/HISTORY.md": "[2026-01-30 09:05] thing\n"})
    assert "memory/HISTORY.md" in left_out(read)


def test_an_unreadable_document_is_left_out_and_said_so():
    tree = {**TREE, "SOUL.md": unreadable("SOUL.md"), "memory/2026-01-31.md": unreadable("memory/2026-01-31.md")}
    read = reading(OPENCLAW, tree)
    assert {"SOUL.md", "memory/2026-01-31.md"} <= set(left_out(read))
    assert "AGENTS.md" in shown(read)


def test_an_empty_workspace_has_an_empty_prompt():
    for flavour in (OPENCLAW, CLAUDE_CODE, HKUDS, PLAIN):
        read = reading(flavour, {})
        assert (read.text, read.left_out) == ("", ())


def said(kept):
    return "".join(line.text for line in kept.lines)


@pytest.mark.parametrize("letter", ["a", "é", "語", "🌱"])
@pytest.mark.parametrize("over", [-1, 0, 1, 2])
def test_openclaw_counts_as_javascript_does_and_cuts_no_sign_in_two(letter, over):
    each = budget.count_units(letter)
    text = "x" * over + letter * (1_000 // each) if over > 0 else letter * ((1_000 + over) // each)
    kept = budget.middle_cut([PromptLine(text)], "A.md", 1_000)
    assert bool(kept.why) == (budget.count_units(text) > 1_000)
    if kept.why:
        head, tail = said(kept).split("\n\n[...truncated, read A.md")[0], said(kept).rsplit(")…\n\n", 1)[1]
        assert text.startswith(head)
        assert text.endswith(tail)
        assert 700 - each < budget.count_units(head) <= 700
        assert 200 <= budget.count_units(tail) < 200 + each
        assert f"it has {budget.count_units(text):,} characters" in kept.why
    note = budget.head_only([PromptLine(text)], 1_000)
    assert text.startswith(said(note))
    assert min(1_000, budget.count_units(text)) - each < budget.count_units(said(note)) <= 1_000


def test_white_space_at_the_end_does_not_count_for_openclaw():
    assert budget.middle_cut([PromptLine("x" * 1_000 + "\r\n \n")], "A.md", 1_000).why == ""


@pytest.mark.parametrize("letter", ["a", "é", "語", "🌱"])
@pytest.mark.parametrize("over", [-1, 0, 1])
def test_claude_code_counts_bytes_and_keeps_whole_lines(letter, over):
    line = letter * (96 // len(letter.encode())) + "\r\n"
    size = len(line.encode())
    text = line * 20
    kept = budget.first_lines([PromptLine(text)], 200, size * 20 + over)
    assert said(kept) == (text if over >= 0 else line * 19)
    assert bool(kept.why) == (over < 0)


def test_claude_code_counts_a_byte_order_mark():
    text = "\ufeff" + "x" * 97 + "\n"
    assert budget.first_lines([PromptLine(text)], 200, 101).why == ""
    assert budget.first_lines([PromptLine(text)], 200, 100).why


def test_a_document_with_a_byte_order_mark_and_its_own_line_ends_is_loaded_as_it_is():
    tree = {"MEMORY.md": "\ufeff# Memory\r\n\r\n- tea\r\n- frost\r\n", "SOUL.md": "Calm.\n"}
    for flavour in (OPENCLAW, HKUDS, PLAIN, CLAUDE_CODE):
        text = reading(flavour, tree).text
        assert "\ufeff# Memory\r\n\r\n- tea\r\n- frost" in text
    facts = [line.fact.text for section in reading(PLAIN, tree).sections for line in section.lines if line.fact]
    assert {"tea", "frost"} <= set(facts)


@pytest.mark.parametrize(("size", "cut"), [(20_000, False), (20_001, True)])
def test_openclaw_cuts_at_its_very_limit(size, cut):
    read = reading(OPENCLAW, {"MEMORY.md": "x" * size + "\n", "SOUL.md": "Calm.\n"})
    assert ("MEMORY.md" in left_out(read)) == cut


@pytest.mark.parametrize(("left", "loaded"), [(63, False), (64, True)])
def test_openclaw_starts_no_document_with_less_than_it_needs(left, loaded):
    tree = {"SOUL.md": "s" * (2_000 - left), "MEMORY.md": "x" * 20}
    read = reading(OPENCLAW, tree, documents_chars=2_000)
    assert ("MEMORY.md" in shown(read)) == loaded


@pytest.mark.parametrize(("number", "all_"), [(50, True), (51, False)])
def test_hkuds_reads_so_many_entries_and_no_more(number, all_):
    read = reading(HKUDS, {"memory/MEMORY.md": "- tea\n", "memory/history.jsonl": entries(1, number)})
    assert read.sections[1].text.count("thing") == 50
    assert ("memory/history.jsonl" not in left_out(read)) == all_
