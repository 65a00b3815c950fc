"""Tool calls and their results as plain text, as the bot makes it of messages that stay behind a compaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from math import isfinite
from typing import Any

from memory.dialects.golemcore.sessions.record import SessionMessage, ToolCall, WrittenLine
from memory.text.utf16 import truncate

_ARGUMENTS, _RESULT = 200, 2000  # units
_TINY, _LARGE = 1e-3, 1e7  # beyond these Java writes a number with an exponent


def flattened(messages: Sequence[SessionMessage], first: int = 0) -> list[WrittenLine]:
    """The messages from number `first` on: each call with its result in the text of the message that makes it."""
    kept = messages[first:]
    results = {one.call_id: one for one in kept if one.role == "tool" and one.call_id}
    told, lines = set[str](), list[WrittenLine]()
    for number, one in enumerate(kept, first):
        if one.role == "tool":
            if one.call_id not in told:
                lines.append(WrittenLine(number, f"[Tool: {one.tool or 'unknown'}]\n[Result: {_result(one)}]"))
        elif one.role == "assistant" and one.calls:
            told |= {call.id for call in one.calls if call.id in results}
            lines.append(WrittenLine(number, _calling(one, results)))
        else:
            lines.append(WrittenLine(number))
    return lines


def text_of(messages: Sequence[SessionMessage], line: WrittenLine) -> str:
    """What a line says in the end."""
    if line.text is not None:
        return line.text
    return line.told.content if line.source is None else messages[line.source].content


def arguments(call: ToolCall) -> str:
    """What a tool was called with, on one line."""
    told = ", ".join(f'"{name}": {_quoted(value)}' for name, value in call.arguments.items())
    return f"{{{told}}}"


def _calling(one: SessionMessage, results: Mapping[str, SessionMessage]) -> str:
    text = f"{one.content}\n" if one.content else ""
    for call in one.calls:
        text += f"\n[Tool: {call.name or 'null'} | Args: {truncate(arguments(call), _ARGUMENTS)}]\n"
        text += f"[Result: {_result(results[call.id]) if call.id in results else '<no response>'}]\n"
    return text.rstrip()


def _result(one: SessionMessage) -> str:
    return truncate(one.content, _RESULT) if one.content else "<empty>"


def _quoted(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else _java(value)


def _java(value: Any) -> str:
    """A value as Java prints it."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case float():
            return _double(value)
        case dict():
            return f"{{{', '.join(f'{name}={_java(one)}' for name, one in value.items())}}}"
        case list():
            return f"[{', '.join(map(_java, value))}]"
        case _:
            return str(value)


def _double(value: float) -> str:
    if not isfinite(value):
        return {"nan": "NaN", "inf": "Infinity"}.get(str(value), "-Infinity")
    if value == 0 or _TINY <= abs(value) < _LARGE:
        return repr(value)
    exact = Decimal(repr(value))
    digits = "".join(map(str, exact.as_tuple().digits)).rstrip("0")
    return f"{'-' * (value < 0)}{digits[0]}.{digits[1:] or '0'}E{exact.adjusted()}"
