"""Blanks and JSON as Crystal has them, in which Autobot is written."""

from __future__ import annotations

import json
import re
from typing import Any

from memory.dialects.shared.json_parts import no_constant

# What Crystal trims: not U+0085, U+200B or a byte order mark.
BLANKS = " \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_LONGEST = 64  # bits of a number


def loads(text: str) -> Any:
    """What a JSON text says. Raises ValueError for what Crystal does not take either: half a character as an escape, NaN, an
    integer beyond 64 bits."""
    if _has_half(text):
        raise ValueError("half a character")
    try:
        return json.loads(text, parse_constant=no_constant, parse_int=_integer)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def dumps(value: Any) -> str:
    """A value as Crystal writes it: compact, unescaped but for control characters and U+007F."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("\x7f", "\\u007f")


def _has_half(text: str) -> bool:
    high = False
    end = 0
    for found in _ESCAPE.finditer(text) if "\\u" in text else ():
        number = int(found[1], 16) if found[1] else 0
        is_low = 0xDC00 <= number <= 0xDFFF
        if high != (is_low and (not high or found.start() == end)):
            return True
        high, end = 0xD800 <= number <= 0xDBFF, found.end()
    return high


def _integer(digits: str) -> int:
    number = int(digits) if len(digits) < _LONGEST else 1 << _LONGEST
    if not -(1 << 63) <= number < 1 << 63:
        raise ValueError("beyond 64 bits")
    return number
