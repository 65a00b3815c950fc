"""How accepting what a job proposes ends."""

from __future__ import annotations

from dataclasses import dataclass

from memory.domain.outcomes import Refused
from memory.models import ChangeSet


@dataclass(frozen=True, slots=True)
class Accepted:
    """What was accepted is in the files. `change_set` None: they said so already. `refused`: (number, why, for people) of each
    proposal that was not accepted because its facts are others now; they are open as before."""

    change_set: ChangeSet | None
    applied: tuple[int, ...]
    refused: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class NotAccepted(Refused):
    """Nothing was changed. `refused` as in Accepted."""

    refused: tuple[tuple[int, str], ...] = ()
