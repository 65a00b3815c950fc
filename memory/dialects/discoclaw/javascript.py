"""Texts as the bot's JavaScript has them: their length and their beginning in UTF-16 units, and JSON as it reads and writes it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from json import JSONDecoder
from typing import Any, NoReturn

from memory.text.markdown.tags import JS_SPACE

_HALF = re.compile("[\ud800-\udfff]")
_SPACES = re.compile(f"[{re.escape(JS_SPACE)}]+")
_GAP = re.compile("[ \t\n\r]*")


def cut(text: str, size: int) -> str:
    """The first `size` units of a text; the last character may be a half."""
    return text.encode("utf-16-le", "surrogatepass")[: 2 * size].decode("utf-16-le", "surrogatepass")


def collapsed(text: str) -> str:
    """A text with each run of white space as one space, and none at its ends."""
    return _SPACES.sub(" ", text.strip(JS_SPACE))


def _never(name: str) -> NoReturn:
    raise ValueError(name)


def _finite(digits: str) -> float:
    """JavaScript would make null of a number that it cannot hold, and lose it."""
    number = float(digits)
    return number if math.isfinite(number) else _never(digits)


_DECODER = JSONDecoder(parse_constant=_never, parse_float=_finite)


def read(text: str) -> Any:
    """The value of a text of JSON. Raises ValueError."""
    try:
        return _DECODER.decode(text)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def written(value: object) -> bytes:
    """A value as the bot writes a file of it: two spaces deep, half a character as its escape. Raises ValueError."""
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    return (_HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", text) + "\n").encode()


def member(text: str, name: str) -> tuple[int, int]:
    """Where the value of this name begins and ends in an object that `read` takes; of several the last counts. (0, 0) if there is
    none."""
    found = (0, 0)
    for key, start, end in _members(text):
        if key == name:
            found = start, end
    return found


def elements(text: str, name: str) -> Iterator[tuple[int, int]]:
    """Where each element of the array of this name begins and ends."""
    at, _end = member(text, name)
    at = _behind(text, at + 1)
    while text[at] != "]":
        _value, end = _DECODER.raw_decode(text, at)
        yield at, end
        at = _behind(text, end)
        at = _behind(text, at + 1) if text[at] == "," else at


def _members(text: str) -> Iterator[tuple[str, int, int]]:
    at = _behind(text, _behind(text, 0) + 1)
    while text[at] != "}":
        key, end = _DECODER.raw_decode(text, at)
        start = _behind(text, _behind(text, end) + 1)
        _value, end = _DECODER.raw_decode(text, start)
        yield key, start, end
        at = _behind(text, end)
        at = _behind(text, at + 1) if text[at] == "," else at


def _behind(text: str, at: int) -> int:
    """The first place from `at` on where no white space is."""
    gap = _GAP.match(text, at)
    return gap.end() if gap else at
