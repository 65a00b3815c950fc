"""What the doors get back."""

from __future__ import annotations

from dataclasses import dataclass

from memory.domain.outcomes import Refused
from memory.models import ChangeSet


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


@dataclass(frozen=True, slots=True)
class Done:
    """What was accepted is in the files. `change_set` None: they said so already. `refused`: (number, why, for people) of each
    proposal that was not accepted because its facts are others now; they are open as before."""

    change_set: ChangeSet | None
    applied: tuple[int, ...]
    refused: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class NotAccepted(Refused):
    """Nothing was changed. `refused` as in Done."""

    refused: tuple[tuple[int, str], ...] = ()
