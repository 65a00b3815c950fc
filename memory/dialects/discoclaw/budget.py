"""Lines that are read as long as there is room for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.text.utf16 import count_units


@dataclass(frozen=True, slots=True)
class BudgetLine:
    """A fact or an exchange as the bot reads it; `at`: which of its file it is."""

    at: int
    text: str


def selected(lines: Sequence[BudgetLine], budget: int, *, skips: bool = False) -> list[BudgetLine]:
    """Those that fit, with a line break between any two: the first that does not ends them, or (`skips`) is left out alone."""
    chosen: list[BudgetLine] = []
    used = 0
    for line in lines:
        size = count_units(line.text) + bool(chosen)
        if used + size > budget:
            if skips:
                continue
            break
        chosen.append(line)
        used += size
    return chosen
