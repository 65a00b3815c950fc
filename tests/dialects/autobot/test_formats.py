"""The formats to the letter: over files that the bot's own code wrote, and over any bytes."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from memory.dialects.autobot import DIALECT, config, history, layout, sessions
from memory.dialects.autobot.crystal import dumps, loads
from memory.dialects.autobot.sessions import SessionMessage
from memory.domain.changes import digest
from memory.domain.places import Kind

DATA = Path(__file__).parent / "data"
WORKSPACE = DATA / "workspace"
SESSIONS = sorted((WORKSPACE / "sessions").glob("*.jsonl"))
NOW = datetime(2026, 11, 20, 9, 5, 14, tzinfo=UTC)
PATH = "sessions/telegram_1.jsonl"
GOOD = b'{"role":"user","content":"hi","timestamp":"2026-02-19T18:04:00Z"}\n'
_TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
_MESSAGES = st.builds(SessionMessage, _TEXTS, _TEXTS, _TEXTS, st.none() | st.lists(_TEXTS, max_size=3).map(tuple))
_ENTRIES = st.text(st.sampled_from("ab .\n\t]:-0\u3000\u0085"), min_size=1, max_size=30).filter(str.strip)


# Transcripts


@pytest.mark.parametrize("file", SESSIONS, ids=lambda file: file.stem)
def test_what_the_bot_wrote_is_read_and_written_as_it_stands(file):
    session = sessions.parse(file.read_bytes())
    assert not session.damaged
    assert session.lines[0].is_metadata
    assert session.data == file.read_bytes()
    assert [sessions.said(line.message) for line in session.messages] == [line.raw for line in session.messages]
    saved = sessions.without_first(
        session, 0, datetime.fromisoformat(loads(session.lines[0].raw.decode())["updated_at"])
    )
    assert saved == file.read_bytes()


@given(data=st.binary(max_size=200))
def test_lines_joined_are_the_file_whatever_it_holds(data):
    assert sessions.parse(data).data == data
    assert sessions.joined(b"", sessions.parse(GOOD + data), NOW) == GOOD + data


@given(told=st.lists(_MESSAGES, max_size=6), count=st.integers(0, 6))
def test_messages_survive_being_written_taken_away_and_put_back(told, count):
    data = sessions.metadata(NOW) + b"".join(map(sessions.said, told))
    session = sessions.parse(data)
    assert [line.message for line in session.messages] == told
    left = sessions.without_first(session, count, NOW)
    assert [line.message for line in sessions.parse(left).messages] == told[count:]
    taken = b"".join(line.raw for line in session.messages[:count])
    assert sessions.joined(taken, sessions.parse(left), NOW) == data


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"role":"user","content":"cut', sessions.NO_JSON),
        ("[1]", sessions.NO_OBJECT),
        ("7", sessions.NO_OBJECT),
        ('{"role":"user","content":"no time"}', "it has no text “timestamp”"),
        ('{"role":"user","content":null,"timestamp":"x"}', "it has no text “content”"),
        ('{"role":"user","content":"half \\ud83c","timestamp":"x"}', sessions.NO_JSON),
        ('{"role":"user","content":"a","timestamp":"x","tools_used":"exec"}', sessions.NO_TOOLS),
        ('{"_type":"metadata","created_at":"2026-01-01T00:00:00"}', sessions.NO_DATE),
        ('{"_type":"metadata","created_at":"2026-02-30T00:00:00Z"}', sessions.NO_DATE),
        ('{"_type":"metadata","metadata":null}', sessions.NO_METADATA),
        ('\ufeff{"role":"user","content":"a","timestamp":"x"}', sessions.NO_JSON),
        ('{"role":"user","content":"a","timestamp":"x","n":NaN}', sessions.NO_JSON),
        ('{"role":"user","content":"a","timestamp":"x","n":9223372036854775808}', sessions.NO_JSON),
    ],
)
def test_line_for_which_the_bot_loads_nothing_is_named_and_kept(line, why):
    data = sessions.metadata(NOW) + line.encode() + b"\n" + GOOD
    session = sessions.parse(data)
    assert [(one.number, str(one.why)) for one in session.damaged] == [(2, str(why))]
    assert line.encode() in sessions.without_first(session, 1, NOW)
    assert line.encode() in sessions.joined(GOOD, session, NOW)
    assert "Line 2" in DIALECT.refused(PATH, GOOD, data)
    assert DIALECT.refused(PATH, data, data + GOOD) == ""


@pytest.mark.parametrize(
    "line",
    [
        '{"role":"user","content":"a","timestamp":"","more":{"n":1}}',
        '\u3000{"role":"tool","content":"","timestamp":"yesterday"}\u00a0',
        '{"content":"first","content":"last wins","role":"user","timestamp":"x"}',
        '{"role":"user","content":"\\ud83c\\udf38 \\\\ud83c","timestamp":"x"}',
        '{"_type":"metadata","created_at":"2026-01-01 10:00:00.5+02:00","metadata":{"a":1},"more":2}',
        "",
        " \r",
    ],
)
def test_what_the_bot_takes_is_not_damaged(line):
    assert not sessions.parse(line.encode() + b"\n").damaged


def test_unknown_keys_odd_bytes_and_blank_lines_stay_when_others_go():
    odd = b'{"role":"user","content":"\xff","timestamp":"x","more":1}\r\n'
    session = sessions.parse(sessions.metadata(NOW) + GOOD + b"\n" + odd)
    assert sessions.without_first(session, 1, NOW) == sessions.metadata(NOW) + b"\n" + odd
    assert session.messages[1].message.content == "\udcff"


def test_control_characters_are_written_as_crystal_does():
    assert dumps("\b\f\n\r\t\x01\x7f\u2028é") == '"\\b\\f\\n\\r\\t\\u0001\\u007f\u2028é"'


# Names


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("telegram:12345", "telegram_12345"),
        ("telegram:Zoë", "telegram_Zoë"),
        ("x:猫٣", "x_猫٣"),
        ("x:🙋a", "x__a"),
        ("x:e\u0301", "x_e_"),
        ("whatsapp:15550134@s.whatsapp.net", "whatsapp_15550134_s.whatsapp.net"),
        ("a:b/c d", "a_b_c_d"),
    ],
)
def test_file_of_a_chat_is_named_by_its_key(key, name):
    assert layout.name_of(key) == name
    channel, _, chat = key.partition(":")
    assert DIALECT.session("", channel, chat) == name
    assert layout.name_of(name) == name


@given(scope=st.text(st.sampled_from("ab_.-é猫\n"), min_size=1, max_size=12).filter(lambda text: text[0] != "."))
def test_block_that_waits_is_of_its_chat(scope):
    place = layout.describe(layout.block_of(scope, "20260219T180400Z"))
    assert (place.kind, place.scope, place.keeps_history) == (Kind.ARCHIVE, scope, True)


# The history


def test_entries_of_the_bots_history():
    data = (WORKSPACE / layout.HISTORY).read_bytes()
    facts = history.facts(data)
    text = data.decode()
    assert len(facts) == 27
    assert [fact.text[:20] for fact in facts if not fact.time] == ['{"time":"2026-10-16 ']
    assert sum(fact.text.startswith("2026-10-12 13:35:") for fact in facts) == 1
    assert sum("\n\n" in fact.text for fact in facts) == 2
    assert text[: facts[0].start] + "".join(text[fact.start : fact.end] for fact in facts) == text
    assert facts[6].attributes.updated == "2026-10-03T18:55:00+00:00"


@given(said=st.lists(_ENTRIES, max_size=5))
def test_stamped_entries_come_back_one_by_one_and_one_may_go(said):
    wanted = [f"[2026-01-0{number} 10:00] {text}" for number, text in enumerate(said, 1)]
    data = b""
    for entry in wanted:
        data += history.appended(data, entry)
    stripped = [entry.rstrip(" \t\n\u3000") for entry in wanted]
    assert [fact.text for fact in history.facts(data)] == stripped
    for fact in history.facts(data):
        left = DIALECT.forget(layout.HISTORY, data, [fact])
        assert [one.text for one in history.facts(left.data)] == [text for text in stripped if text != fact.text]


@given(data=st.binary(max_size=120))
def test_history_of_any_bytes_is_covered_by_its_entries(data):
    text = data.decode("utf-8", "surrogateescape")
    spans = [(fact.start, fact.end) for fact in history.facts(data)]
    assert spans == sorted(spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    outside = "".join(
        text[a:b]
        for a, b in zip([0, *(end for _, end in spans)], [*(start for start, _ in spans), len(text)], strict=True)
    )
    assert not outside.strip(" \t\n\v\f\r\u00a0\u3000\u2028\u2029")


@pytest.mark.parametrize(
    ("before", "entry", "added"),
    [
        (b"", "a \u3000\u00a0\n", b"a\n\n"),
        (b"a\n\n", "b\u200b", "b\u200b\n\n".encode()),
        (b"by hand", "b", b"\n\nb\n\n"),
        (b"by hand\n", "b", b"\nb\n\n"),
        (b"a\n\n", " \n", b"\n\n"),
    ],
)
def test_entry_is_added_as_the_bot_adds_it_but_never_glued(before, entry, added):
    assert history.appended(before, entry) == added


def test_file_without_stamps_is_parted_by_blank_lines():
    assert [fact.text for fact in history.facts(b"one\nmore\n\ntwo\n")] == ["one\nmore", "two"]


def test_entry_is_reworded_added_and_forgotten_by_itself():
    data = (WORKSPACE / layout.HISTORY).read_bytes()
    first = history.facts(data)[0]
    put = DIALECT.edit(layout.HISTORY, data, first, "[2026-10-03 09:50] Lamps.")
    assert put.data == data.replace(first.text.encode(), b"[2026-10-03 09:50] Lamps.")
    assert put.base == digest(data)
    with pytest.raises(ValueError, match="one fact"):
        DIALECT.edit(layout.HISTORY, data, first, "a\n[2026-10-03 09:51] b")
    new = DIALECT.add(layout.HISTORY, data, ["By hand."], NOW)
    assert new.data == b"[2026-11-20 09:05] By hand.\n\n"
    with pytest.raises(ValueError, match="one fact"):
        DIALECT.add(layout.HISTORY, data, ["a\n\n[2026-10-03] b"], NOW)


# Configuration


def test_window_of_the_bots_own_configuration():
    found = config.values((DATA / "config.yml").read_text())
    assert found["agents.defaults.memory_window"] == "70"
    assert config.configured(found).values == {"memory_window": 70}


@pytest.mark.parametrize(
    ("value", "window", "wrong"),
    [
        ("0", 0, ""),
        ("-3", -3, ""),
        ('"20" # few', 20, ""),
        ("${WINDOW}", None, config.WINDOW),
        ("2147483648", None, config.WINDOW),
    ],
)
def test_window_as_it_may_be_written(value, window, wrong):
    found = config.configured(config.values(f"agents:\n  other: 1\n  defaults:\n    memory_window: {value}\n  x: 2\n"))
    assert (found.values.get("memory_window"), found.wrong) == (window, wrong)


@given(text=st.text(max_size=80))
def test_no_configuration_breaks_its_reader(text):
    config.configured(config.values(text))


@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 63) - 1) | _TEXTS,
        lambda one: st.lists(one) | st.dictionaries(_TEXTS, one),
        max_leaves=6,
    )
)
def test_json_is_read_back(value):
    assert loads(dumps(value)) == value == json.loads(dumps(value))


SAVED = b'{"_type":"metadata","updated_at":"2026-10-03T09:50:00Z"}\n{"role":"user","content":"hi"}\n'


@pytest.mark.parametrize(
    ("path", "before", "after", "own"),
    [
        (layout.HISTORY, b"a\n\n", b"a\n\n[2026-10-03 09:50] Lamps.\n\n", True),
        (layout.HISTORY, b"a\n\n", b"a\n\nby hand\n", False),
        (layout.HISTORY, b"a\n\nb\n\n", b"an edit\n\nb\n\n", False),
        ("sessions/telegram_1.jsonl", b"", SAVED, True),
        ("sessions/telegram_1.jsonl", SAVED, SAVED.replace(b":50:", b":51:"), True),
        ("sessions/telegram_1.jsonl", SAVED, SAVED.replace(b"hi", b"edited"), False),
        ("memory/MEMORY.md", b"", b"a\n\n", False),
    ],
)
def test_what_only_the_bot_writes_is_its_own_but_for_an_edit_in_the_middle(path, before, after, own):
    assert DIALECT.wrote(path, before, after) is own
