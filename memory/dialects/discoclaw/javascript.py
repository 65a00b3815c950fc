"""Texts as the bot's JavaScript has them: their length and their beginning in UTF-16 units, and JSON as it reads and writes it."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from memory.dialects.shared.json_parts import no_constant
from memory.text.markdown.tags import JS_SPACE

_HALF = re.compile("[\ud800-\udfff]")
_SPACES = re.compile(f"[{re.escape(JS_SPACE)}]+")


def cut(text: str, size: int) -> str:
    """The first `size` units of a text; the last character may be a half."""
    return text.encode("utf-16-le", "surrogatepass")[: 2 * size].decode("utf-16-le", "surrogatepass")


def collapsed(text: str) -> str:
    """A text with each run of white space as one space, and none at its ends."""
    return _SPACES.sub(" ", text.strip(JS_SPACE))


def _finite(digits: str) -> float:
    """JavaScript would make null of a number that it cannot hold, and lose it."""
    number = float(digits)
    return number if math.isfinite(number) else no_constant(digits)


def read(text: str) -> Any:
    """The value of a text of JSON. Raises ValueError."""
    try:
        return json.loads(text, parse_constant=no_constant, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def written(value: object) -> bytes:
    """A value as the bot writes a file of it: two spaces deep, half a character as its escape. Raises ValueError."""
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    return (_HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", text) + "\n").encode()
