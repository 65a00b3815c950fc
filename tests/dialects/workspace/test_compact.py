"""Compaction of a workspace's notes: every fact accounted for, and all that is none left where it is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings, strategies as st

from memory.dialects.workspace import DIALECT
from memory.domain.changes import Delete
from memory.domain.places import Kind
from memory.domain.plan import NOTHING_CHOSEN, Choice, Fate
from memory.text.markdown.entries import log_facts, memory_facts
from memory.text.markdown.normal import key
from tests.dialects.memories import FakeMemory, results_of
from tests.support.amounts import times
from tests.support.workspaces import FILES

TODAY = "2026-03-20"
NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)


def planned(documents, choice=NOTHING_CHOSEN, old_logs="move", **values):
    """(plan, memory after) with the gate passed; facts are to move unless it is said otherwise."""
    memory = FakeMemory(documents)
    family = DIALECT.seen(list(documents))
    plan = family.compacting.compact(memory, TODAY, ("",), family.settings({"old_logs": old_logs, **values}), choice)
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
        assert words in said, words
    assert "2026-01-04 07:55 — frost on the south beds" in said
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
    assert "- 2026-01-03 — frost" in after.text("memory/MEMORY.md")
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


@settings(max_examples=times(20, 150), deadline=None)
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


# By itself a workspace archives.


def test_old_notes_are_archived_whole_and_long_term_memory_stays_as_it_is():
    before = FakeMemory(notes())
    plan, after = planned(notes(), old_logs=None)
    old = {path for path in notes() if (place := DIALECT.describe(path)) and place.kind is Kind.DAILY}
    assert set(plan.archived) == old
    assert {one.fate for one in plan.decisions} == {Fate.ARCHIVE}
    assert after.documents["MEMORY.md"] == before.documents["MEMORY.md"]
    assert plan.sizes["MEMORY.md"][0] == plan.sizes["MEMORY.md"][1] < plan.whole["MEMORY.md"]
    for path, where in plan.archived.items():
        assert after.documents[where] == before.documents[path]
        place = DIALECT.describe(where)
        assert (place.kind, place.day) == (Kind.ARCHIVE, DIALECT.describe(path).day)
        assert DIALECT.facts(where, after.documents[where]) == DIALECT.facts(path, before.documents[path])
    assert after.documents.keys() - before.documents.keys() == set(plan.archived.values())
    assert set(plan.archived.values()) >= {"memory/archive/2026-01-03.md", "memory/2026/01/archive/07.md"}
    family = DIALECT.seen(list(after.documents))
    again = family.compacting.compact(after, TODAY, ("",), family.settings({}))
    assert (again.sources, again.changes) == ((), ())


def test_a_single_fact_is_moved_by_hand_and_its_log_archived_all_the_same():
    chosen = Choice(move=frozenset({key("fleece is on")}))
    plan, after = planned(notes(), choice=chosen, old_logs="archive")
    assert "- 2026-01-04 19:30 — fleece is on\n" in after.text("MEMORY.md")
    assert after.text("memory/archive/2026-01-04.md") == FILES["memory/2026-01-04.md"]
    assert [one.place for one in plan.decisions if one.fate is Fate.MOVE] == ["memory/2026-01-04.md:2"]


@pytest.mark.parametrize("moves", [False, True])
def test_a_fact_that_is_left_keeps_its_log_to_the_byte(moves):
    chosen = frozenset({key("fleece is on")})
    plan, after = planned(
        notes(), choice=Choice(leave=chosen, move=chosen if moves else frozenset()), old_logs="archive"
    )
    assert after.documents["memory/2026-01-04.md"] == FakeMemory(FILES).documents["memory/2026-01-04.md"]
    assert "memory/2026-01-04.md" not in plan.archived
    assert plan.archived.keys() == planned(notes(), old_logs="archive")[0].archived.keys() - {"memory/2026-01-04.md"}
    fates = {one.fate for one in plan.decisions if one.path == "memory/2026-01-04.md"}
    assert (fates, after.documents["MEMORY.md"]) == ({Fate.KEEP}, FakeMemory(FILES).documents["MEMORY.md"])


@pytest.mark.parametrize(
    "choice", [Choice(move=frozenset({key("fleece is on")})), Choice(leave=frozenset({"memory/2026-01-04.md"}))]
)
def test_what_moving_all_would_make_is_the_same_whatever_is_chosen(choice):
    plain, _ = planned(notes(), old_logs="archive")
    chosen, _ = planned(notes(), choice=choice, old_logs="archive")
    assert chosen.whole == plain.whole


@pytest.mark.parametrize(
    "path", ["archive/2026-01-01.md", "memory/archive/2020-02-02-trip.md", "memory/Archives/20200202.txt"]
)
def test_what_lies_in_an_archive_is_never_old(path):
    plan, _ = planned({"MEMORY.md": "- tea\n", path: "- frost\n"})
    assert plan.sources == ()
    assert DIALECT.describe(path).kind is Kind.ARCHIVE
    assert DIALECT.facts(path, b"- 10:17 frost\n")[0].time == "10:17"


def test_what_is_archived_is_not_loaded_and_said_to_be_there():
    memory = FakeMemory({"MEMORY.md": "- tea\n", "memory/archive/2026-03-20.md": "- frost\n", "AGENTS.md": "x"})
    prompt = DIALECT.seen(["MEMORY.md"]).prompt(memory, None, "", NOW, DIALECT.settings({}))
    assert "frost" not in prompt.text
    assert "memory/archive/2026-03-20.md" in {one.path for one in prompt.left_out}


def test_an_openclaw_that_is_told_to_move_stops_at_what_it_loads():
    documents = {"MEMORY.md": "- tea\n", "SOUL.md": "- calm\n"} | {
        f"memory/2026-01-{day:02}.md": f"## 10:30 — {'fact ' * 400}{day}\n" for day in range(1, 21)
    }
    plan, after = planned(documents)
    assert 14_000 < len(after.documents["MEMORY.md"]) < 16_000  # from 80% on it would be nearly full
    assert len(plan.archived) == 13
    assert not planned(documents, choice=Choice(past_limit=True))[0].archived
