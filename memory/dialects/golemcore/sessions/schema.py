"""The protobuf messages of GolemCore's sessions, by the numbers of their fields.

A map is spelt as the repeated entries that it is on the wire: read so, its order stays the bot's."""

from __future__ import annotations

from typing import Any

from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass

PACKAGE = "golemcore.sessions.v1"
_TEXT, _BYTES, _LONG, _INT, _ENUM, _BOOL, _DOUBLE = (
    FieldDescriptorProto.TYPE_STRING,
    FieldDescriptorProto.TYPE_BYTES,
    FieldDescriptorProto.TYPE_INT64,
    FieldDescriptorProto.TYPE_INT32,
    FieldDescriptorProto.TYPE_INT32,  # on the wire an enum is a number, also one that nobody knows
    FieldDescriptorProto.TYPE_BOOL,
    FieldDescriptorProto.TYPE_DOUBLE,
)
_Type = int | str  # a number of protobuf's own, or the name of a message; with "*" before it there are many
KIND = "kind"  # of a value: which one of its fields is set
_MESSAGES: dict[str, dict[int, tuple[str, _Type]]] = {
    "Session": {
        1: ("id", _TEXT),
        2: ("channel_type", _TEXT),
        3: ("chat_id", _TEXT),
        4: ("messages", "*Message"),
        5: ("metadata", "*Entry"),
        6: ("state", _ENUM),
        7: ("created_at", "Timestamp"),
        8: ("updated_at", "Timestamp"),
    },
    "Message": {
        1: ("id", _TEXT),
        2: ("role", _TEXT),
        3: ("content", _TEXT),
        4: ("channel_type", _TEXT),
        5: ("chat_id", _TEXT),
        6: ("sender_id", _TEXT),
        7: ("tool_calls", "*ToolCall"),
        8: ("tool_call_id", _TEXT),
        9: ("tool_name", _TEXT),
        10: ("metadata", "*Entry"),
        11: ("timestamp", "Timestamp"),
        12: ("voice_data", _BYTES),
        13: ("voice_transcription", _TEXT),
        14: ("audio_format", _ENUM),
    },
    "ToolCall": {1: ("id", _TEXT), 2: ("name", _TEXT), 3: ("arguments", "*Entry")},
    "Entry": {1: ("key", _TEXT), 2: ("value", "Value")},
    "Value": {
        1: ("bool", _BOOL),
        2: ("int", _LONG),
        3: ("double", _DOUBLE),
        4: ("string", _TEXT),
        5: ("object", "Object"),
        6: ("array", "Array"),
        7: ("null", "Null"),
    },
    "Object": {1: ("fields", "*Entry")},
    "Array": {1: ("items", "*Value")},
    "Null": {},
    "Timestamp": {1: ("seconds", _LONG), 2: ("nanos", _INT)},
}
# Where the fields stand that a change touches.
MESSAGES, UPDATED = 4, 8
ROLE, CONTENT, CALLS, CALL_ID, TOOL = 2, 3, 7, 8, 9


def _message(name: str, fields: dict[int, tuple[str, _Type]]) -> DescriptorProto:
    made = DescriptorProto(name=name)
    if name == "Value":
        made.oneof_decl.add(name=KIND)
    for number, (label, kind) in fields.items():
        made.field.append(_field(number, label, kind, is_kind=name == "Value"))
    return made


def _field(number: int, label: str, kind: _Type, *, is_kind: bool) -> FieldDescriptorProto:
    made = FieldDescriptorProto(name=label, number=number)
    is_many = isinstance(kind, str) and kind.startswith("*")
    made.label = FieldDescriptorProto.LABEL_REPEATED if is_many else FieldDescriptorProto.LABEL_OPTIONAL
    if isinstance(kind, str):
        made.type, made.type_name = FieldDescriptorProto.TYPE_MESSAGE, f".{PACKAGE}.{kind.removeprefix('*')}"
    else:
        made.type = FieldDescriptorProto.Type.ValueType(kind)
    if is_kind:
        made.oneof_index = 0
    return made


def _pool() -> DescriptorPool:
    pool = DescriptorPool()
    file = FileDescriptorProto(name="golemcore/session.proto", package=PACKAGE, syntax="proto3")
    file.message_type.extend(_message(name, fields) for name, fields in _MESSAGES.items())
    pool.AddSerializedFile(file.SerializeToString())
    return pool


_POOL = _pool()


def _class(name: str) -> Any:
    return GetMessageClass(_POOL.FindMessageTypeByName(f"{PACKAGE}.{name}"))


SESSION, MESSAGE, TIMESTAMP = _class("Session"), _class("Message"), _class("Timestamp")
