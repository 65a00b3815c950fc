"""The items of a file: read as the bot reads them and a little further, changed one line at a time."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import example, given, strategies as st

from memory.dialects.golemcore import DIALECT, curate, entries, items
from memory.dialects.golemcore.items import Item
from memory.domain.changes import Append, Delete, Put
from memory.domain.places import Kind
from tests.dialects.golemcore.bot import NOW, SEMANTIC, TODAY

AT = datetime(2026, 2, 20, 9, 30, tzinfo=UTC)
TEA = Item("1", "SEMANTIC", "PREFERENCE", "Tea", "Likes tea", ("drinks",), "tool:memory", 0.9, 0.5, None, AT, AT)


def line(**said) -> bytes:
    return json.dumps(items.row_of(TEA) | said, ensure_ascii=False, separators=(",", ":")).encode()


def read(raw: bytes) -> Item | None:
    found = items.line(raw, 2)
    return found.item if found.is_read else None


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ({"layer": " SEMANTIC "}, {"layer": "SEMANTIC"}),
        ({"layer": 3}, {"layer": "PROCEDURAL"}),
        ({"type": "2"}, {"type": "FAILURE"}),
        ({"confidence": "0.5"}, {"confidence": 0.5}),
        ({"confidence": ""}, {"confidence": None}),
        ({"ttlDays": 7.9}, {"ttl_days": 7}),
        ({"title": 5, "content": True}, {"title": "5", "content": "true"}),
        ({"tags": None}, {"tags": ()}),
        ({"createdAt": "2026-02-20T10:30:00+01:00"}, {"created": AT}),
        ({"createdAt": "2026-02-20T09:30:00.000000000Z"}, {"created": AT}),
        ({"createdAt": int(AT.timestamp())}, {"created": AT}),
        ({"createdAt": ""}, {"created": None}),
        ({"pinned": True}, {}),
    ],
)
def test_what_the_bot_reads_all_the_same(said, value):
    assert read(line(**said)) == replace(TEA, **value)


@pytest.mark.parametrize(
    "said",
    [
        *({"tags": "x"}, {"content": ["a"]}, {"createdAt": "2026-02-20"}, {"createdAt": "2026-02-20T09:30Z"}),
        *({"layer": "semantic"}, {"type": "OPINION"}, {"type": ""}, {"ttlDays": True}, {"confidence": "much"}),
    ],
)
def test_what_the_bot_does_not_read_says_what_is_wrong(said):
    found = items.line(line(**said))
    assert not found.is_read
    assert next(iter(said)) in found.why


def test_of_a_name_said_twice_the_last_counts_and_is_rewritten():
    raw = b'{"content":"a","id":"1","content":"b"}'
    assert read(raw).content == "b"
    assert items.with_item(items.line(raw), replace(read(raw), content="c")) == raw.replace(b'"b"', b'"c"')


def test_a_line_feed_alone_ends_a_line():
    """U+2028 in a content is read here; the bot takes it for the end of the line, and an edit escapes it."""
    raw = line(content="Tea\u2028now")
    found = items.line(raw)
    assert (found.item.content, found.is_read, found.why) == ("Tea\u2028now", False, items.BREAK)
    assert len(list(items.lines(raw + b"\n" + raw))) == 2
    after = items.with_item(found, replace(found.item, content="Tea\u2028then"))
    assert read(after).content == "Tea\u2028then"


def test_a_second_object_of_a_line_is_kept_and_named():
    raw = line() + line(content="Lost")
    found = items.line(raw)
    assert found.why == items.BEHIND
    assert items.with_item(found, replace(found.item, content="x")) == raw.replace(b"Likes tea", b"x", 1)


MIXED = b"\n".join(
    [
        line(id="1"),
        b'{"id": "2", "content": broken',
        line(id="3", type="OPINION", content="An unknown type"),
        b"",
        line(id="4", content="Unknown keys", scope="global", more={"a": [1.10, 2]}),
        line(id="5", content="Tea\u2028now"),
        line(id="6", content="", title="No content"),
    ]
)
STATUSES = [entries.READ, entries.LOST, entries.LOST, entries.READ, entries.LOST, entries.BLANK]


@pytest.mark.parametrize("data", [MIXED, MIXED + b"\n", MIXED.replace(b"\n", b"\r\n")], ids=["open", "LF", "CRLF"])
def test_golden_tree(data):
    """Unreadable lines are facts that say so; an edit and a forgotten line leave every other line's bytes."""
    facts = DIALECT.facts(SEMANTIC, data)
    assert [fact.attributes.status for fact in facts] == STATUSES
    assert [fact.text for fact in facts][1:4] == ['{"id": "2", "content": broken', "An unknown type", "Unknown keys"]
    before = data.split(b"\n")
    edited = DIALECT.edit(SEMANTIC, data, facts[3], "Other words").data.split(b"\n")
    assert edited[4] == before[4].replace(b"Unknown keys", b"Other words")
    assert [*edited[:4], *edited[5:]] == [*before[:4], *before[5:]]
    left = DIALECT.forget(SEMANTIC, data, [facts[1], facts[4]]).data.split(b"\n")
    assert left == [one for number, one in enumerate(before) if number not in (1, 5)]


