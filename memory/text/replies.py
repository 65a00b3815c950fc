"""JSON out of a language model's reply, which may stand alone, in a fence, or in the middle of prose.

What is taken: the first object or array of the wanted kind whose brackets close. A comma before a closing bracket and raw line ends
inside of texts are forgiven, because they can only mean one thing. What is not: a key said twice in one object, NaN and Infinity,
numbers too large to be held, brackets that cross, nesting deeper than any answer needs. Nothing is ever taken out of an object
that is itself broken or cut off: half of an answer is none.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from memory.text.sentences import say

DEEPEST = 64

_OPENING = re.compile(r"[{\[]")
# How an object or an array begins; braces and brackets of prose do not. At the end of the text, it may be one that is cut off.
_TEXT = r'"(?:[^"\\]|\\.)*+'
_BEGINS = re.compile(
    rf'\{{\s*+(?:\}}|{_TEXT}(?:"\s*+(?::|\Z)|\\?\Z)|\Z)|\[\s*+(?:[\[\]{{"]|-?[0-9]|true\b|false\b|null\b|\Z)', re.DOTALL
)
_PARTS = re.compile(rf'{_TEXT}(?:"|\\?\Z)|[{{}}\[\],]', re.DOTALL)
_PAIRS = {"}": "{", "]": "["}
_NOT_HOLDABLE = re.compile("[\0\ud800-\udfff]")
_WORD = r"(?:think|thinking|thought|reasoning)"
_THOUGHTS = re.compile(rf"\s*(?:<({_WORD})>.*?(?:</\1>|\Z)|\[THINK\].*?(?:\[/THINK\]|\Z))", re.DOTALL | re.IGNORECASE)
_END_OF_THOUGHTS = re.compile(rf"^[ \t]*</{_WORD}>[ \t]*$", re.MULTILINE | re.IGNORECASE)


class NoJson(ValueError):
    """There is no such JSON; the message is a sentence. `cut_off`: it began and did not end."""

    def __init__(self, sentence: str, cut_off: bool = False) -> None:
        super().__init__(sentence)
        self.cut_off = cut_off


def object_of(**properties: Any) -> dict[str, Any]:
    """The JSON Schema of an object that has each of these properties, and no other."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def read_json(text: str, wanted: type | tuple[type, ...] = dict) -> object:
    """The first JSON of the wanted kind (`dict`, `list` or both) in a reply, in time linear to it. Raises NoJson."""
    at = 0
    while opening := _OPENING.search(text, at):
        at = opening.start()
        if not _BEGINS.match(text, at):
            at += 1
            continue
        end, mended = _closed(text, at)
        found = _parsed(mended)
        if isinstance(found, wanted):
            return _held(found)
        at = end
    raise NoJson(say("The model’s reply wasn’t valid JSON."))


def _closed(text: str, start: int) -> tuple[int, str]:
    """(where what opens at `start` closes, all of it without commas before closing brackets). Raises NoJson."""
    open_, kept, comma, since = [], [], -1, start
    for part in _PARTS.finditer(text, start):
        sign = part[0]
        if sign in ("{", "["):
            open_.append(sign)
            if len(open_) > DEEPEST:
                raise NoJson(say("The language model’s JSON is nested too deeply."))
        elif sign in _PAIRS:
            if open_.pop() != _PAIRS[sign]:
                raise NoJson(say("The model’s reply wasn’t valid JSON."))
            if comma >= 0 and not text[comma + 1 : part.start()].strip():
                kept.append(text[since:comma])
                since = comma + 1
            if not open_:
                kept.append(text[since : part.end()])
                return part.end(), "".join(kept)
        comma = part.start() if sign == "," else -1
    raise NoJson(say("The model’s JSON was cut off."), cut_off=True)


def _parsed(text: str) -> object:
    """The value, None if it is no JSON."""
    try:
        return json.loads(text, strict=False, object_pairs_hook=_object, parse_constant=_refused, parse_float=_finite)
    except (ValueError, RecursionError):
        return None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Raises ValueError if a key is said twice: nobody knows which one was meant."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is said twice")
    return found


def _refused(constant: str) -> object:
    raise ValueError(constant)


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(number)
    return value


def without_unstorable(text: str) -> str:
    """A text with U+FFFD for what no file and no database can hold: NUL, and halves of surrogate pairs."""
    return _NOT_HOLDABLE.sub("\ufffd", text)


def _held(value: object) -> object:
    if isinstance(value, str):
        return without_unstorable(value)
    if isinstance(value, list):
        return [_held(one) for one in value]
    return {without_unstorable(key): _held(one) for key, one in value.items()} if isinstance(value, dict) else value


def strip_thoughts(text: str) -> str:
    """A reply without what a model thought before it, in `<think>` or after none when its prompt had opened that already; a thought
    that does not end is all there is."""
    at = 0
    while begun := _THOUGHTS.match(text, at):
        at = begun.end()
    if at:
        return text[at:].strip()
    if end := _END_OF_THOUGHTS.search(text):
        return text[end.end() :].strip()
    return text.strip()
