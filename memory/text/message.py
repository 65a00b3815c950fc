"""What is said to a language model and in a chat: messages, whoever writes them down."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """One message. `role` is `system`, `user`, `assistant` or `tool`; `at` is its time as its file says it, "" if it says none."""

    role: str
    content: str
    at: str = ""
