"""Pinned facts stay where they are: rules, models and pruning leave them, and a pin goes where its fact goes."""

from __future__ import annotations

import sqlite3

import pytest
from django.db import connection

from memory import index, journal
from memory.compaction import runner
from memory.compaction.consolidation import sources
from memory.curation import acts, facts, merge_and_split, moving, pins
from memory.domain.plan import Fate
from memory.journal import pinning
from memory.text.markdown.normal import key
from tests.curation.test_curation import BY, DAY, LOG, desk

__all__ = ["desk"]


def pinned(desk, *texts):
    return {text for text in texts if key(text) in pins.keys(desk.bot)}


def test_compaction_by_rules_leaves_a_pinned_fact_and_says_so(desk):
    desk.write(DAY, LOG)
    pinning.mark(desk.bot, [key("One")], BY, pinned=True)
    plan = runner.plan(desk.bot, today="2026-09-01")
    assert {one.text: one.fate for one in plan.decisions if one.is_fact} == {"One": Fate.KEEP, "Two": Fate.MOVE}
    assert next(one.note for one in plan.decisions if one.text == "One") == "It is pinned, so it stays."
    runner.run(desk.bot, [""], BY, "2026-09-01")
    assert desk.read(DAY) == "# 2026-02-07\n\n## 09:00 — One\n\n"
    assert "Two" in desk.read("MEMORY.md")


def test_log_with_a_pinned_fact_is_not_archived(desk):
    desk.write(DAY, LOG)
    pinning.mark(desk.bot, [key("One")], BY, pinned=True)
    plan = runner.plan(desk.bot, today="2026-09-01", old_logs="archive")
    assert (plan.changes, plan.archived) == ((), {})
    assert [one.note for one in plan.decisions if one.is_fact] == [
        "It is pinned, so it stays.",
        "A pinned fact keeps this log where it is.",
    ]


def test_no_model_is_asked_about_a_pinned_fact(desk):
    desk.write(DAY, LOG)
    desk.write("MEMORY.md", "- Three\n- Four\n")
    pinning.mark(desk.bot, [key("One"), key("Three")], BY, pinned=True)
    found = sources.sources(desk.bot, runner.make_request(desk.bot, [""], "2026-09-01"))
    assert [item.fact.text for one in found for item in (*one.noted, *one.lasting)] == ["Two", "Four"]


@pytest.mark.parametrize("act", ["edit", "promote", "merge", "split"])
def test_pin_follows_its_fact_and_an_undo_brings_it_back(desk, act):
    desk.write(DAY, LOG)
    desk.write("MEMORY.md", "- Three is here\n- Other\n")
    path, now = ("MEMORY.md", {"Three boats"}) if act == "edit" else ("MEMORY.md", {"Three"})
    wanted = desk.name(path, 0)
    pinning.mark(desk.bot, [key("Three is here"), key("One")], BY, pinned=True)
    if act == "edit":
        done = facts.edit(desk.bot, *wanted, "Three boats", BY)
    elif act == "promote":
        done, now = moving.promote(desk.bot, [desk.name(DAY, 0)], BY), {"One"}
    elif act == "merge":
        both = [wanted, desk.name(path, 1)]
        done = acts.do(desk.bot, BY, lambda: merge_and_split.plan_merge(desk.bot, both, "Three, other"))
        now = {"Three, other"}
    else:
        done = acts.do(desk.bot, BY, lambda: merge_and_split.plan_split(desk.bot, wanted, ["Three", "here"]))
        now = {"Three", "here"}
    assert pinned(desk, *now) == now
    journal.undo(desk.bot, done.change_set, BY)
    assert pinned(desk, "Three is here", "One", "Other") == {"Three is here", "One"}


def test_unpinned_fact_is_compacted_again(desk):
    desk.write(DAY, LOG)
    pinning.mark(desk.bot, [key("One")] * 2, BY, pinned=True)
    pinning.mark(desk.bot, [key("One"), key("never pinned")], BY, pinned=False)
    assert all(one.fate is Fate.MOVE for one in runner.plan(desk.bot, today="2026-09-01").decisions if one.is_fact)


def test_pin_is_a_change_that_an_undo_takes_back_and_a_redo_makes_again(desk):
    desk.write(DAY, LOG)
    before = desk.read(DAY)
    done = pinning.mark(desk.bot, [key("One"), key("Two")], BY, pinned=True)
    assert (done.why, done.revisions.count()) == ("Pinned 2 facts", 0)
    undone = journal.undo(desk.bot, done, BY).change_set
    assert (pinned(desk, "One", "Two"), undone.why, undone.undoes_id) == (set(), "Unpinned 2 facts", done.pk)
    journal.undo(desk.bot, undone, BY)
    assert (pinned(desk, "One", "Two"), desk.read(DAY)) == ({"One", "Two"}, before)


def test_undo_leaves_what_was_pinned_before(desk):
    desk.write(DAY, LOG)
    pinning.mark(desk.bot, [key("One")], BY, pinned=True)
    journal.undo(desk.bot, pinning.mark(desk.bot, [key("One"), key("Two")], BY, pinned=True), BY)
    assert pinned(desk, "One", "Two") == {"One"}
    assert pinning.mark(desk.bot, [key("One")], BY, pinned=True) is None


@pytest.mark.parametrize("was", [True, False])
def test_undo_of_a_pin_goes_where_its_fact_went(desk, was):
    desk.write("MEMORY.md", "- Three is here\n- Other\n")
    pinning.mark(desk.bot, [key("Three is here")], BY, pinned=not was)
    change = pinning.mark(desk.bot, [key("Three is here")], BY, pinned=was)
    facts.edit(desk.bot, *desk.name("MEMORY.md", 0), "Three boats", BY)
    undone = journal.undo(desk.bot, change, BY).change_set
    assert undone.why == f"{'Unpinned' if was else 'Pinned'} 1 fact"
    assert bool(pinned(desk, "Three boats")) is not was
    journal.undo(desk.bot, undone, BY)
    assert bool(pinned(desk, "Three boats")) is was


def test_more_facts_are_pinned_than_one_statement_names(desk):
    if connection.vendor != "sqlite":
        pytest.skip("nothing bounds a statement there")
    desk.write("MEMORY.md", "".join(f"- Number {number} is here\n" for number in range(1200)))
    index.refresh(desk.bot)
    found = facts.find(desk.bot, [desk.name("MEMORY.md", number) for number in range(1200)])
    before = connection.connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 1000)
    try:
        done = pins.do(desk.bot, pins.foresee(desk.bot, found, pinned=True), BY)
        undone = journal.undo(desk.bot, done, BY).change_set
    finally:
        connection.connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, before)
    assert (done.why, undone.why, pins.keys(desk.bot)) == ("Pinned 1200 facts", "Unpinned 1200 facts", frozenset())
