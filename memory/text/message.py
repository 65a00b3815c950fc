"""What is said to a language model and in a chat: messages, whoever writes them down."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """One message. `role` is `system`, `user`, `assistant` or `tool`; `at` is its time as its file says it, "" if it says none.
    `tools`: what it calls, each with the arguments on one line; of a tool's answer, the tool."""

    role: str
    content: str
    at: str = ""
    tools: tuple[str, ...] = ()
