"""Calls of tools told as text, so that a model without those tools can read on.

The form is GolemCore's, to the letter: the answer that called, and for each call its name, its arguments and what came back.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memory.text.message import Message
from memory.text.utf16 import shown

ARGUMENTS, RESULT = 200, 2000  # characters of each that are told

_NOTHING = "<empty>"
_NO_RESPONSE = "<no response>"


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool. `id` is what its result names it by."""

    id: str
    name: str
    arguments: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step(Message):
    """A message of a session with tools: an answer that makes `calls`, or (role `tool`) the result of the call `call_id`."""

    calls: tuple[Call, ...] = ()
    call_id: str = ""
    tool: str = ""  # the tool's name, on a result


def flatten(steps: Sequence[Step]) -> list[Message]:
    """The same session in plain messages. Steps without tools stay as they are; a result whose call is not among them speaks for
    itself."""
    results = {step.call_id: step for step in reversed(steps) if step.role == "tool"}
    called = {call.id for step in steps for call in step.calls}
    told: list[Message] = []
    for step in steps:
        if step.calls:
            told.append(Message("assistant", _with_calls(step, results), step.at))
        elif step.role != "tool":
            told.append(Message(step.role, step.content, step.at))
        elif step.call_id not in called or results[step.call_id] is not step:
            told.append(Message("assistant", f"[Tool: {step.tool or 'unknown'}]\n{_result(step)}", step.at))
    return told


def _with_calls(step: Step, results: Mapping[str, Step]) -> str:
    said = step.content + "\n" if step.content.strip() else ""
    calls = (
        f"\n[Tool: {call.name} | Args: {_arguments(call)}]\n{_result(results.get(call.id))}\n" for call in step.calls
    )
    return (said + "".join(calls)).rstrip()


def _arguments(call: Call) -> str:
    return shown(json.dumps(dict(call.arguments), ensure_ascii=False, default=str), ARGUMENTS)


def _result(step: Step | None) -> str:
    if step is None:
        return f"[Result: {_NO_RESPONSE}]"
    return f"[Result: {shown(step.content, RESULT) if step.content.strip() else _NOTHING}]"