def test_a_line_that_the_bot_cannot_read_is_not_reworded():
    broken = DIALECT.facts(SEMANTIC, MIXED)[1]
    with pytest.raises(ValueError, match="can’t read this line"):
        DIALECT.edit(SEMANTIC, MIXED, broken, "x")


def test_an_unknown_type_may_be_reworded_nowhere_but_its_file_edited():
    assert DIALECT.refused(SEMANTIC, MIXED, MIXED.replace(b"OPINION", b"DECISION")) == ""
    assert "Line 1" in DIALECT.refused(SEMANTIC, MIXED, MIXED.replace(b"PREFERENCE", b"LIKING", 1))


def test_a_line_of_600_kb_is_read_reworded_and_forgotten():
    long = "word " * 120_000
    data = line() + b"\n" + line(content=long) + b"\n" + line(id="3", content="Last") + b"\n"
    first, second, last = DIALECT.facts(SEMANTIC, data)
    assert second.text == long.strip()
    assert DIALECT.edit(SEMANTIC, data, last, "New").data == data.replace(b'"Last"', b'"New"')
    assert DIALECT.forget(SEMANTIC, data, [second]).data.count(b"\n") == 2
    assert first.line == 1


def test_an_item_is_added_behind_the_last_line_that_is_closed_first():
    change = DIALECT.add(SEMANTIC, line(), ["Likes rain"], NOW)
    assert isinstance(change, Append)
    assert change.data.startswith(b'\n{"id":"')
    added = read(change.data.strip())
    assert (added.layer, added.type, added.content, added.title) == (
        "SEMANTIC",
        "PROJECT_FACT",
        "Likes rain",
        "Likes rain",
    )
    assert (added.confidence, added.salience, added.source) == (0.85, 0.72, "tool:memory")
    assert added.fingerprint == items.fingerprint("PROJECT_FACT", "likes  RAIN")


def test_the_last_item_leaves_no_file():
    (fact,) = DIALECT.facts(TODAY, line())
    assert isinstance(DIALECT.forget(TODAY, line(), [fact]), Delete)


def test_what_an_item_says_besides_its_content():
    (fact,) = DIALECT.facts(SEMANTIC, line(ttlDays=2, title="A drink"))
    about = fact.attributes
    assert (about.kind, about.whose, about.importance, about.confidence) == ("PREFERENCE", "semantic", 0.5, 0.9)
    assert (about.source, about.tags, about.id) == ("tool:memory", ("drinks",), "1")
    assert (about.updated, about.expires) == ("2026-02-20T09:30:00+00:00", "2026-02-22T09:30:00+00:00")
    assert fact.heading == "A drink #drinks"


