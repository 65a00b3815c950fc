"""How an act ends that did not do what was asked, as a value for whoever asked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was changed, and why, for people. `passes`: it was in somebody's way, and may go well the next time."""

    reason: str
    passes: bool = False
