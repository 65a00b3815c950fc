"""What may be wrong with a document as a whole."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wrong:
    """One thing that is wrong with a document: which of its rule's, why for people, and what stands there at which line."""

    what: str
    why: str
    text: str = ""
    line: int = 0
