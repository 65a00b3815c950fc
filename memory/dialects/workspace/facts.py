"""The facts of each kind of a workspace's documents."""

from __future__ import annotations

from memory.dialects.workspace import history
from memory.domain.places import Kind, Place
from memory.text.markdown.blocks import decode
from memory.text.markdown.entries import FactAt, log_facts, memory_facts


def facts_of(path: str, place: Place, data: bytes) -> list[FactAt]:
    """The facts of one document, in file order."""
    if not place.holds_facts:
        return []
    text = decode(data)
    if place.kind is Kind.HISTORY:
        return history.line_facts(text) if is_lines(path) else history.stamped_facts(text)
    return log_facts(text) if place.day else memory_facts(text)


def is_lines(path: str) -> bool:
    """Whether a history has one JSON object a line."""
    return path.lower().endswith(".jsonl")
