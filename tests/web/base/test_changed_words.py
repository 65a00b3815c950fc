"""The words that changed: as one line they hold both versions, whatever the versions are."""

from __future__ import annotations

from hypothesis import given, strategies as st

from memory.dialects.kenobot import DIALECT
from memory.web.base.changed_words import LONGEST, changed

lines = st.lists(st.text("ab cö-#\t🙂", max_size=40), max_size=5).map(lambda some: "\n".join(some).encode())


@given(lines, lines)
def test_any_two_versions_can_be_told(before, after):
    told = changed(DIALECT, "MEMORY.md", before, after)
    if before == after:
        assert told is None
    for piece in told.pieces if told else ():
        assert piece.text
        assert len(piece.text) <= LONGEST


def test_a_reworded_line_holds_both_versions():
    told = changed(DIALECT, "MEMORY.md", b"- Wheels on Wednesdays, said Ana\n", b"- Wheels on Thursdays, said Ana\n")
    assert [(piece.kind, piece.text) for piece in told.pieces] == [
        ("", "Wheels on "),
        ("del", "Wednesdays"),
        ("ins", "Thursdays"),
        ("", ", said Ana"),
    ]
    assert told.more == 0


def test_how_a_line_ends_is_no_change_of_its_words():
    def told(before, after):
        found = changed(DIALECT, "MEMORY.md", before, after)
        return [(piece.kind, piece.text) for piece in found.pieces], found.more

    assert told(b"- One", b"- One\n- Two") == ([("ins", "Two")], 0)
    assert told(b"- One\r\n- Two", b"- One\n- Two, too\n") == ([("", "Two"), ("ins", ", too")], 0)
    nothing = [("", "Only line endings or invisible bytes")], 0
    for before, after in ((b"- One", b"- One\n"), (b"- One\r\n", b"- One\n"), (b"- One\n", b"\xef\xbb\xbf- One\n")):
        assert told(before, after) == nothing


def test_markdown_is_not_said_unless_it_is_what_changed():
    def told(before, after):
        return "".join(f"[{one.kind} {one.text}]" for one in changed(DIALECT, "MEMORY.md", before, after).pieces)

    assert told(b"", b"- **Shop**: ![pic [js](a.png)](b) by `Ana`\n") == "[ins Shop: pic js by Ana]"
    assert told(b"- **Opens** at 9\n", b"- **Opens** at 10, see [map](https://a.example)\n").startswith("[ Opens at ]")
    assert told(b"- Opens at 9\n", b"- **Opens** at 9\n") == "[ins **][ Opens][ins **][  at 9]"


def test_a_long_line_shows_what_changed():
    long = b"- " + b"word " * 100
    told = changed(DIALECT, "MEMORY.md", long + b"old " + b"more " * 100, long + b"new " + b"more " * 100)
    assert [piece.kind for piece in told.pieces] == ["", "del", "ins", ""]
    assert all(len(piece.text) < 80 for piece in told.pieces)


def test_no_secret_is_said():
    told = changed(DIALECT, "MEMORY.md", b"- Key: sk-abcdefghijklmnopqrstuvwxyz0123\n", b"- Key: [removed]\n")
    assert "sk-a" in "".join(piece.text for piece in told.pieces)
    assert "fghijk" not in "".join(piece.text for piece in told.pieces)
