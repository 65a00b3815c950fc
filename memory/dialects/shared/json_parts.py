"""A JSON text as the object it is, and value by value, so that one is exchanged and all others keep their bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class JsonPart:
    """A member of an object by its name, or an element of an array: its value is [start, end) of the text."""

    value: Any
    start: int
    end: int
    name: str = ""


def no_constant(name: str) -> NoReturn:
    """For `parse_constant`: NaN and the infinities, which Python reads and no bot does, are no JSON. Raises ValueError."""
    raise ValueError(f"{name} is no JSON")


def object_in(text: str | bytes) -> dict[str, Any]:
    """The object that a text is; an empty one for any other text."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def parts(text: str, start: int = 0) -> Iterator[JsonPart]:
    """The parts of the object or array that begins at `start` of a text that says something, or behind blanks there."""
    at = _skipped(text, start)
    is_object = text[at] == "{"
    at = _skipped(text, at + 1)
    while text[at] not in "}]":
        name = ""
        if is_object:
            name, at = _DECODER.raw_decode(text, at)
            at = _skipped(text, _skipped(text, at) + 1)
        value, end = _DECODER.raw_decode(text, at)
        yield JsonPart(value, at, end, name)
        at = _skipped(text, end)
        at = _skipped(text, at + 1) if text[at] == "," else at


def members(text: str, start: int = 0) -> dict[str, JsonPart]:
    """The members of an object; of two of one name the last counts."""
    return {part.name: part for part in parts(text, start)}


def exchanged(text: str, instead: Mapping[str, str], start: int = 0) -> str:
    """The text in whose object the members of these names have these values, written out; one that was not there comes at the
    object's end."""
    there = members(text, start)
    end = text.index("}", max((part.end for part in there.values()), default=start))
    new = "".join(f",{json.dumps(name)}:{value}" for name, value in instead.items() if name not in there)
    text = text[:end] + (new if there else new[1:]) + text[end:]
    for part in sorted(there.values(), key=lambda one: -one.start):
        if part.name in instead:
            text = text[: part.start] + instead[part.name] + text[part.end :]
    return text


def _skipped(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at
