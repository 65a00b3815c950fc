"""What a language model may answer about numbered facts.

A model never writes a document. It says for each fact, by its number, that it is kept, goes into the archive, is merged with
others into one line, or is superseded by a newer one. `judge.py` believes none of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from memory.text.sentences import say

MOST = 2000  # operations of one answer

_FACTS = {"type": "array", "items": {"type": "integer"}}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["operations"],
    "properties": {
        "operations": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["action", "facts", "text", "newer"],
                "properties": {
                    "action": {"type": "string", "enum": ["keep", "merge", "supersede", "archive"]},
                    "facts": _FACTS,
                    "text": {"type": "string"},
                    "newer": {"type": "integer"},
                },
            },
        }
    },
}


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact as it was numbered. `day` (YYYY-MM-DD) and `time` (HH:MM) are "" where nothing says them; `lasting`: it stands in
    long-term memory."""

    text: str
    day: str = ""
    time: str = ""
    lasting: bool = False


@dataclass(frozen=True, slots=True)
class _OfOne:
    fact: int

    @property
    def facts(self) -> tuple[int, ...]:
        return (self.fact,)


@dataclass(frozen=True, slots=True)
class Keep(_OfOne):
    """The fact as it is, in long-term memory."""


@dataclass(frozen=True, slots=True)
class Archive(_OfOne):
    """The fact as it is, where the bot does not read it."""


@dataclass(frozen=True, slots=True)
class Supersede(_OfOne):
    """The fact goes, because a newer one says otherwise."""

    newer: int


@dataclass(frozen=True, slots=True)
class Merge:
    """Facts become one line."""

    facts: tuple[int, ...]
    text: str


Operation = Keep | Archive | Supersede | Merge


def parse(value: object) -> tuple[Operation, ...]:
    """The operations of an answer that was read as JSON; what names several facts to keep, archive or supersede is one operation
    for each. Raises ValueError with a sentence."""
    operations = value.get("operations") if isinstance(value, dict) else None
    if not isinstance(operations, list):
        raise ValueError(say("The answer isn’t an object with a list of operations."))
    found = tuple(islice((one for number, item in enumerate(operations, 1) for one in _parsed(number, item)), MOST + 1))
    if len(found) > MOST:
        raise ValueError(say("The answer has more than %(limit)s operations.", limit=MOST))
    return found


def _parsed(number: int, item: object) -> Iterator[Operation]:
    if not isinstance(item, dict):
        raise ValueError(say("Operation %(number)s isn’t an object.", number=number))
    facts = tuple(dict.fromkeys(_numbers(number, item.get("facts"))))
    match item.get("action"):
        case "keep":
            yield from map(Keep, facts)
        case "archive":
            yield from map(Archive, facts)
        case "supersede":
            newer = _number(number, item.get("newer"))
            yield from (Supersede(fact, newer) for fact in facts)
        case "merge":
            text = item.get("text")
            if not isinstance(text, str):
                raise ValueError(say("Operation %(number)s merges facts but has no valid text.", number=number))
            yield Merge(facts, text.strip())
        case _:
            raise ValueError(
                say(
                    "Operation %(number)s has an unknown action. Use keep, merge, supersede or archive.",
                    number=number,
                )
            )


def _numbers(number: int, value: object) -> list[int]:
    if not isinstance(value, list) or not value:
        raise ValueError(say("Operation %(number)s lists no facts.", number=number))
    if len(value) > MOST:
        raise ValueError(say("Operation %(number)s lists more than %(limit)s facts.", number=number, limit=MOST))
    return [_number(number, one) for one in value]


def _number(number: int, value: object) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(say("Operation %(number)s refers to a fact without a valid number.", number=number))
    return value
