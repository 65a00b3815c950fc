"""A list narrowed by kinds: what there is to choose from, and how many each choice leaves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.functional import Promise


@dataclass(frozen=True, slots=True)
class Filter:
    """One filter: what it is called, how many rows it leaves, and whether it is chosen."""

    value: str
    label: str | Promise
    number: int
    chosen: bool


def filters(found: Iterable[Filter], chosen: str, every: str, total: int = 0) -> list[Filter]:
    """Those that leave something, and the chosen one, behind one for all rows; none where there is nothing to choose."""
    shown = [one for one in found if one.number or one.chosen]
    return [Filter("", every, total, not chosen), *shown] if chosen or len(shown) > 1 else []
