"""The language model: any server that speaks OpenAI's `/chat/completions`. Nothing of it is imported before it is asked.

question.py   one question: tries, pauses between them, the deadline over all of it
request.py    one request: what is sent, what is read of what comes back
budget.py     the same for a bot: the bound of its day; usage.py: what was spent
shapes.py     Server, Reply, Fault
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings

from memory.llm.shapes import NO_MODEL, NOTHING, PASSING, Fault, ModelFailed, Reply, Server, question_tokens
from memory.text.message import Message

__all__ = [
    "NOTHING",
    "NO_MODEL",
    "PASSING",
    "Fault",
    "ModelFailed",
    "Reply",
    "Server",
    "ask",
    "question_tokens",
    "server",
]


def server() -> Server | None:
    """The language model of the environment; None if none is set up."""
    if not (settings.LLM_BASE_URL and settings.LLM_MODEL):
        return None
    return Server(settings.LLM_BASE_URL, settings.LLM_API_KEY, settings.LLM_MODEL, settings.LLM_TIMEOUT)


def ask(
    where: Server,
    messages: Sequence[Message],
    *,
    schema: dict[str, Any] | None = None,
    most: int = 2000,
    seconds: float | None = None,
) -> Reply:
    """The model's answer. `schema`: JSON Schema of an object that it should answer with, where the server can hold it to that;
    `most` tokens; `seconds` in place of the server's timeout. Raises ModelFailed."""
    from memory.llm import question  # and with it an HTTP client

    return question.ask(where, messages, schema, most, where.timeout if seconds is None else seconds)
