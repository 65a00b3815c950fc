"""The notes of a day: written as the bot writes them, parsed without a loss, edited line by line."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.dialects.golemcore import DIALECT, notes
from memory.dialects.golemcore.notes import Note
from tests.dialects.golemcore.bot import files

PATH = "memory/2026-02-22.md"
AT = datetime(2026, 2, 22, 9, 5)


def test_a_turn_as_the_bot_notes_it():
    note = notes.noted(AT, " a\nb\r | Assistant: x ", None)
    assert note.line == "[09:05] User: a b\r | Assistant: x | Assistant: "
    long = notes.noted(AT, "u" * 201, "a" * 301)
    assert long.line == f"[09:05] User: {'u' * 197}... | Assistant: {'a' * 297}..."
    assert notes.noted(AT, "u" * 200, "").user == "u" * 200
    assert "😀" not in notes.noted(AT, "u" * 196 + "😀" * 3, "").user  # a half of it would cost the whole line


@pytest.mark.parametrize("path", [path for path in files() if path.endswith(".md") and "MEMORY" not in path])
def test_the_bots_own_notes_are_read_and_written_byte_for_byte(path):
    lines = files()[path].decode().removesuffix("\n").split("\n")
    assert [notes.parse(line).line for line in lines] == lines
    facts = DIALECT.facts(path, files()[path])
    assert [f"[{fact.time}] {fact.text}" for fact in facts] == [line.rstrip() for line in lines]


_SAID = st.text(st.sampled_from("ab| Asistn:\r😀"), max_size=30)


@given(user=_SAID, assistant=_SAID)
def test_a_note_keeps_its_text_whatever_stands_in_it(user, assistant):
    note = notes.noted(AT, user, assistant)
    found = notes.parse(note.line)
    assert found.line == note.line
    if " | Assistant: " not in note.user + note.assistant and not note.user.endswith(" | Assistant:"):
        assert found == note


def test_a_split_that_the_bot_could_not_have_made_is_not_taken():
    user = "x" * 190 + " | Assistant: y"
    assert notes.parse(f"[09:05] User: {'z' * 250} | Assistant: {user}") == Note("09:05", "z" * 250, user)
    assert notes.parse("[09:05] something else") is None


MIXED = b"\xef\xbb\xbf# Sunday\n\n- frost\n[09:00] User: a | Assistant: b\n[09:10] User: c | Assistant: d\n\nProse.\n```\nx\n"


def test_each_note_is_a_fact_whatever_people_wrote_around_it():
    facts = DIALECT.facts(PATH, MIXED)
    assert [fact.text for fact in facts[:3]] == ["frost", "User: a | Assistant: b", "User: c | Assistant: d"]
    edited = DIALECT.edit(PATH, MIXED, facts[1], "User: a | Assistant:\nb2")
    assert edited.data == MIXED.replace(b"Assistant: b", b"Assistant: b2")
    assert DIALECT.forget(PATH, MIXED, facts[:2]).data == MIXED.replace(
        b"- frost\n[09:00] User: a | Assistant: b\n", b""
    )
    added = DIALECT.add(PATH, b"[09:00] open", "Likes tea", AT)
    assert added.data == b"\n[09:05] Likes tea\n"


def test_crlf_stays():
    data = b"[09:00] User: a | Assistant: b\r\n[09:10] c\r\n"
    first, second = DIALECT.facts(PATH, data)
    assert DIALECT.edit(PATH, data, second, "d").data == data.replace(b"c\r", b"d\r")
    assert DIALECT.forget(PATH, data, [first]).data == b"[09:10] c\r\n"
