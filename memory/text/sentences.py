"""Sentences for people, from where no reader is known: English text that knows its message id, so that a door can say it in the
reader's language. What users wrote stands in the parameters, and no translation touches it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Self

MARK = "\x1e"  # before what `dumps` wrote as JSON
Value = str | int


class Say(str):
    """The English text with its parameters filled in. Cut, joined or formatted it is a plain text; see `join_sentences`.

    `many` is the message id of more than one, counted by the parameter `count`; "" where nothing is counted."""

    __slots__ = ("many", "msgid", "parameters")
    msgid: str
    many: str
    parameters: Mapping[str, Value]

    def __new__(cls, msgid: str, parameters: Mapping[str, Value], many: str = "") -> Self:
        wording = many if many and parameters["count"] != 1 else msgid
        self = super().__new__(cls, wording % parameters if parameters else wording)
        self.msgid, self.many, self.parameters = msgid, many, parameters
        return self

    def __str__(self) -> Self:
        """So that `str` of an error keeps what it was raised with."""
        return self

    def __getnewargs__(self) -> tuple[str, Mapping[str, Value], str]:  # type: ignore[override]
        return self.msgid, self.parameters, self.many


def say(msgid: str, /, **parameters: Value) -> str:
    """A sentence. `make messages` collects its message id, which has a %(name)s for each parameter."""
    return Say(msgid, parameters)


def say_number(one: str, many: str, /, **parameters: Value) -> str:
    """A sentence in which `count` things are counted."""
    return Say(one, parameters, many)


def join_sentences(*parts: str, by: str = " ") -> str:
    """Several sentences after each other, those aside that are empty."""
    texts = {f"part{number}": part for number, part in enumerate(filter(None, parts))}
    return Say(by.replace("%", "%%").join(f"%({name})s" for name in texts), texts) if texts else ""


def dumps(text: str) -> str:
    """A text as rows and files keep it: one that nobody has to translate as it is."""
    return MARK + json.dumps(_plain(text)) if isinstance(text, Say) or text.startswith(MARK) else text


def loads(kept: str) -> str:
    """What `dumps` was given."""
    return _read(json.loads(kept.removeprefix(MARK))) if kept.startswith(MARK) else kept


def _plain(value: Value) -> Any:
    if not isinstance(value, Say):
        return value
    return [value.msgid, value.many, {name: _plain(one) for name, one in value.parameters.items()}]


def _read(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    msgid, many, parameters = value
    return Say(msgid, {name: _read(one) for name, one in parameters.items()}, many)
