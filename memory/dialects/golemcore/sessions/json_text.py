"""A JSON text value by value, so that one is exchanged and all others stay as they are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from memory.text.utf16 import well_formed

_BLANK = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True)
class JsonPart:
    """A member of an object by its name, or an element of an array: its value is [start, end) of the text."""

    value: Any
    start: int
    end: int
    name: str = ""


def loads(text: str) -> Any:
    """What a text says. Raises ValueError, also for what Java does not take: NaN, an infinity."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def dumps(value: Any) -> str:
    """A value on one line, as Java writes it."""
    return well_formed(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def parts(text: str, start: int = 0) -> Iterator[JsonPart]:
    """The parts of the object or array that begins at `start` of a text that says something, or behind blanks there."""
    at = _skipped(text, start)
    is_object = text[at] == "{"
    at = _skipped(text, at + 1)
    while text[at] not in "}]":
        name = ""
        if is_object:
            name, at = _read(text, at)
            at = _skipped(text, _skipped(text, at) + 1)
        value, end = _read(text, at)
        yield JsonPart(value, at, end, name)
        at = _skipped(text, end)
        at = _skipped(text, at + 1) if text[at] == "," else at


def members(text: str) -> dict[str, JsonPart]:
    """The members of an object; of two of one name the last counts."""
    return {part.name: part for part in parts(text)}


def exchanged(text: str, instead: Mapping[str, str]) -> str:
    """The object whose members of these names have these values, written out; one that was not there comes at the end."""
    there = members(text)
    for name, value in sorted(instead.items(), key=lambda one: -_start(there, one[0])):
        if name in there:
            text = text[: there[name].start] + value + text[there[name].end :]
    new = "".join(f",{dumps(name)}:{value}" for name, value in instead.items() if name not in there)
    end = text.rindex("}")
    return text[:end] + (new if there else new[1:]) + text[end:]


def _start(there: Mapping[str, JsonPart], name: str) -> int:
    return there[name].start if name in there else -1


def _read(text: str, at: int) -> tuple[Any, int]:
    return _DECODER.raw_decode(text, at)


def _skipped(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)
