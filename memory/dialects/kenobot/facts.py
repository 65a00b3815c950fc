"""The facts of each kind of a KenoBot's documents, and runs of a text tied to them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from memory.domain.places import Kind, Place
from memory.text.markdown.blocks import decode
from memory.text.markdown.entries import FactAt, log_facts, memory_facts
from memory.text.markdown.normal import key
from memory.text.storable import keepable

_JSON_SPACE = " \t\r\n"


def facts_of(place: Place, data: bytes) -> list[FactAt]:
    """The facts of one document, in file order."""
    if not place.holds_facts:
        return []
    text = decode(data)
    if place.kind is Kind.PATTERNS:
        return pattern_facts(text)
    return log_facts(text) if place.day else memory_facts(text)


def pattern_facts(text: str) -> list[FactAt]:
    """One fact for each item of procedural/patterns.json; none if the text is no JSON list."""
    found: list[FactAt] = []
    seen: Counter[str] = Counter()
    for item, start, end in items(text):
        if not isinstance(item, dict) or "trigger" not in item:
            continue
        said = keepable(f"{item['trigger']} → {item.get('response', '')}")
        name = key(said)
        line, last = text.count("\n", 0, start) + 1, text.count("\n", 0, end) + 1
        found.append(FactAt(line, last, start, end, "", said, name, seen[name]))
        seen[name] += 1
    return found


def items(text: str) -> Iterator[tuple[object, int, int]]:
    """Each item of a JSON list with its place [start, end); stops where the text stops being one."""
    at = _skip(text, 1 if text.startswith("\ufeff") else 0)
    if text[at : at + 1] != "[":
        return
    decoder = json.JSONDecoder()
    while True:
        start = _skip(text, at + 1)
        try:
            item, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            return
        yield item, start, end
        at = _skip(text, end)
        if text[at : at + 1] != ",":
            return


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _JSON_SPACE:
        at += 1
    return at
