"""Compaction: every fact accounted for, every defect of the bot's own compactor as a case that must not come back."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from memory.dialects.kenobot import DIALECT
from memory.dialects.kenobot.settings import Settings
from memory.dialects.shared.compaction.logs import first_kept_day
from memory.dialects.shared.compaction.rule import PROSE_NOTE
from memory.domain.changes import Delete, Put
from memory.domain.errors import RootGone
from memory.domain.places import Kind
from memory.domain.plan import NOTHING_CHOSEN, Choice, Fate
from memory.text.markdown.entries import log_facts, memory_facts
from memory.text.markdown.normal import key
from tests.dialects.memories import FakeMemory, results_of, unreadable

TODAY = "2026-03-20"
OLD = "2026-02-01.md"
WORDS = Choice(same_words=True)


def planned(documents, scopes=("",), today=TODAY, choice=NOTHING_CHOSEN, **settings):
    """(plan, memory before, memory after), with the gate passed."""
    memory = documents if isinstance(documents, FakeMemory) else FakeMemory(documents)
    plan = DIALECT.compacting.compact(memory, today, scopes, Settings(**settings), choice)
    if plan.stopped:
        return plan, memory, memory
    assert DIALECT.compacting.verify(plan, memory, results_of(plan.changes)) == ""
    return plan, memory, memory.after(plan.changes)


def fates(plan):
    return [(decision.text, decision.fate.value, decision.target) for decision in plan.decisions]


def moved(plan):
    return [decision.text for decision in plan.decisions if decision.fate is Fate.MOVE]


def test_compact_moves_facts_and_removes_the_empty_log():
    plan, _, after = planned({"MEMORY.md": "# Memory\n- Known\n", OLD: "## 10:30 — Likes Go\n\n## 11:00 — known.\n\n"})
    assert after.text("MEMORY.md") == "# Memory\n- Known\n\n## Compacted memories\n- 2026-02-01 10:30 — Likes Go\n"
    assert OLD not in after.documents
    assert fates(plan) == [("Likes Go", "move", "MEMORY.md"), ("known.", "duplicate", "MEMORY.md:2")]
    assert plan.sizes == {"MEMORY.md": (17, 72)}
    assert plan.sources == (OLD,)


@pytest.mark.parametrize("text", ["", "\n \n\n", "# 2026-02-01\n", "\ufeff# 2026-02-01\n\n", "# 1 February 2026\n"])
@pytest.mark.parametrize("keep_logs", [False, True])
def test_compact_removes_an_old_log_in_which_nothing_is(text, keep_logs):
    plan, _, after = planned({OLD: text, "2026-03-19.md": text}, keep_logs=keep_logs)
    assert plan.decisions == ()
    assert [type(change) for change in plan.changes] == [Delete]
    assert sorted(after.documents) == ["2026-03-19.md"]


@pytest.mark.parametrize("text", ["# 2026-02-02\n", "# Notes\n", "---\n", "<!-- a -->\n"])
def test_compact_keeps_an_old_log_in_which_something_is(text):
    plan, _, after = planned({OLD: text})
    assert plan.changes == ()
    assert after.text(OLD) == text


@pytest.mark.parametrize(
    ("day", "old"), [("2026-02-18", False), ("2026-02-17", True), ("2026-03-20", False), ("2027-01-01", False)]
)
def test_compact_boundary_is_a_string_before_today_minus_retention(day, old):
    plan, _, _ = planned({f"{day}.md": "## 10:30 — x\n\n"})
    assert bool(plan.decisions) is old


def test_first_kept_day_ends_where_the_calendar_does():
    assert first_kept_day("2024-03-01", 1) == "2024-02-29"
    assert first_kept_day("0001-01-05", 30) == ""


def test_compact_refuses_a_day_that_is_none():
    with pytest.raises(ValueError, match="2026-02-30"):
        DIALECT.compacting.compact(FakeMemory({}), "2026-02-30", ("",), Settings())


def test_compact_compares_impossible_dates_as_text_and_says_so():
    plan, _, after = planned({"2025-13-45.md": "## 10:30 — x\n\n", "2026-99-99.md": "## 10:30 — y\n\n"})
    assert moved(plan) == ["x"]
    assert plan.decisions[0].note == "The file name isn’t a real date; it is compared as text, as the bot does."
    assert "2026-99-99.md" in after.documents


def test_compact_takes_only_real_log_names():
    documents = {"2020-01-01-topic.md": "## 10:30 — x\n\n", "20200101.md": "- y\n", "2020-1-1.md": "- z\n"}
    plan, _, after = planned(documents)
    assert (plan.decisions, plan.changes) == ((), ())
    assert set(after.documents) == set(documents)


# The defects of kenobot.md section d, by their numbers there.


def test_compact_1_keeps_the_bots_own_entries():
    documents = {
        f"2026-01-{day:02}.md": "".join(f"## 1{n}:00 — fact {day}.{n}\n\n" for n in range(10)) for day in range(1, 31)
    }
    plan, _, after = planned(documents, choice=Choice(past_limit=True))
    assert len(moved(plan)) == 300
    assert {fact.text for fact in memory_facts(after.text("MEMORY.md"))} == {
        f"2026-01-{d:02} 1{n}:00 — fact {d}.{n}" for d in range(1, 31) for n in range(10)
    }
    assert list(after.documents) == ["MEMORY.md"]


@pytest.mark.parametrize("dash", ["—", "--", "-", "–"])
def test_compact_2_keeps_entries_behind_every_dash_with_their_body(dash):
    _, _, after = planned({OLD: f"## 10:30 {dash} Preference learned\nPrefers concise responses\n\n"})
    assert "- 2026-02-01 10:30 — Preference learned\n  Prefers concise responses\n" in after.text("MEMORY.md")
    assert OLD not in after.documents


def test_compact_3_loses_no_handwritten_text():
    log = "Met Ana at noon, she moves.\n\n## 9:05 Dentist\n\n## Trip\n- tickets\n- hotel\n\n```\n## 10:00 — in a fence\n```\n"
    plan, _, after = planned({OLD: log})
    said = after.text("MEMORY.md") + (after.text(OLD) if OLD in after.documents else "")
    for line in ("Met Ana at noon, she moves.", "Dentist", "tickets", "hotel", "## 10:00 — in a fence"):
        assert line in said
    assert {decision.fate for decision in plan.decisions} <= {Fate.MOVE, Fate.KEEP}


def test_compact_4_keeps_multi_line_entries_whole():
    log = "## 10:30 — Recipe: pozole\nNeeds 2 chiles\n- soak\n\n  overnight\n\n## 11:00 — Next\n\n"
    _, _, after = planned({OLD: log})
    facts = memory_facts(after.text("MEMORY.md"))
    assert [fact.key for fact in facts] == [fact.key for fact in log_facts(log)]
    head = "## Compacted memories\n- 2026-02-01 10:30 — Recipe: pozole\n"
    assert after.text("MEMORY.md").startswith(head + "  Needs 2 chiles\n  - soak\n")


def test_compact_5_tells_near_repeats_apart():
    known = "- Likes Google Docs\n- Ana's birthday is March 15\n- Does not like cats\n- Annabel\n"
    log = "".join(
        f"## 10:30 — {text}\n\n" for text in ("likes Go", "March 1", "like cats", "Anna", "LIKES google docs")
    )
    plan, _, _ = planned({"MEMORY.md": known, OLD: log})
    assert moved(plan) == ["likes Go", "March 1", "like cats", "Anna"]


def test_compact_6_extends_one_section():
    memory = FakeMemory({"MEMORY.md": "# M\n"})
    for run in range(1, 6):
        memory = FakeMemory({**memory.documents, f"2026-01-0{run}.md": f"## 10:30 — fact {run}\n\n".encode()})
        _, _, memory = planned(memory)
    assert memory.text("MEMORY.md") == "# M\n\n## Compacted memories\n" + "".join(
        f"- 2026-01-0{n} 10:30 — fact {n}\n" for n in range(1, 6)
    )


def test_compact_7_leaves_a_log_that_cannot_be_read_and_says_so():
    documents = {"MEMORY.md": "- a\n", OLD: unreadable(OLD), "2026-02-02.md": "## 10:30 — x\n\n"}
    plan, _, _ = planned(documents)
    assert plan.unread == ((OLD, f"{OLD} can’t be read: permission denied."),)
    assert moved(plan) == ["x"]
    assert OLD not in {change.path for change in plan.changes}


def test_compact_7_stops_where_the_whole_memory_is_gone():
    plan, _, _ = planned({"MEMORY.md": "- a\n", OLD: RootGone("The memory directory is not there.")})
    assert plan.stopped.startswith("The memory directory is not there.")
    assert (plan.decisions, plan.changes) == ((), ())


def test_compact_8_stops_at_an_unreadable_long_term_memory():
    plan, _, _ = planned({"MEMORY.md": unreadable("MEMORY.md"), OLD: "## 10:30 — x\n\n"})
    assert plan.stopped.startswith("MEMORY.md can’t be read")
    assert plan.changes == ()


def test_compact_9_and_10_every_change_names_the_version_it_was_made_from():
    plan, _, _ = planned(
        {"MEMORY.md": "- a\n", OLD: "## 10:30 — x\n\n", "2026-02-02.md": "prose stays? no: \n\n```\ncode\n```\n"}
    )
    assert all(change.base for change in plan.changes)


def test_compact_11_stops_when_long_term_memory_cannot_be_decoded():
    plan, _, _ = planned({"MEMORY.md": b"- caf\xe9\n", OLD: "## 10:30 — x\n\n"})
    assert plan.stopped == "MEMORY.md isn’t valid UTF-8, so nothing can be added. Nothing was changed."
    assert plan.changes == ()


def test_compact_11_leaves_a_log_that_cannot_be_decoded_and_says_so():
    plan, _, after = planned({OLD: b"## 10:30 \xe2\x80\x94 caf\xe9\n\n", "2026-02-02.md": "## 10:30 — x\n\n"})
    assert [path for path, _ in plan.unread] == [OLD]
    assert moved(plan) == ["x"]
    assert OLD in after.documents


def test_compact_13_puts_a_chats_logs_into_that_chats_memory_on_request():
    documents = {
        "MEMORY.md": "- Secret of the other chat\n",
        "chats/a/2026-01-01.md": "## 10:30 — Secret of the other chat\n\n",
        "chats/b/2026-01-01.md": "## 10:30 — b\n\n",
        OLD: "## 10:30 — mine\n\n",
    }
    plan, _, after = planned(documents, scopes=("a",))
    assert [change.path for change in plan.changes] == ["chats/a/MEMORY.md", "chats/a/2026-01-01.md"]
    assert after.text("chats/a/MEMORY.md") == "## Compacted memories\n- 2026-01-01 10:30 — Secret of the other chat\n"
    plan, _, after = planned(documents, scopes=("", "a", "b", "a"))
    assert after.text("chats/b/MEMORY.md") == "## Compacted memories\n- 2026-01-01 10:30 — b\n"
    assert set(plan.sizes) == {"MEMORY.md", "chats/a/MEMORY.md", "chats/b/MEMORY.md"}


def test_compact_without_scopes_takes_only_the_bots_own_logs():
    plan, _, _ = planned({"chats/a/2026-01-01.md": "## 10:30 — b\n\n"})
    assert plan == replace(plan, decisions=(), changes=(), sizes={}, sources=())


def test_compact_14_a_second_run_changes_nothing():
    _, _, once = planned({"MEMORY.md": "# M", OLD: "## 10:30 — x\n\n"})
    plan, _, _ = planned(once)
    assert (plan.decisions, plan.changes) == ((), ())


def test_compact_14_a_run_cut_off_before_the_removal_is_finished():
    _, _, once = planned({"MEMORY.md": "# M", OLD: "## 10:30 — x\n\n"})
    again = FakeMemory({**once.documents, OLD: "## 10:30 — x\n\n".encode()})
    plan, _, after = planned(again)
    assert fates(plan) == [("x", "duplicate", "MEMORY.md:4")]
    assert plan.changes == (Delete(OLD, plan.changes[0].base),)
    assert after.documents["MEMORY.md"] == once.documents["MEMORY.md"]


@pytest.mark.slow
def test_compact_15_is_linear():
    documents = {
        f"{2000 + n // 300:04}-{n // 28 % 12 + 1:02}-{n % 28 + 1:02}.md": "".join(
            f"## 10:30 — fact {n}.{i}\n\n" for i in range(50)
        )
        for n in range(300)
    }
    documents["MEMORY.md"] = "".join(f"- known {n}\n" for n in range(5000))
    began = time.thread_time()
    plan = DIALECT.compacting.compact(FakeMemory(documents), TODAY, ("",), Settings(), Choice(past_limit=True))
    assert len(moved(plan)) == 15_000
    assert time.thread_time() - began < 5


# What goes where.


def test_compact_names_the_line_that_says_it_already():
    documents = {
        "MEMORY.md": "# M\n\n- one\n- two\n",
        "2026-01-01.md": "## 10:30 — TWO\n\n## 10:31 — new\n\n",
        "2026-01-02.md": "## 10:30 — x\n\n## 10:31 — New.\n\n",
    }
    plan, _, after = planned(documents, choice=WORDS)
    assert fates(plan) == [
        ("TWO", "duplicate", "MEMORY.md:4"),
        ("new", "move", "MEMORY.md"),
        ("x", "move", "MEMORY.md"),
        ("New.", "duplicate", "2026-01-01.md:3"),
    ]
    said = [fact.text for fact in memory_facts(after.text("MEMORY.md"))]
    assert said == ["one", "two", "2026-01-01 10:31 — new", "2026-01-02 10:30 — x"]


def test_compact_rewrites_a_log_with_lines_that_stay():
    log = "## 10:30 — Likes Go\n\n# Sprint notes\n\n## 11:00 — Uses vim\n\n"
    plan, _, after = planned({OLD: log})
    assert after.text(OLD).strip() == "# Sprint notes"
    kept = [decision for decision in plan.decisions if decision.fate is Fate.KEEP]
    assert [(one.text, one.is_fact, one.target, one.line) for one in kept] == [("# Sprint notes", False, "", 3)]


def test_compact_keeps_a_log_whole_if_the_owner_prefers():
    log = "## 10:30 — Likes Go\n\n# Sprint notes\n\n"
    plan, _, after = planned({OLD: log, "2026-02-02.md": "## 10:30 — x\n\n"}, keep_logs=True)
    assert after.text(OLD) == log
    assert "2026-02-02.md" not in after.documents
    assert moved(plan) == ["Likes Go", "x"]
    assert planned(after, keep_logs=True)[0].changes == ()


def test_compact_removes_a_log_of_which_only_the_date_is_left():
    _, _, after = planned({OLD: "# 2026-02-01\n\n## 10:30 — x\n\n"})
    assert OLD not in after.documents


def test_compact_substring_drops_and_lists_what_it_drops():
    documents = {"MEMORY.md": "- x\n- Likes Google Docs\n", OLD: "## 10:30 — likes go\n\n## 10:31 — likes tea\n\n"}
    plan, _, after = planned(documents, dedupe="substring")
    assert fates(plan) == [("likes go", "duplicate", "MEMORY.md:2"), ("likes tea", "move", "MEMORY.md")]
    assert "substring" in plan.decisions[0].note
    assert "likes go\n" not in after.text("MEMORY.md")


def test_compact_substring_sees_only_what_stood_in_memory_before():
    documents = {OLD: "## 10:30 — likes google docs\n\n## 10:31 — likes go\n\n"}
    assert moved(planned(documents, dedupe="substring")[0]) == ["likes google docs", "likes go"]


# The section of MEMORY.md.


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "## Compacted memories\n- x\n"),
        ("", "## Compacted memories\n- x\n"),
        ("# M", "# M\n\n## Compacted memories\n- x\n"),
        ("# M\n", "# M\n\n## Compacted memories\n- x\n"),
        ("# M\r\n- a\r\n", "# M\r\n- a\r\n\r\n## Compacted memories\r\n- x\r\n"),
        ("\ufeff# M\n", "\ufeff# M\n\n## Compacted memories\n- x\n"),
        ("## Compacted memories\n- a\n", "## Compacted memories\n- a\n- x\n"),
        ("## Compacted memories\n- a", "## Compacted memories\n- a\n- x\n"),
        ("## Compacted memories\n\n- a\n\n\n## Next\n- b\n", "## Compacted memories\n\n- a\n- x\n\n\n## Next\n- b\n"),
        ("## Compacted memories\n# Top\n- b\n", "## Compacted memories\n- x\n# Top\n- b\n"),
        ("## Compacted memories\n- a\n### Below\n- b\n", "## Compacted memories\n- a\n### Below\n- b\n- x\n"),
        ("## Compacted memories ##\r\n- a\r\n", "## Compacted memories ##\r\n- a\r\n- x\r\n"),
        (
            "## Compacted memories\n- a\n## B\n- b\n## Compacted memories\n- c\n",
            "## Compacted memories\n- a\n## B\n- b\n## Compacted memories\n- c\n- x\n",
        ),
        ("```\n## Compacted memories\n```\n", "```\n## Compacted memories\n```\n\n## Compacted memories\n- x\n"),
        ("### Compacted memories\n- a\n", "### Compacted memories\n- a\n\n## Compacted memories\n- x\n"),
        (
            "## Compacted memories\n- a\n```\n## Fenced\n```\n",
            "## Compacted memories\n- a\n```\n## Fenced\n```\n\n- x\n",
        ),
        ("## Compacted memories\nprose\n", "## Compacted memories\nprose\n\n- x\n"),
        ("## Compacted memories\n- a\n\n---\n\n## Next\n", "## Compacted memories\n- a\n- x\n\n---\n\n## Next\n"),
        ("## Compacted memories\n- a\n\nNext\n====\n- b\n", "## Compacted memories\n- a\n- x\n\nNext\n====\n- b\n"),
        ("## Compacted memories\n- a\n\nNext\n---\n- b\n", "## Compacted memories\n- a\n- x\n\nNext\n---\n- b\n"),
    ],
)
def test_compact_extends_the_section(before, after):
    documents = {OLD: "## 10:30 — x\n\n"} | ({} if before is None else {"MEMORY.md": before})
    _, _, result = planned(documents)
    assert result.text("MEMORY.md") == after.replace("- x", "- 2026-02-01 10:30 — x")


def test_compact_stops_when_memory_ends_in_an_open_fence():
    plan, _, _ = planned({"MEMORY.md": "## Compacted memories\n- a\n```\nopen\n", OLD: "## 10:30 — x\n\n"})
    assert "fence" in plan.stopped
    assert (plan.decisions, plan.changes) == ((), ())


# The gate.


def gate(documents, spoil, **settings):
    """What the gate says when `spoil` has changed the results."""
    memory = FakeMemory(documents)
    plan = DIALECT.compacting.compact(memory, TODAY, ("",), Settings(**settings))
    results = results_of(plan.changes)
    spoil(results)
    return DIALECT.compacting.verify(plan, memory, results)


KEEPING = {
    "MEMORY.md": "# M\n- a\n",
    OLD: "## 10:30 — x\n\n# Title\n\n## 10:31 — a\n\n",
    "2026-02-02.md": "## 10:30 — y\n\n",
}


def drop(path, old, new=""):
    def spoil(results):
        assert old.encode() in results[path]
        results[path] = results[path].replace(old.encode(), new.encode())

    return spoil


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (drop("MEMORY.md", "- 2026-02-01 10:30 — x\n"), "“x” (2026-02-01.md, line 1) would be missing from MEMORY.md."),
        (
            drop("MEMORY.md", "10:30 — y\n", "10:30 — yes\n"),
            "“y” (2026-02-02.md, line 1) would be missing from MEMORY.md.",
        ),
        (drop("MEMORY.md", "- a\n"), "MEMORY.md would lose a line."),
        (drop("MEMORY.md", "# M\n"), "MEMORY.md would lose a line."),
        (drop(OLD, "# Title"), "2026-02-01.md would lose a line that should stay."),
        (lambda results: results.update({OLD: None}), "2026-02-01.md would be removed although facts in it stay."),
        (lambda results: results.pop("MEMORY.md"), "“x” (2026-02-01.md, line 1) would be missing from MEMORY.md."),
    ],
)
def test_gate_names_what_would_be_lost(spoil, said):
    answer = gate(KEEPING, spoil)
    assert said in answer


def test_gate_opens_for_the_plan_itself_and_for_what_others_added():
    assert gate(KEEPING, lambda results: None) == ""
    assert gate(KEEPING, drop("MEMORY.md", "# M\n", "# M\nthe owner wrote this\n")) == ""
    assert gate(KEEPING, drop(OLD, "# Title", "# Title\n\n## 12:00 — late")) == ""


def test_gate_wants_a_fact_as_often_as_promised():
    memory = FakeMemory({OLD: "## 10:30 — x\n\n"})
    plan = DIALECT.compacting.compact(memory, TODAY, ("",), Settings())
    twice = replace(plan, decisions=plan.decisions * 2)
    answer = DIALECT.compacting.verify(twice, memory, results_of(plan.changes))
    assert answer == "“x” (2026-02-01.md, line 1) would be missing from MEMORY.md."


def test_gate_knows_a_repeat_that_nobody_says():
    memory = FakeMemory({"MEMORY.md": "- x\n", OLD: "## 10:30 — x\n\n"})
    plan = DIALECT.compacting.compact(memory, TODAY, ("",), Settings())
    changed = FakeMemory({"MEMORY.md": "- z\n", OLD: "## 10:30 — x\n\n"})
    assert "counts as a duplicate, but MEMORY.md:1 doesn’t contain it." in DIALECT.compacting.verify(
        plan, changed, results_of(plan.changes)
    )


def test_gate_stays_shut_when_it_cannot_read():
    memory = FakeMemory({OLD: "## 10:30 — x\n\n"})
    plan = DIALECT.compacting.compact(memory, TODAY, ("",), Settings())
    shut = FakeMemory({OLD: unreadable(OLD)})
    assert "can’t be read: permission denied." in DIALECT.compacting.verify(plan, shut, results_of(plan.changes))


# For whatever people and bots write.

LINES = [
    "## 10:30 — fact one",
    "## 10:30 — fact two",
    "## 9:05 - other",
    "### 11:00: below",
    "## Untimed",
    "# 2026-02-01",
    "# Title",
    "body line",
    "- bullet",
    "  - nested",
    "  more",
    "- [ ] todo",
    "1. first",
    "```",
    "~~~",
    "<!-- open",
    "-->",
    "| a | b |",
    "|---|---|",
    "---",
    "",
    "",
    "    code",
    "> quote",
    "\\## 10:00 — kept",
    "**bold** *and*",
    "10:40 clock in prose",
    "[10:41] said",
    "fact one.",
    "\ufeff",
    "x\r",
    "- crlf\r",
    "## 12:00 — crlf\r",
    "会议 周一",
    "## Compacted memories",
    "key: value",
]
NOTES = st.lists(st.sampled_from(LINES), max_size=9).map("\n".join)


@given(
    long_term=st.none() | NOTES,
    logs=st.lists(NOTES, min_size=1, max_size=3),
    dedupe=st.sampled_from(["same", "substring"]),
    keep_logs=st.booleans(),
)
def test_compact_keeps_every_fact(long_term, logs, dedupe, keep_logs):
    documents = {f"2026-01-0{n + 1}.md": log for n, log in enumerate(logs)}
    if long_term is not None:
        documents["MEMORY.md"] = long_term
    plan, before, after = planned(documents, dedupe=dedupe, keep_logs=keep_logs)
    if plan.stopped:
        assert "fence" in plan.stopped
        return
    left = after.text("MEMORY.md") if "MEMORY.md" in after.documents else ""
    known = Counter(fact.key for fact in memory_facts(left))
    assert left.startswith(long_term or "") or all(line in left.split("\n") for line in long_term.split("\n"))
    for path in (path for path in before.documents if path != "MEMORY.md"):
        rest = Counter(fact.key for fact in log_facts(after.text(path))) if path in after.documents else Counter()
        for fact in log_facts(before.text(path)):
            said = dedupe == "substring" and fact.text.lower() in left.lower()
            assert known[fact.key] or rest[fact.key] or said, fact
    accounted = [(one.path, one.line) for one in plan.decisions if one.is_fact]
    assert accounted == [(path, fact.line) for path in plan.sources for fact in log_facts(before.text(path))]


@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=6).map("\n".join))
def test_compact_into_a_sound_memory_is_never_stopped(text):
    plan, _, _ = planned({OLD: f"## 10:30 — start\n{text}\n", "MEMORY.md": "# M\n- a\n"})
    assert plan.stopped == ""
    leaving = [one for one in plan.decisions if one.is_fact and one.note != PROSE_NOTE]
    assert {one.fate for one in leaving} <= {Fate.MOVE, Fate.DUPLICATE}


def test_compact_leaves_prose_that_stands_in_no_entry_where_it_is():
    """Also prose that says what an entry says: the entry goes and is accounted for, the prose stays."""
    log = "# 2026-02-01\n\nLikes Go\n\nA rainy day,\nspent inside.\n\n- Likes Go\n\n## 10:30 — x\n\n"
    plan, _, after = planned({OLD: log})
    assert moved(plan) == ["Likes Go", "x"]
    assert after.text(OLD) == "# 2026-02-01\n\nLikes Go\n\nA rainy day,\nspent inside.\n\n"
    kept = [(one.line, one.is_fact, one.note) for one in plan.decisions if one.fate is Fate.KEEP]
    assert [(line, note) for line, is_fact, note in kept if is_fact] == [(3, PROSE_NOTE), (5, PROSE_NOTE)]


def test_compact_writes_nothing_but_puts_and_deletes():
    plan, _, _ = planned(KEEPING)
    assert {type(change) for change in plan.changes} == {Put, Delete}


def test_compact_leaves_prose_in_its_log_run_after_run():
    plan, _, left = planned({OLD: "Went to the market.\n\n## 10:30 — Likes Go\n\n"})
    assert moved(plan) == ["Likes Go"]
    again, _, after = planned(left)
    assert fates(again) == [("Went to the market.", "keep", "")]
    assert again.changes == ()
    assert after.documents == left.documents


# What leaves a log, and what an event is.


def test_what_leaves_a_log_keeps_its_day_and_its_clock():
    log = (
        "[2026-02-01 23:53Z] beat\n[2026-02-01 23:58Z] beat\n\n- 9:05 AM dentist\n- tea\n\n## Call (14:05)\n\nAna.\n\n"
        "## 10:00-11:30 CET — Review\n\n## Meets Mondays at 8:30\n\nRoom 2.\n"
    )
    plan, _, after = planned({OLD: log})
    assert [fact.text for fact in memory_facts(after.text("MEMORY.md"))] == [
        "[2026-02-01 23:53Z] beat",
        "[2026-02-01 23:58Z] beat",
        "2026-02-01 9:05 AM — dentist",
        "2026-02-01 — tea",
        "2026-02-01 14:05 — Call\n\nAna.",
        "2026-02-01 10:00-11:30 CET — Review",
        "2026-02-01 — Meets Mondays at 8:30\n\nRoom 2.",
    ]
    assert {one.fate for one in plan.decisions} == {Fate.MOVE}


DATED = {
    "[2026-01-31 00:00Z] heartbeat ok": "[2026-01-31 00:00Z] heartbeat ok",
    "2026-02-02T10:17 heartbeat ok": "[2026-02-02 10:17] heartbeat ok",
    "2026/02/02 10:17 heartbeat ok": "2026-02-02 10:17 — 2026/02/02 heartbeat ok",
    "[2026-01-31] tea": "[2026-01-31] tea",
    "**2026-01-31 10:17** tea": "**2026-01-31 10:17** tea",
    "2026-01-31: tea": "2026-01-31: tea",
    "2026-01-31 — tea": "2026-01-31 — tea",
    "10:17 2026-01-31: tea": "2026-02-01 10:17 — 2026-01-31: tea",
    "2026-03-20 tax is due": "2026-02-01 — 2026-03-20 tax is due",
    "2026-99-99: tea": "2026-02-01 — 2026-99-99: tea",
}


@pytest.mark.parametrize("line", DATED)
def test_a_day_of_its_own_leads_what_leaves_a_log_once(line):
    _, _, after = planned({OLD: f"- {line}\n"})
    (fact,) = memory_facts(after.text("MEMORY.md"))
    assert fact.text == DATED[line]
    assert fact.key == log_facts(f"- {line}\n")[0].key


def test_a_day_of_its_own_leads_an_entry_with_a_heading_too():
    log = "## [2026-01-31 10:17] Trip\n\nRome.\n\n## 10:30 — 2026-01-31: tea\n\n"
    _, _, after = planned({OLD: log})
    said = [fact.text for fact in memory_facts(after.text("MEMORY.md"))]
    assert said == ["[2026-01-31 10:17] Trip\n\nRome.", "2026-02-01 10:30 — 2026-01-31: tea"]


def test_what_moves_stays_the_same_fact():
    log = "[2026-02-01 23:53Z] beat\n\n- tea\n\n## 10:30 — x\n\n## 2026-02-01 11:00 — Trip\n\nRome.\n"
    _, _, after = planned({OLD: log})
    assert [fact.key for fact in memory_facts(after.text("MEMORY.md"))] == [fact.key for fact in log_facts(log)]


BEATS = {
    "2026-01-01.md": "## 10:30 — all well\n\n## 10:35 — all well\n\n## 10:35 — All well.\n\n",
    "2026-01-02.md": "## 10:30 — all well\n\n",
}


def test_an_event_that_is_said_again_at_another_time_is_no_duplicate():
    plan, _, left = planned(BEATS)
    assert [one.fate.value for one in plan.decisions] == ["move", "move", "duplicate", "move"]
    again, _, _ = planned({**left.documents, **BEATS})
    assert {one.fate for one in again.decisions} == {Fate.DUPLICATE}
    assert [one.target for one in again.decisions] == ["MEMORY.md:2", "MEMORY.md:3", "MEMORY.md:3", "MEMORY.md:4"]


def test_unless_a_person_says_that_words_alone_count():
    plan, _, left = planned(BEATS, choice=WORDS)
    assert [one.fate.value for one in plan.decisions] == ["move", "duplicate", "duplicate", "duplicate"]
    later, _, _ = planned({**left.documents, "2026-01-03.md": "## 08:00 — all well\n\n"}, choice=WORDS)
    assert fates(later) == [("all well", "duplicate", "MEMORY.md:2")]


@pytest.mark.parametrize(
    "title", ["# 2026-02-01 — Vienna", "# Day 12, 2026-02-01", "# 2026-02-01 14:00", "# 1 February 2026: rain"]
)
def test_a_title_that_holds_a_date_and_more_stays(title):
    _, _, after = planned({OLD: f"{title}\n\n## 10:30 — x\n\n"})
    assert after.text(OLD).strip() == title


def test_a_heading_without_text_is_no_fact_and_stays():
    log = "# 2026-02-01\n\n## Summary\n\n## Decisions\n### Open\n---\n\n## Done\n\n- paid rent\n"
    plan, _, after = planned({OLD: log})
    assert [one.text for one in plan.decisions if one.is_fact] == ["Done\n\n- paid rent"] == moved(plan)
    assert after.text(OLD) == "# 2026-02-01\n\n## Summary\n\n## Decisions\n### Open\n---\n\n"
    again, _, left = planned(after.documents)
    assert (again.stopped, again.changes, left.documents) == ("", (), after.documents)


# The limit, and the archive.

MUCH = {f"2026-01-{day:02}.md": f"## 10:30 — {'fact ' * 180}{day}\n\n" for day in range(1, 21)}


def test_what_would_pass_the_limit_is_archived_whole():
    plan, before, after = planned(MUCH)
    assert 7 * 1024 < len(after.documents["MEMORY.md"]) < 8 * 1024  # from 80% on it would be nearly full
    assert len(moved(plan)) == 8
    assert list(plan.archived) == list(MUCH)[8:]
    for path, where in plan.archived.items():
        assert where == f"archive/{path}"
        assert after.documents[where] == before.documents[path]
    assert not after.documents.keys() & MUCH.keys()
    everything = len(planned(MUCH, choice=Choice(past_limit=True))[2].documents["MEMORY.md"])
    assert 0 <= plan.whole["MEMORY.md"] - everything < 10


@pytest.mark.parametrize("left", [key(f"{'fact ' * 180}3"), "2026-01-03.md"], ids=["a fact", "its log"])
def test_what_somebody_leaves_in_its_log_lets_nothing_else_move_in_its_place(left):
    whole, less = planned(MUCH)[0], planned(MUCH, choice=Choice(leave=frozenset({left})))[0]
    assert {*moved(whole)} - {*moved(less)} == {f"{'fact ' * 180}3".strip()}
    assert not {*moved(less)} - {*moved(whole)}
    assert less.archived == whole.archived
    assert less.whole == whole.whole


def test_a_full_memory_takes_nothing_more_but_repeats_still_go():
    documents = {"MEMORY.md": "- " + "x" * 10_300 + "\n- known\n", OLD: "## 10:30 — known\n\n", **BEATS}
    plan, _, after = planned(documents)
    assert [change.path for change in plan.changes] == [
        *("archive/2026-01-01.md", "2026-01-01.md", "archive/2026-01-02.md", "2026-01-02.md", OLD)
    ]
    assert after.documents["MEMORY.md"] == documents["MEMORY.md"].encode()


def test_logs_are_archived_beside_where_they_lay_and_are_never_old_there():
    documents = {OLD: "# Only a title, and more\n", "chats/a/2026-01-01.md": "", "MEMORY.md": b"\xff\xfe"}
    plan, _, after = planned(documents, scopes=("", "a"), old_logs="archive")
    assert plan.archived == {OLD: f"archive/{OLD}", "chats/a/2026-01-01.md": "chats/a/archive/2026-01-01.md"}
    for path, scope in ((f"archive/{OLD}", ""), ("chats/a/archive/2026-01-01.md", "a")):
        place = DIALECT.describe(path)
        assert (place.kind, place.scope, place.day) == (Kind.ARCHIVE, scope, path[-13:-3])
    assert planned(after, scopes=("", "a"), old_logs="archive")[0].changes == ()


def test_an_archive_that_says_something_else_is_not_written_over():
    documents = {OLD: "- b\n", f"archive/{OLD}": "- a\n", "2026-02-02.md": "- c\n", "archive/2026-02-02.md": "- c\n"}
    plan, _, after = planned(documents, old_logs="archive")
    assert plan.archived == {OLD: "archive/2026-02-01-2.md", "2026-02-02.md": "archive/2026-02-02.md"}
    assert DIALECT.describe("archive/2026-02-01-2.md").day == "2026-02-01"
    assert after.text(f"archive/{OLD}") == "- a\n"
    assert after.text("archive/2026-02-01-2.md") == "- b\n"
    assert after.text("archive/2026-02-02.md") == "- c\n"


def test_what_somebody_chose_stays_or_moves():
    documents = {OLD: "## 10:30 — x\n\n## 10:31 — y\n\n", "2026-02-02.md": "## 10:30 — z\n\n"}
    plan, _, after = planned(documents, choice=Choice(leave=frozenset({key("x"), "2026-02-02.md"})))
    assert moved(plan) == ["y"]
    assert after.text(OLD) == "## 10:30 — x\n\n"
    assert "2026-02-02.md" in after.documents
    plan, _, after = planned(documents, choice=Choice(move=frozenset({key("y")})), old_logs="archive")
    assert moved(plan) == ["y"]
    assert after.text("MEMORY.md") == "## Compacted memories\n- 2026-02-01 10:31 — y\n"
    assert after.text(f"archive/{OLD}") == documents[OLD]


def test_what_somebody_chose_passes_the_limit_only_if_they_say_so():
    documents = {"MEMORY.md": "- " + "x" * 10_300 + "\n", OLD: "## 10:30 — x\n\n"}
    chosen = frozenset({key("x")})
    plan, _, _ = planned(documents, choice=Choice(move=chosen), old_logs="archive")
    assert plan.passes > 0
    plan, _, _ = planned(documents, choice=Choice(move=chosen, past_limit=True), old_logs="archive")
    assert (moved(plan), plan.passes) == (["x"], 0)


def test_a_stopped_plan_still_knows_its_logs():
    plan, _, _ = planned({"MEMORY.md": "```\nopen\n", OLD: "## 10:30 — x\n\n"})
    assert plan.stopped
    assert plan.sources == (OLD,)


@pytest.mark.parametrize("spoiled", [b"", b"## 10:30 \xe2\x80\x94 y\n\n", None])
def test_gate_wants_an_archived_log_to_the_byte(spoiled):
    answer = gate(
        {OLD: "## 10:30 — x\n\n"}, lambda results: results.update({f"archive/{OLD}": spoiled}), old_logs="archive"
    )
    assert answer == "The archived copy of 2026-02-01.md would differ from the log."


def test_gate_lets_a_line_be_added_while_the_log_is_archived():
    memory = FakeMemory({OLD: "- x\n"})
    plan = DIALECT.compacting.compact(memory, TODAY, ("",), Settings(old_logs="archive"))
    grown = FakeMemory({OLD: "- x\n- late\n"})
    assert DIALECT.compacting.verify(plan, grown, {f"archive/{OLD}": b"- x\n", OLD: b"- late\n"}) == ""
    answer = DIALECT.compacting.verify(plan, grown, {f"archive/{OLD}": b"- x\n", OLD: None})
    assert answer == "The archived copy of 2026-02-01.md would differ from the log."
