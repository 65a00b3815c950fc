"""The bytes of a protobuf message field by field, so that one is exchanged and all others stay as they are.

Only what the protobuf package has parsed comes here: the bytes are known to be whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

BYTES = 2  # the wire type of texts, bytes and messages
_VARINT, _EIGHT, _GROUP, _GROUP_END, _FOUR = 0, 1, 3, 4, 5


@dataclass(frozen=True, slots=True)
class Field:
    """One field: [start, end) with its key, its value from `value` on."""

    number: int
    type: int
    start: int
    value: int
    end: int


def fields(data: bytes) -> list[Field]:
    """The fields in the order of the bytes, known and unknown."""
    found, at = [], 0
    while at < len(data):
        found.append(_field(data, at))
        at = found[-1].end
    return found


def values(data: bytes, number: int) -> list[bytes]:
    """What the fields of that number hold, where they hold bytes."""
    return [data[one.value : one.end] for one in fields(data) if (one.number, one.type) == (number, BYTES)]


def exchanged(data: bytes, number: int, instead: Sequence[bytes]) -> bytes:
    """The message whose field of that number has these values: where the first of them was, or before the next higher one."""
    there = fields(data)
    going = [one for one in there if (one.number, one.type) == (number, BYTES)]
    cut = going[0].start if going else next((one.start for one in there if one.number > number), len(data))
    rest = b"".join(data[one.start : one.end] for one in there if one.start >= cut and one not in going)
    return data[:cut] + b"".join(field(number, value) for value in instead) + rest


def field(number: int, value: bytes) -> bytes:
    """A field that holds bytes."""
    return _varint(number << 3 | BYTES) + _varint(len(value)) + value


def _field(data: bytes, start: int) -> Field:
    key, at = _read(data, start)
    number, kind = key >> 3, key & 7
    if kind == _GROUP:
        return Field(number, kind, start, at, _group_end(data, at))
    if kind == BYTES:
        size, at = _read(data, at)
        return Field(number, kind, start, at, at + size)
    end = at + {_EIGHT: 8, _FOUR: 4, _GROUP_END: 0}.get(kind, 0) if kind != _VARINT else _read(data, at)[1]
    return Field(number, kind, start, at, end)


def _group_end(data: bytes, at: int) -> int:
    while True:
        one = _field(data, at)
        at = one.end
        if one.type == _GROUP_END:
            return at


def _read(data: bytes, at: int) -> tuple[int, int]:
    """A varint and where it ends."""
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return number, at


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])
