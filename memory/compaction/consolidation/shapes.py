"""What the doors get back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a run would ask. `tokens`: what the model would read, by estimate; `unread`: (path, why) of logs left as they are;
    `stopped`: why a run would fail before it asks anything."""

    facts: int
    lasting: int
    groups: int
    tokens: int
    unread: tuple[tuple[str, str], ...] = ()
    stopped: str = ""
