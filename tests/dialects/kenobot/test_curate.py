"""One fact of each kind of a KenoBot's documents added, reworded and forgotten."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, strategies as st

from memory.dialects.kenobot import DIALECT
from memory.domain.changes import Append, Delete, Put, digest

NOW = datetime(2026, 2, 7, 10, 30, tzinfo=UTC)
TODAY = "chats/a/2026-02-07.md"
LOG = "# 2026-02-07\n\n## 09:00 — One\n\n## 09:30 — Two\n\n"
PATTERNS = '[\n  {"trigger": "a", "response": 1},\n  7,\n  {"trigger": "b"}\n]\n'


def fact(path, data, number):
    return DIALECT.facts(path, data)[number]


@pytest.mark.parametrize(
    ("before", "added"),
    [
        (None, "## 10:30 — Likes tea\n\n"),
        (b"", "## 10:30 — Likes tea\n\n"),
        (LOG.encode(), "## 10:30 — Likes tea\n\n"),
        (b"- no line end", "\n\n## 10:30 — Likes tea\n\n"),
        (b"```\nnever closed\n", "## 10:30 — Likes tea\n\n"),
    ],
)
def test_entry_is_added_to_the_day_as_the_bot_writes_it(before, added):
    change = DIALECT.add(TODAY, before, [" Likes tea\r\n"], NOW)
    assert change == Append(TODAY, added.encode())
    assert before is None or not before.endswith(b"\n") or DIALECT.wrote(TODAY, before, before + change.data)


@given(st.text(st.sampled_from("ab #-`~\\<!>\n|:1"), min_size=1, max_size=60).filter(str.strip))
def test_entry_reads_back_as_it_was_typed(text):
    change = DIALECT.add(TODAY, LOG.encode(), [text], NOW)
    read = DIALECT.facts(TODAY, LOG.encode() + change.data)
    assert (read[-1].time, read[-1].text) == ("10:30", text.strip())
    assert len(read) == 3


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("2026-02-06.md", "Facts can only be added to today’s log, so that dates stay true."),
        ("working/a.md", "replaces as a whole"),
        ("chats/a/context.md", "replaces as a whole"),
        ("@sessions/a.jsonl", "own record"),
        ("procedural/patterns.json", "Patterns pair a trigger with a response."),
        ("notes.txt", "This bot has no file with that name."),
    ],
)
def test_document_that_takes_no_entry_says_why(path, why):
    with pytest.raises(ValueError, match=why):
        DIALECT.add(path, None, ["x"], NOW)


@pytest.mark.parametrize("text", ["", "  \n", "nul \0", "half \ud800"])
@pytest.mark.parametrize("path", [TODAY, "MEMORY.md"])
def test_text_that_is_none_is_not_added(path, text):
    with pytest.raises(ValueError, match=r"\.$"):
        DIALECT.add(path, b"", [text], NOW)


def test_fact_is_added_to_long_term_memory_as_a_list_item():
    assert DIALECT.add("MEMORY.md", None, ["Likes tea"], NOW) == Put("MEMORY.md", b"- Likes tea\n", None)
    data = b"\xef\xbb\xbf# Caf\xe9\r\n- a"
    assert DIALECT.add("MEMORY.md", data, ["b"], NOW) == Put("MEMORY.md", data + b"\r\n- b", digest(data))


def test_fact_is_reworded_where_other_bytes_are_no_text():
    data = b"\xef\xbb\xbf- caf\xe9\r\n- b"
    change = DIALECT.edit("MEMORY.md", data, fact("MEMORY.md", data, 1), "c")
    assert change == Put("MEMORY.md", b"\xef\xbb\xbf- caf\xe9\r\n- c", digest(data))


def test_entry_is_forgotten_and_what_is_left_stays():
    data = LOG.encode()
    change = DIALECT.forget(TODAY, data, [fact(TODAY, data, 0)])
    assert change == Put(TODAY, b"# 2026-02-07\n\n## 09:30 \xe2\x80\x94 Two\n\n", digest(data))


def test_log_with_nothing_left_goes():
    data = LOG.encode()
    assert DIALECT.forget(TODAY, data, DIALECT.facts(TODAY, data)) == Delete(TODAY, digest(data))


def test_log_with_a_title_of_its_own_stays():
    data = b"# Trip to Oaxaca\n\n- packed\n"
    assert DIALECT.forget(TODAY, data, DIALECT.facts(TODAY, data)) == Put(TODAY, b"# Trip to Oaxaca\n\n", digest(data))


def test_long_term_memory_stays_when_its_last_fact_goes():
    assert DIALECT.forget("MEMORY.md", b"- a\n", DIALECT.facts("MEMORY.md", b"- a\n")) == Put(
        "MEMORY.md", b"", digest(b"- a\n")
    )


@pytest.mark.parametrize(
    ("numbers", "left"),
    [
        ([0], '[\n  7,\n  {"trigger": "b"}\n]\n'),
        ([1], '[\n  {"trigger": "a", "response": 1},\n  7\n]\n'),
        ([0, 1], "[\n  7\n]\n"),
    ],
)
def test_pattern_is_cut_out_of_its_list(numbers, left):
    path, data = "procedural/patterns.json", PATTERNS.encode()
    facts = [fact(path, data, number) for number in numbers]
    assert DIALECT.forget(path, data, facts) == Put(path, left.encode(), digest(data))
    json.loads(left)


def test_only_pattern_leaves_an_empty_list():
    path, data = "procedural/patterns.json", b'[ {"trigger": "a"} ]'
    assert DIALECT.forget(path, data, DIALECT.facts(path, data)).data == b"[  ]"


def test_pattern_of_a_broken_list_is_not_cut_out():
    path, data = "procedural/patterns.json", b'[{"trigger": "a"}, {"trigger": "b"'
    with pytest.raises(ValueError, match=r"Removing this would change the text next to it\. Edit the whole file\."):
        DIALECT.forget(path, data, DIALECT.facts(path, data))


def test_pattern_is_reworded_in_its_document():
    path, data = "procedural/patterns.json", PATTERNS.encode()
    with pytest.raises(ValueError, match=r"Edit them in the file\."):
        DIALECT.edit(path, data, fact(path, data, 0), "new")
