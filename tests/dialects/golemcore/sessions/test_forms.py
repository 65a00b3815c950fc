"""The two forms of a session: read as the bot reads them, written so that nothing else changes."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, strategies as st

from memory.dialects.golemcore.sessions import files, json_file, proto_file, wire
from memory.dialects.golemcore.sessions.record import (
    Session,
    SessionMessage,
    ToolCall,
    Unread,
    WrittenLine,
    as_it_is,
    instant,
)
from memory.dialects.golemcore.sessions.schema import MESSAGE, SESSION
from tests.dialects.golemcore.sessions.conftest import file

AT = datetime(2026, 2, 22, 11, tzinfo=UTC)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)


def test_both_forms_of_a_chat_say_the_same(chat: str) -> None:
    one, two = file(chat, ".pb"), file(chat, ".json")

    assert files.read(*one) == files.read(*two)


def test_a_session_by_its_fields() -> None:
    session = files.read(*file("telegram_5550199", ".pb"))

    assert (session.id, session.channel, session.chat) == ("telegram:5550199", "telegram", "5550199")
    assert (session.state, session.updated) == ("ACTIVE", "2026-02-21T09:05:33.616578Z")
    assert [one.role for one in session.messages] == ["user", "assistant", "tool", "assistant", "user", "assistant"]
    asked = {"operation": "memory_search", "query": "bakery rye bread", "limit": 2}
    assert session.messages[1].calls == (ToolCall("call_40ff31", "memory", asked),)
    assert list(session.messages[1].calls[0].arguments) == list(asked)
    assert session.messages[2].tool == "memory"


def test_what_is_not_changed_stays_byte_for_byte(chat: str, ending: str) -> None:
    path, data = file(chat, ending)

    assert files.written(path, data, as_it_is(files.read(path, data))) == data


def test_a_save_changes_its_time_alone(chat: str, ending: str) -> None:
    path, data = file(chat, ending)
    session = files.read(path, data)

    after = files.written(path, data, as_it_is(session), AT)

    assert files.read(path, after).updated == "2026-02-22T11:00:00Z"
    back = files.written(path, after, as_it_is(session), datetime.fromisoformat(session.updated))
    assert back == data


def test_messages_are_dropped_and_added(chat: str, ending: str) -> None:
    path, data = file(chat, ending)
    session = files.read(path, data)
    new = SessionMessage("system", "Ünï 🎈 \u2028", instant(AT), id="n1")

    after = files.read(
        path, files.written(path, data, [WrittenLine(told=new), WrittenLine(2), WrittenLine(1, "said")], AT)
    )

    assert after.messages[0] == new
    assert after.messages[1] == session.messages[2]
    said = after.messages[2]
    assert (said.role, said.content, said.calls, said.at) == ("assistant", "said", (), session.messages[1].at)


@pytest.mark.parametrize("ending", [".pb", ".json"])
def test_a_new_session_takes_messages(ending: str) -> None:
    path = f"sessions/telegram:12{ending}"
    data = files.new(path, Session("telegram:12", "telegram", "12", created=instant(AT), updated=instant(AT)))

    assert files.read(path, data) == Session("telegram:12", "telegram", "12", (), "ACTIVE", instant(AT), instant(AT))
    told = SessionMessage("user", "hello", instant(AT), id="m1", sender="12")
    assert files.read(path, files.written(path, data, [WrittenLine(told=told)])).messages == (told,)


# JSON, as leniently as the bot


def _json(text: str) -> Session:
    return json_file.read(text.encode(), "web:a:b")


def test_what_a_file_leaves_out_its_name_tells() -> None:
    assert _json("{}") == Session("web:a:b", "web", "a:b")
    assert _json('{"id": " ", "chatId": "  ", "state": "gone", "createdAt": "soon"}') == Session(
        "web:a:b", "web", "a:b"
    )


def test_an_odd_message_is_an_empty_one() -> None:
    session = _json(
        '{"messages": [5, null, {"role": "user", "content": " ", "timestamp": "2026-02-22T12:00:00+01:00"}]}'
    )

    assert session.messages == (
        SessionMessage(),
        SessionMessage(),
        SessionMessage("user", "", "2026-02-22T12:00:00+01:00"),
    )


@pytest.mark.parametrize("text", ["", " ", "null", "{", '{"id": NaN}', "[" * 100_000])
def test_what_the_bot_skips(text: str) -> None:
    with pytest.raises(Unread, match="skips"):
        _json(text)


@pytest.mark.parametrize("text", ["[]", "5", '"x"'])
def test_what_the_bot_would_empty(text: str) -> None:
    with pytest.raises(Unread, match="deletes"):
        _json(text)


def test_of_two_members_of_one_name_the_last_counts() -> None:
    text = (
        '{ "messages": [], "x": 1,\n "messages" : [ {"role":"user" , "content":"a"}, {"role":"user","content":"b"} ] } '
    )

    assert [one.content for one in _json(text).messages] == ["a", "b"]
    after = json_file.written(text.encode(), [WrittenLine(1)], None).decode()
    assert after == text.replace(
        '[ {"role":"user" , "content":"a"}, {"role":"user","content":"b"} ]', '[{"role":"user","content":"b"}]'
    )


def test_bytes_that_are_no_utf_8_stay() -> None:
    data = b'{"messages":[{"role":"user","content":"\xff"},{"role":"user","content":"b"}],"odd":"\xfe"}'

    after = json_file.written(data, [WrittenLine(0)], None)

    assert after == b'{"messages":[{"role":"user","content":"\xff"}],"odd":"\xfe"}'


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
JSON_MESSAGES = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool"]), "content": TEXTS},
    optional={"toolCalls": JSONS, "x": JSONS},
)


@given(
    more=st.dictionaries(TEXTS.filter(lambda name: name not in ("messages", "updatedAt")), JSONS, max_size=4),
    messages=st.lists(JSON_MESSAGES | JSONS, max_size=5),
    going=st.sets(st.integers(0, 4)),
    indent=st.sampled_from([None, 2]),
)
def test_an_edit_of_json_keeps_what_it_does_not_touch(
    more: dict[str, object], messages: list[object], going: set[int], indent: int | None
) -> None:
    found = {**more, "messages": messages}
    data = json.dumps(found, indent=indent).encode()
    stays = [number for number in range(len(messages)) if number not in going]

    after = json_file.written(data, [WrittenLine(number) for number in stays], AT)

    wanted = {**found, "messages": [messages[number] for number in stays], "updatedAt": "2026-02-22T11:00:00Z"}
    assert json.loads(after) == wanted
    assert list(json.loads(after)) == [*found, "updatedAt"]


# Protobuf


@pytest.mark.parametrize("data", [b"\xff", b"\x0a\x7fxx", b"\x0a\x01\xff", b"[]", b"\x22\x03\x1a\x02a"])
def test_what_is_no_record(data: bytes) -> None:
    with pytest.raises(Unread, match="overwrites"):
        proto_file.read(data, "web:1")


def test_an_empty_record_is_named_by_its_file() -> None:
    assert files.read("sessions/web/a:b.pb", b"") == Session("web:a:b", "web", "a:b")


def test_odd_values_of_a_record() -> None:
    record = SESSION(id="x:1", state=9)
    record.created_at.seconds = 1 << 62
    record.updated_at.seconds, record.updated_at.nanos = -1, 500_000_000
    call = record.messages.add(role="assistant").tool_calls.add(name="t")
    for name, value in (("no", {}), ("null", {"null": {}}), ("yes", {"bool": True}), ("n", {"int": -(1 << 63)})):
        call.arguments.add(key=name, value=value)
    call.arguments.add(
        key="deep", value={"array": {"items": [{"object": {"fields": [{"key": "k"}]}}, {"double": 0.5}]}}
    )

    session = proto_file.read(record.SerializeToString(), "")

    assert (session.state, session.created, session.updated) == ("ACTIVE", "", "1969-12-31T23:59:59.500Z")
    wanted = {"no": None, "null": None, "yes": True, "n": -(1 << 63), "deep": [{"k": None}, 0.5]}
    assert session.messages[0].calls[0].arguments == wanted


def test_half_a_character_becomes_a_mark() -> None:
    after = proto_file.written(b"", [WrittenLine(told=SessionMessage("user", "a\ud83d"))], None)

    assert proto_file.read(after, "").messages[0].content == "a\ufffd"


# Fields that no version knows: numbers, bytes, fixed ones and a group
UNKNOWN = st.one_of(
    st.integers(0, 300).map(
        lambda value: b"\xf8\x07" + (bytes([value]) if value < 128 else bytes([value & 127 | 128, value >> 7]))
    ),
    st.binary(max_size=200).map(lambda value: wire.field(200, value)),
    st.binary(min_size=8, max_size=8).map(lambda value: b"\xc1\x0c" + value),
    st.binary(min_size=4, max_size=4).map(lambda value: b"\xc5\x0c" + value),
    st.binary(max_size=9).map(lambda value: b"\xcb\x0c" + wire.field(1, value) + b"\xcc\x0c"),
)
MESSAGES_OF = st.builds(
    lambda role, content, calls, more: (
        MESSAGE(
            role=role, content=content, tool_calls=[{"id": one} for one in calls], sender_id="s"
        ).SerializeToString()
        + b"".join(more)
    ),
    TEXTS,
    TEXTS,
    st.lists(TEXTS, max_size=2),
    st.lists(UNKNOWN, max_size=2),
)
# A session's fields in any order, as some other writer may have put them
RECORDS = st.lists(
    UNKNOWN
    | MESSAGES_OF.map(lambda value: wire.field(4, value))
    | TEXTS.map(lambda value: wire.field(1, value.encode()))
    | st.just(b"\x30\x02"),
    max_size=8,
).map(b"".join)


@given(RECORDS | st.lists(MESSAGES_OF.map(lambda value: wire.field(4, value)), min_size=2).map(b"\x30\x02".join))
def test_a_record_survives_read_and_write_byte_for_byte(data: bytes) -> None:
    session = proto_file.read(data, "x:1")

    assert proto_file.written(data, as_it_is(session), None) == data
    assert b"".join(data[one.start : one.end] for one in wire.fields(data)) == data


@given(RECORDS, st.data())
def test_an_edit_of_a_record_keeps_unknown_fields(data: bytes, choose: st.DataObject) -> None:
    had = proto_file.read(data, "x:1").messages
    lines = [
        WrittenLine(number, choose.draw(st.none() | TEXTS)) for number in range(len(had)) if choose.draw(st.booleans())
    ]

    after = proto_file.written(data, lines, AT)

    assert [_others(one) for one in wire.values(after, 4)] == [
        _others(wire.values(data, 4)[line.source or 0], is_text=line.text is not None) for line in lines
    ] or lines == as_it_is(proto_file.read(data, "x:1"))
    outside = [data[one.start : one.end] for one in wire.fields(data) if one.number not in (4, 8)]
    assert [after[one.start : one.end] for one in wire.fields(after) if one.number not in (4, 8)] == outside
    said = [one.content for one in proto_file.read(after, "x:1").messages]
    assert said == [
        (line.text if line.text.strip() else "") if line.text is not None else had[line.source or 0].content
        for line in lines
    ]


def _others(message: bytes, *, is_text: bool = False) -> list[bytes]:
    """The fields of a message that no flattening touches."""
    return [message[one.start : one.end] for one in wire.fields(message) if one.number not in (2, 3, 7, 8, 9)]
