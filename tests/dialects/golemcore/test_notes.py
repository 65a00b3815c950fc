"""The notes of a day: written as the bot writes them, parsed without a loss, edited line by line."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given, strategies as st

from memory.dialects.golemcore import DIALECT, notes
from tests.dialects.golemcore.bot import files

PATH = "memory/2026-02-22.md"
AT = datetime(2026, 2, 22, 9, 5)


def test_a_turn_as_the_bot_notes_it():
    assert notes.noted(AT, " a\nb\r | Assistant: x ", None) == "[09:05] User: a b\r | Assistant: x | Assistant: "
    long = notes.noted(AT, "u" * 201, "a" * 301)
    assert long == f"[09:05] User: {'u' * 197}... | Assistant: {'a' * 297}..."
    assert notes.noted(AT, "u" * 200, "") == f"[09:05] User: {'u' * 200} | Assistant: "
    assert "😀" not in notes.noted(AT, "u" * 196 + "😀" * 3, "")  # a half of it would cost the whole line


@pytest.mark.parametrize("path", [path for path in files() if path.endswith(".md") and "MEMORY" not in path])
def test_the_bots_own_notes_are_read_to_the_letter(path):
    lines = files()[path].decode().removesuffix("\n").split("\n")
    facts = DIALECT.facts(path, files()[path])
    assert [f"[{fact.time}] {fact.text}" for fact in facts] == [line.rstrip() for line in lines]


_SAID = st.text(st.sampled_from("ab| Asistn:[]0\r\n\u2028😀"), max_size=30)


@given(turns=st.lists(st.tuples(_SAID, _SAID | st.just(" | Assistant: ")), max_size=3))
def test_a_note_keeps_its_text_whatever_stands_in_it(turns):
    lines = [notes.noted(AT, user, assistant) for user, assistant in turns]
    facts = DIALECT.facts(PATH, "".join(f"{line}\n" for line in lines).encode())
    assert [f"[{fact.time}] {fact.text}" for fact in facts] == [line.rstrip() for line in lines]


MIXED = b"\xef\xbb\xbf# Sunday\n\n- frost\n[09:00] User: a | Assistant: b\n[09:10] User: c | Assistant: d\n\nProse.\n```\nx\n"


def test_each_note_is_a_fact_whatever_people_wrote_around_it():
    facts = DIALECT.facts(PATH, MIXED)
    assert [fact.text for fact in facts[:3]] == ["frost", "User: a | Assistant: b", "User: c | Assistant: d"]
    edited = DIALECT.edit(PATH, MIXED, facts[1], "User: a | Assistant:\nb2")
    assert edited.data == MIXED.replace(b"Assistant: b", b"Assistant: b2")
    assert DIALECT.forget(PATH, MIXED, facts[:2]).data == MIXED.replace(
        b"- frost\n[09:00] User: a | Assistant: b\n", b""
    )
    added = DIALECT.add(PATH, b"[09:00] open", ["Likes tea"], AT)
    assert added.data == b"\n[09:05] Likes tea\n"


def test_crlf_stays():
    data = b"[09:00] User: a | Assistant: b\r\n[09:10] c\r\n"
    first, second = DIALECT.facts(PATH, data)
    assert DIALECT.edit(PATH, data, second, "d").data == data.replace(b"c\r", b"d\r")
    assert DIALECT.forget(PATH, data, [first]).data == b"[09:10] c\r\n"


@pytest.mark.parametrize(
    ("before", "after", "own"),
    [
        (MIXED, MIXED + b"[09:20] User: e | Assistant: \n", True),
        (b"", b"[09:20] User: e | Assistant: f\n[09:21] User: g | Assistant: h\n", True),
        (MIXED, MIXED + b"[09:20] by hand\n", False),
        (MIXED, MIXED + b"[09:20] User: e | Assistant: f", False),
        (MIXED, MIXED.replace(b"c | A", b"C | A"), False),
    ],
)
def test_notes_of_turns_at_the_end_are_the_bots(before, after, own):
    assert DIALECT.wrote(PATH, before, after) is own
    assert not DIALECT.wrote("memory/MEMORY.md", before, after)
    assert DIALECT.wrote("sessions/telegram:1.pb", before, after)
