"""The arguments of the bot's memory tool, each read as leniently as the bot reads it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from memory.dialects.golemcore import java, layout
from memory.dialects.golemcore.items import TYPES
from memory.dialects.golemcore.layout import Layer

LAYER = "layer must be 'semantic' or 'procedural'"
_MOST = 50  # items of a layer that a query may name
_NUMBER = re.compile(r"[+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?[fFdD]?")
_HEX = re.compile(r"[+-]?0[xX][0-9a-fA-F]*+\.?[0-9a-fA-F]*+[pP][+-]?[0-9]++[fFdD]?")


class Wrong(ValueError):
    """A call that the tool refuses; the message is its answer."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of one call."""

    given: Mapping[str, object]

    def text(self, name: str) -> str | None:
        """A text without the space around it; None for a blank one and for what is none."""
        value = self.given.get(name)
        return (java.trim(value) or None) if isinstance(value, str) else None

    def number(self, name: str) -> float | None:
        """A number or a text that Java reads as one."""
        value = self.given.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            return None
        found = _java(java.trim(value)) if isinstance(value, str) else float(value)
        return found if found is not None and math.isfinite(found) else None

    def share(self, name: str) -> float | None:
        """A number from 0 to 1; one beyond is the nearest."""
        found = self.number(name)
        return None if found is None else min(max(found, 0.0), 1.0)

    def days(self, name: str) -> int | None:
        """A whole number of days, 0 at least."""
        found = self.number(name)
        return None if found is None else min(max(int(found), 0), 2**31 - 1)

    def limit(self, usual: int) -> int:
        """How many items of each layer."""
        found = self.number("limit")
        return usual if found is None else min(max(int(found), 1), _MOST)

    def texts(self, name: str) -> tuple[str, ...] | None:
        """A list of texts, those aside that are blank or none; None for what is no list."""
        value = self.given.get(name)
        if not isinstance(value, list):
            return None
        return tuple(text for one in value if isinstance(one, str) and (text := java.trim(one)))

    def type(self) -> str | None:
        """A type in capitals. Raises Wrong."""
        said = self.text("type")
        if said is not None and said.upper() not in TYPES:
            raise Wrong(f"Invalid memory type: {said}")
        return said and said.upper()

    def layer(self) -> Layer | None:
        """A layer of lasting items. Raises Wrong."""
        said = (self.text("layer") or "").lower()
        if said and said not in layout.LASTING:
            raise Wrong(LAYER)
        return next((layer for layer in layout.LASTING if layer == said), None)


def _java(text: str) -> float | None:
    try:
        if _HEX.fullmatch(text):
            return float.fromhex(text.rstrip("fFdD") if "p" in text.lower() else text)
        return float(text.rstrip("fFdD")) if _NUMBER.fullmatch(text) else None
    except (ValueError, OverflowError):
        return None
