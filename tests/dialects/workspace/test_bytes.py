"""Compaction over the odd forms that were measured: each fact is somewhere, and no other line of any note is lost or changed."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings, strategies as st

from memory.dialects.workspace import DIALECT
from memory.domain.changes import Append, Delete, Put
from memory.domain.plan import Fate
from memory.text.markdown.entries import log_facts, memory_facts
from tests.dialects.memories import FakeMemory, results_of
from tests.support.amounts import times

TODAY = "2026-03-20"
NAMES = (
    *("memory/2026-01-03.md", "memory/2026-01-03-night.md", "memory/20260104.md", "memory/2026/01/05.md"),
    *("memory/daily/2026-01-06.md", "memory/garden_2026-01-07.md", "2026.01.08.md", "logs/2026-01/09.md"),
)
ENDS = st.sampled_from(["\n", "\r\n", "\n\n", " \n", "  \r\n"])
LINES = st.sampled_from(
    [
        *(
            "# 2026-01-03",
            "## 08:40 — Heater",
            "## Heater (~08:40)",
            "### 8:40 AM Pump",
            "## [09:12] Frost",
            "##NoSpace",
        ),
        *(
            "- 07:55 frost on the south beds",
            "* hail",
            "+ sleet",
            "1. one",
            "10) ten",
            "• dot",
            "- [ ] open",
            "- [x] done",
        ),
        *(
            "[09:12] thawed",
            "[2026-01-03 09:12] thawed again",
            "prose about a slow day",
            "冬の朝、霜。",
            "- 短い",
            "🌱",
        ),
        *(
            "```",
            "~~~",
            "```js",
            "    - deep",
            "\t- tabbed",
            "  nested text",
            "| a | b |",
            "| - | - |",
            "---",
            "***",
            "",
        ),
        *("<!-- hidden -->", "<div>html</div>", "user: hello", "assistant: hi", "# Session: 2026-01-03 21:10 UTC"),
        *(
            "- **Session Key**: agent:main",
            "- the same",
            "- the same",
            "\\# escaped",
            "text\u2028apart",
            "\ufeff- mark",
            "\x0c",
        ),
    ]
)
TEXTS = st.tuples(
    st.sampled_from(["", "\ufeff", "---\nname: x\n---\n"]), st.lists(st.tuples(LINES, ENDS), max_size=14), st.booleans()
)


def text_of(parts):
    head, lines, ends = parts
    text = head + "".join(line + end for line, end in lines)
    return text if ends else text.rstrip("\r\n")


@settings(max_examples=times(10, 60), deadline=None)
@given(st.dictionaries(st.sampled_from(NAMES), TEXTS.map(text_of), min_size=1), TEXTS.map(text_of), st.booleans())
def test_no_fact_and_no_other_line_is_lost(notes, memory_text, keep_logs):
    documents = notes | {"MEMORY.md": memory_text}
    before = FakeMemory(documents)
    family = DIALECT.seen(list(documents))
    plan = family.compacting.compact(
        before, TODAY, ("",), family.settings({"keep_logs": keep_logs, "old_logs": "move"})
    )
    if plan.stopped:
        assert not plan.changes
        return
    assert family.compacting.verify(plan, before, results_of(plan.changes)) == ""
    after = before.after(plan.changes)
    duplicates = {one.key for one in plan.decisions if one.fate is Fate.DUPLICATE}
    left = {fact.key for path in after.documents for fact in _facts(path, after.documents[path].decode())}
    for path, text in documents.items():
        for fact in _facts(path, text):
            assert fact.key in left or fact.key in duplicates, fact.text
    for path, text in notes.items():
        _check_rest(plan, path, text, after.documents.get(path))
    was, now = memory_text, after.documents["MEMORY.md"].decode()
    assert not Counter(was.split("\n")[:-1]) - Counter(now.split("\n")), "a line of MEMORY.md is gone"


def _facts(path, text):
    return memory_facts(text) if path == "MEMORY.md" else log_facts(text)


def _check_rest(plan, path, text, data):
    """What stands in no moved fact is there still, or the whole file is only its date and white space and went."""
    going = [
        (one.line, one.end_line)
        for one in plan.decisions
        if one.path == path and one.fate in (Fate.MOVE, Fate.DUPLICATE)
    ]
    rest = [
        line.strip().strip("\ufeff").strip()
        for number, line in enumerate(text.split("\n"), start=1)
        if not any(first <= number <= last for first, last in going)
    ]
    kept = "" if data is None else data.decode()
    missing = Counter(line for line in rest if line) - Counter(
        line.strip().strip("\ufeff").strip() for line in kept.split("\n")
    )
    if data is None:
        assert all(line.lstrip("#").strip() in ("", *_dates(path)) for line in missing), missing
    else:
        assert all(line.startswith("#") for line in missing), missing


def _dates(path):
    return ("2026-01-03", "2026-01-04", "2026-01-05", "2026-01-06", "2026-01-07", "2026-01-08", "2026-01-09", path)


@settings(max_examples=times(8, 40), deadline=None)
@given(st.dictionaries(st.sampled_from(NAMES), TEXTS.map(text_of), min_size=1), TEXTS.map(text_of))
def test_notes_that_no_plan_names_stay_byte_for_byte(notes, memory_text):
    documents = notes | {"MEMORY.md": memory_text}
    before = FakeMemory(documents)
    family = DIALECT.seen(list(documents))
    plan = family.compacting.compact(before, TODAY, ("",), family.settings({}))
    changed = {change.path for change in plan.changes}
    assert all(isinstance(change, Put | Delete | Append) for change in plan.changes)
    after = before.after(plan.changes)
    for path in documents.keys() - changed:
        assert after.documents[path] == documents[path].encode()


@settings(max_examples=times(8, 40), deadline=None)
@given(st.dictionaries(st.sampled_from(NAMES), TEXTS.map(text_of), min_size=1), TEXTS.map(text_of))
def test_archived_notes_are_what_they_were_byte_for_byte(notes, memory_text):
    documents = notes | {"MEMORY.md": memory_text}
    before = FakeMemory(documents)
    family = DIALECT.seen(list(documents))
    plan = family.compacting.compact(before, TODAY, ("",), family.settings({}))
    assert family.compacting.verify(plan, before, results_of(plan.changes)) == ""
    after = before.after(plan.changes)
    for path in documents:
        assert after.documents[plan.archived.get(path, path)] == documents[path].encode()
    assert len(after.documents) == len(documents)