def test_a_clock_time_is_that_of_the_bots_zone():
    from memory.dialects.golemcore import GolemCore

    (fact,) = GolemCore(zone=NOW.tzinfo).facts(TODAY, line())
    assert fact.time == "10:30"


def test_the_paths_of_a_workspace():
    place = DIALECT.describe
    assert place("memory/items/episodic/2026-02-20.jsonl").day == "2026-02-20"
    assert place(SEMANTIC).has_attributes
    assert place("sessions/telegram:12:34.pb").scope == "telegram:12:34"
    assert place("sessions/web/a.json").scope == "web:a"
    assert place("preferences/memory.json").kind is Kind.TEXT
    assert place("preferences/telegram.json") is None
    assert place("memory/items/working.jsonl") is None
    assert not place(f"{SEMANTIC}.bak").editable


_SAID = st.fixed_dictionaries(
    {},
    optional={
        "content": st.none() | st.text(max_size=20),
        "title": st.text(max_size=5),
        "tags": st.lists(st.text(max_size=3), max_size=2),
        "salience": st.floats(0, 1),
        "own": st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=3),
        "type": st.sampled_from(["FIX", "OPINION", None]),
    },
)


def _made(content):
    """A line whose title and fingerprint follow its content, so that an edit exchanges three values."""
    item = replace(TEA, content=content, title=content, fingerprint=items.fingerprint(TEA.type, content))
    return items.dumps(items.row_of(item))


_LINES = st.lists(
    _SAID.map(lambda said: line(**said))
    | st.text(max_size=9).map(_made)
    | st.sampled_from([b"", b"\r", b"{", b"[]", b"\xff"]),
    max_size=6,
)


@example(lines=[_made("Likes tea"), b"{"], at=0, text="Likes tea with milk", crlf=False)
@given(lines=_LINES, at=st.integers(0, 5), text=st.text(min_size=1, max_size=20).filter(str.strip), crlf=st.booleans())
def test_any_edit_leaves_every_other_lines_bytes(lines, at, text, crlf):
    data = (b"\r\n" if crlf else b"\n").join(lines)
    facts = DIALECT.facts(SEMANTIC, data)
    if at >= len(facts):
        return
    fact, before = facts[at], data.split(b"\n")
    others = [one for number, one in enumerate(before, 1) if number != fact.line]
    try:
        change = DIALECT.edit(SEMANTIC, data, fact, text)
    except ValueError:
        pass
    else:
        after = change.data.split(b"\n")
        assert [one for number, one in enumerate(after, 1) if number != fact.line] == others
        wanted = curate.changed(curate.item_of(data, fact), content=curate.tidy(text))
        assert items.line(after[fact.line - 1], fact.line).item == wanted
    gone = DIALECT.forget(SEMANTIC, data, [fact])
    assert (gone.data.split(b"\n") if isinstance(gone, Put) else []) == (others if b"".join(others).strip() else [])


@pytest.mark.parametrize("name", ["layer", "type", "ttlDays", "createdAt"])
def test_a_number_without_end_is_told_like_any_other_wrong_value(name):
    assert name in items.line(line(**{name: "9" * 20_000})).why


LATER = {"updatedAt": "2026-02-20T09:31:00Z"}


@pytest.mark.parametrize(
    ("after", "own"),
    [
        ([line(), line(id="2", content="Has a cat", **LATER)], True),
        ([line(confidence=1.0, **LATER)], True),
        ([line(content="Likes coffee")], False),
        ([line(), line(id="2", content="Has a cat")], False),
        ([line(), line(id="2", content="Has a cat", source="manual", **LATER)], False),
        ([line(), b'{"content":"Has a cat","updatedAt":"2026-02-20T09:31:00Z"}'], False),
        ([], False),
    ],
)
@pytest.mark.parametrize("path", [SEMANTIC, f"{SEMANTIC}.bak", TODAY])
def test_lines_that_say_they_are_newer_are_the_bots(path, after, own):
    assert DIALECT.wrote(path, line() + b"\n", b"".join(one + b"\n" for one in after)) is own
