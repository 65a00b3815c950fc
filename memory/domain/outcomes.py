"""How an act ends that did not do what was asked, as a value for whoever asked."""

from __future__ import annotations

from dataclasses import dataclass

from memory.domain.errors import Refusal


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was changed, and why, for people. `passes`: it was in somebody's way, and may go well the next time."""

    reason: str
    passes: bool = False


def refusal_of(error: Exception) -> Refused:
    """An error as a value. What is wrong with a file, or in its way, may be over the next time; what was asked for stays wrong."""
    return Refused(str(error), passes=not isinstance(error, Refusal | ValueError))
