"""Compaction of a workspace's notes: every fact accounted for, and all that is none left where it is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.dialects.workspace import DIALECT
from memory.domain.changes import Delete
from memory.domain.dialect import Fate
from memory.text.markdown.entries import log_facts, memory_facts
from tests.dialects.memories import FakeMemory, results_of
from tests.support.amounts import times
from tests.support.workspaces import FILES

TODAY = "2026-03-20"


def planned(documents, **values):
    """(plan, memory after) with the gate passed."""
    memory = FakeMemory(documents)
    family = DIALECT.seen(list(documents))
    plan = family.compacting.compact(memory, TODAY, ("",), family.settings(values))
    assert not plan.stopped
    assert family.compacting.verify(plan, memory, results_of(plan.changes)) == ""
    return plan, memory.after(plan.changes)


def notes():
    return {path: data for path, data in FILES.items() if path.startswith("memory/") or path == "MEMORY.md"}


def test_facts_of_every_form_go_to_long_term_memory_and_the_rest_stays():
    plan, after = planned(notes())
    said = after.text("MEMORY.md")
    for words in (
        "12 olive trees sold",
        "07:55",
        "frost on the south beds",
        "Water butt frozen.",
        "The old pear was pruned.",
    ):
        assert (words in said) == (words != "07:55"), words
    kept = {decision.path for decision in plan.decisions if decision.fate is Fate.KEEP}
    assert kept == {"memory/2026-01-03-night-watch.md", "memory/2026/01/07.md"}
    for path in kept:
        assert after.documents[path] == FILES[path].encode()


def test_notes_that_are_spent_go_and_topics_are_not_touched():
    before = notes()
    plan, after = planned(before)
    gone = {change.path for change in plan.changes if isinstance(change, Delete)}
    assert gone == {
        "memory/20260105.md",
        "memory/2026-01-03.md",
        "memory/2026-01-04.md",
        "memory/daily/2026-01-06.md",
        "memory/pruning-2026-01-08.md",
    }
    for path in before.keys() - gone - {"MEMORY.md"}:
        assert after.documents[path] == FakeMemory(before).documents[path]


def test_notes_move_to_the_memory_that_is_there():
    plan, after = planned({"memory/MEMORY.md": "- tea\n", "memory/HISTORY.md": "", "memory/2026-01-03.md": "- frost\n"})
    assert "- frost" in after.text("memory/MEMORY.md")
    assert set(plan.sizes) == {"memory/MEMORY.md"}


@pytest.mark.parametrize(
    "path", ["memory/2026-03-01.md", "memory/YYYY-MM-DD.md", "memory/people/ana.md", "memory/HISTORY.md"]
)
def test_what_is_not_old_or_has_no_day_stays(path):
    plan, _ = planned({"MEMORY.md": "- tea\n", path: "- frost\n"})
    assert plan.decisions == ()


def test_several_files_of_a_day_keep_apart():
    plan, after = planned({"memory/2026-01-03.md": "- frost\n", "memory/2026-01-03-b.md": "- frost\n- hail\n"})
    assert [decision.fate for decision in plan.decisions] == [Fate.MOVE, Fate.MOVE, Fate.DUPLICATE]
    assert after.text("MEMORY.md").count("frost") == 1


_LINE = st.sampled_from(
    [
        "# 2026-01-03",
        "## Heater (08:40)",
        "### Parts",
        "- frost",
        "* hail",
        "prose",
        "",
        "```",
        "[09:12] thawed",
        "| a | b |",
        "---",
        "1. one",
    ]
)


@settings(max_examples=times(40, 150), deadline=None)
@given(st.dictionaries(st.sampled_from(["", "-a", "-b"]), st.lists(_LINE, max_size=12).map("\n".join), min_size=1))
def test_no_fact_is_lost_whatever_the_notes_hold(files):
    documents = {f"memory/2026-01-03{suffix}.md": text for suffix, text in files.items()} | {"MEMORY.md": "- frost\n"}
    plan, after = planned(documents)
    left = {
        fact.key
        for path, data in after.documents.items()
        for fact in (*log_facts(data.decode()), *memory_facts(data.decode()))
    }
    for path, text in documents.items():
        for fact in log_facts(text) if path != "MEMORY.md" else memory_facts(text):
            assert fact.key in left or any(one.key == fact.key and one.fate is Fate.DUPLICATE for one in plan.decisions)


UNCLOSED = "## 09:00 — Pump\n\nIt leaks.\n\n- a list\n```\n- in code\n## 10:00 — Perhaps code\n## 11:00 — Or not\n"


def test_what_stands_behind_a_fence_that_is_never_closed_is_read_and_stays_in_its_log():
    log = "memory/2026-01-05.md"
    plan, after = planned(
        {"MEMORY.md": "- x\n", log: "- before\n- unclosed\n```\n- in code\n## 10:00 — Perhaps code\n"}
    )
    fates = [(one.text, one.fate) for one in plan.decisions if one.is_fact]
    assert fates == [("before", Fate.MOVE), ("unclosed", Fate.MOVE), ("Perhaps code", Fate.KEEP)]
    assert "Line 3 opens a code fence that is never closed" in plan.decisions[-1].note
    assert after.text(log) == "```\n- in code\n## 10:00 — Perhaps code\n"


def test_so_does_the_entry_that_opens_it_so_that_the_next_run_moves_no_more():
    log = "memory/2026-01-05.md"
    text = "## 08:00 — Frost\n\n" + UNCLOSED
    plan, after = planned({"MEMORY.md": "- x\n", log: text})
    fates = {one.text.split("\n")[0]: one.fate for one in plan.decisions if one.is_fact}
    assert fates == {"Frost": Fate.MOVE, "Pump": Fate.KEEP, "Perhaps code": Fate.KEEP, "Or not": Fate.KEEP}
    assert after.text(log) == UNCLOSED
    again, _ = planned({"MEMORY.md": after.text("MEMORY.md"), log: UNCLOSED})
    assert not again.changes
    closed, _ = planned({"MEMORY.md": "- x\n", log: UNCLOSED.replace("- in code", "- in code\n```")})
    assert {one.fate for one in closed.decisions if one.is_fact} == {Fate.MOVE}


def test_a_fence_with_nothing_behind_it_holds_nothing_back():
    plan, _ = planned({"MEMORY.md": "- x\n", "memory/2026-01-05.md": "## 09:00 — Pump\n\n```\nleaks\n"})
    assert [one.fate for one in plan.decisions] == [Fate.MOVE]


def test_a_model_is_not_asked_about_it_either():
    found = DIALECT.compacting.entries("memory/2026-01-05.md", UNCLOSED.encode())
    assert found == []
