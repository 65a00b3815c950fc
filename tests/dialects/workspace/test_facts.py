"""Facts of a workspace's documents, and what people may do to one of them."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, strategies as st

from memory.dialects.workspace import curate, history, layout
from memory.dialects.workspace.facts import facts_of
from memory.domain.changes import Append, Delete, Put, digest
from memory.text.markdown.blocks import encode

NOW = datetime(2026, 1, 31, 10, 17, tzinfo=UTC)
HISTORY = """# What happened

[2026-01-30 09:05] Asked about the greenhouse.
The heater is set to 6 degrees.

[2026-01-30 21:40] [RAW] 2 messages
```
[2026-01-30 21:39] user: still awake?
```

[2026-01-31] Planned the market.
"""
LINES = (
    '{"cursor": 1, "timestamp": "2026-01-30 09:05", "content": "Asked about the greenhouse."}\n'
    "not json\n"
    '{"cursor": 2, "timestamp": "2026-01-30 21:40", "content": "Still awake.\\nTea.", "session_key": "cli:direct"}\n'
    '{"cursor": "3", "timestamp": "2026-01-31 08:00", "content": "No number."}\n'
    '{"cursor": 4, "content": "No stamp."}\n'
)
JSONL = "memory/history.jsonl"


def facts(path, text):
    return facts_of(path, layout.describe(path), text.encode("utf-8", "surrogateescape"))


def test_history_has_a_fact_for_each_stamp():
    found = facts("memory/HISTORY.md", HISTORY)
    assert [(fact.line, fact.time) for fact in found] == [(3, "09:05"), (6, "21:40"), (11, "")]
    assert found[0].text == "[2026-01-30 09:05] Asked about the greenhouse.\nThe heater is set to 6 degrees."
    assert "still awake?" in found[1].text


def test_history_without_stamps_reads_like_a_memory():
    assert [fact.text for fact in facts("HISTORY.md", "# History\n- one\n\ntwo\n")] == ["one", "two"]


def test_history_in_lines_has_a_fact_for_each_object():
    found = facts(JSONL, LINES)
    assert [(fact.line, fact.time, fact.text) for fact in found] == [
        (1, "09:05", "[2026-01-30 09:05] Asked about the greenhouse."),
        (3, "21:40", "[2026-01-30 21:40] Still awake.\nTea."),
        (5, "", "No stamp."),
    ]
    assert LINES[found[1].start : found[1].end] == LINES.split("\n")[2]


def test_other_documents():
    log = "# 2026-01-31\n\n## Greenhouse\nfrost at night\n\n- loose\n"
    assert [fact.text for fact in facts("memory/2026-01-31-frost.md", log)] == ["Greenhouse\nfrost at night\n\n- loose"]
    for path in ("MEMORY.md", "SOUL.md", "memory/people/ana.md"):
        assert [fact.text for fact in facts(path, "# T\n- one\n  - nested\n\ntwo\n")] == ["one\n- nested", "two"]
    assert facts("sessions/a.jsonl", LINES) == []


@given(st.text(st.sampled_from('ab[]2026-01 :\n\r`{}"\\#'), max_size=200))
def test_no_history_breaks_its_reader(text):
    for path in ("HISTORY.md", JSONL):
        ends = 0
        for fact in facts(path, text):
            assert ends <= fact.start < fact.end <= len(text)
            ends = fact.end


def test_jsonl_that_no_text_can_hold_is_marked():
    (found,) = facts(JSONL, '{"cursor": 1, "content": "half \\ud83d and \\u0000"}')
    assert found.text == "half \ufffd and \ufffd"


TODAY = "memory/2026-01-31.md"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "# 2026-01-31\n\n## 10:17 — Likes tea\n"),
        ("# 2026-01-31\n\n## Greenhouse\nfrost\n", "# 2026-01-31\n\n## Greenhouse\nfrost\n\n## 10:17 — Likes tea\n"),
        ("# 2026-01-31\n\n- frost\n", "# 2026-01-31\n\n- frost\n- Likes tea\n"),
        ("- 08:10 frost\n", "- 08:10 frost\n- 10:17 Likes tea\n"),
        ("* frost", "* frost\n- Likes tea"),
    ],
)
def test_an_entry_of_today_takes_the_form_of_the_others(before, after):
    change = curate.add(TODAY, before and before.encode(), ["Likes tea"], NOW)
    made = (before or "").encode() + change.data if isinstance(change, Append) else change.data
    assert made.decode() == after
    assert facts(TODAY, after)[-1].text.endswith("Likes tea")


def test_a_fact_is_added_to_any_other_note():
    change = curate.add("memory/people/ana.md", b"# Ana\n\n- tea\n", ["no sugar"], NOW)
    assert change.data == b"# Ana\n\n- tea\n- no sugar\n"


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("memory/2026-01-30.md", "Facts can only be added to today’s log, so that dates stay true."),
        ("memory/HISTORY.md", "own record"),
        (JSONL, "own record"),
        ("sessions/a.jsonl", "own record"),
        ("memory/main.sqlite", "This is another tool’s index. It is listed but not opened."),
        ("memory/state.json", "This file isn’t a note. It is listed but not opened."),
        ("skills/a.md", "This text isn’t split into facts. Open the file to edit it."),
        ("skills/a.bin", "This bot has no file with that name."),
    ],
)
def test_what_takes_no_entry_says_why(path, why):
    with pytest.raises(ValueError, match=why):
        curate.add(path, b"", ["Likes tea"], NOW)


def test_an_entry_of_a_history_is_reworded_and_keeps_its_stamp():
    first = facts("HISTORY.md", HISTORY)[0]
    made = curate.edit("HISTORY.md", HISTORY.encode(), first, "[2026-01-30 09:05] Asked about frost.")
    assert made.data.decode() == HISTORY.replace(
        "Asked about the greenhouse.\nThe heater is set to 6 degrees.", "Asked about frost."
    )
    with pytest.raises(ValueError, match="The text wouldn’t stay one fact here"):
        curate.edit("HISTORY.md", HISTORY.encode(), first, "Asked about frost.")


@pytest.mark.parametrize("typed", ["[2026-01-30 21:40] Asleep.", "Asleep."])
def test_a_line_of_a_history_is_reworded_and_keeps_what_else_it_holds(typed):
    made = curate.edit(JSONL, LINES.encode(), facts(JSONL, LINES)[1], typed)
    was, now = LINES.split("\n"), made.data.decode().split("\n")
    assert [*was[:2], *was[3:]] == [*now[:2], *now[3:]]
    assert json.loads(now[2]) == json.loads(was[2]) | {"content": "Asleep."}


def test_a_line_of_a_history_keeps_when_it_happened():
    with pytest.raises(ValueError, match="stays"):
        curate.edit(JSONL, LINES.encode(), facts(JSONL, LINES)[1], "[2026-01-31 10:00] Asleep.")


def test_a_line_that_the_bot_cannot_read_is_no_entry():
    assert [fact.line for fact in facts(JSONL, "\ufeff" + LINES)] == [3, 5]


def test_an_older_line_of_a_history_goes_and_the_newest_stays():
    first, _, last = facts(JSONL, LINES)
    assert curate.forget(JSONL, LINES.encode(), [first]).data.decode() == LINES.split("\n", 1)[1]
    with pytest.raises(ValueError, match=r"newest entry \(cursor 4\) must stay"):
        curate.forget(JSONL, LINES.encode(), [last])


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda text: text.replace('"cursor": 2', '"cursor": 7'), "The entry with cursor 7 is new or has moved."),
        (lambda text: text + '{"cursor": 5, "content": "new"}\n', "The entry with cursor 5 is new or has moved."),
        (lambda text: text + '{"cursor": 4, "content": "twice"}\n', "The entry with cursor 4 is new or has moved."),
        (lambda text: "\n".join(reversed(text.split("\n"))), "The entry with cursor 2 is new or has moved."),
        (lambda text: text.replace("Asked", 'As"ked'), "Line 1 must be a JSON object"),
        (lambda text: text.replace("No stamp.", ""), "Line 5 must be a JSON object"),
        (lambda text: "\ufeff" + text, "Line 1 must be a JSON object"),
        (lambda text: text.replace("greenhouse", "green\udce9house"), "Line 1 must be a JSON object"),
        (lambda text: "", "The newest entry (cursor 4) must stay."),
    ],
)
def test_an_edit_that_would_invalidate_a_cursor_is_refused(change, why):
    assert why in curate.refused(JSONL, LINES.encode(), encode(change(LINES)))


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text,
        lambda text: text.replace("greenhouse", "frost"),
        lambda text: text.replace("not json\n", ""),
        lambda text: "\n".join(text.split("\n")[2:]),
        lambda text: text.replace("\n", "\r\n"),
    ],
)
def test_an_edit_that_keeps_the_cursors_is_not(change):
    assert curate.refused(JSONL, LINES.encode(), change(LINES).encode()) == ""
    assert curate.refused("MEMORY.md", LINES.encode(), b"") == ""


@given(st.lists(st.integers(0, 30), max_size=8), st.lists(st.integers(0, 30), max_size=8))
def test_cursors_that_stand_afterwards_stood_there_before_in_that_order_or_came_back_between_them(before, after):
    def data(cursors):
        return "".join(json.dumps({"cursor": cursor, "content": "x"}) + "\n" for cursor in cursors).encode()

    if history.cursor_problem(data(before), data(after)) == "":
        kept, back = iter(before), iter(after)
        came_back = all(cursor in back for cursor in before) and after == sorted(set(after))
        assert all(cursor in kept for cursor in after) or came_back
        assert max(before, default=None) == max(after, default=None)


def test_notes_of_a_day_that_have_nothing_left_go():
    data = "# 2026-01-31\n\n## 10:17 — Likes tea\n"
    assert isinstance(curate.forget(TODAY, data.encode(), facts(TODAY, data)), Delete)
    topic = "# Ana\n\n- tea\n"
    path = "memory/people/ana.md"
    assert curate.forget(path, topic.encode(), facts(path, topic)) == Put(path, b"# Ana\n\n", digest(topic.encode()))
