"""The facts of each kind of a KenoBot's documents, and runs of a text tied to them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from memory.dialects.base import Kind, Place, PromptLine
from memory.text.blocks import decode
from memory.text.entries import FactAt, log_facts, memory_facts
from memory.text.normal import key

_JSON_SPACE = " \t\r\n"


def facts_of(place: Place, data: bytes) -> list[FactAt]:
    """The facts of one document, in file order."""
    if not place.holds_facts:
        return []
    text = decode(data)
    if place.kind is Kind.PATTERNS:
        return pattern_facts(text)
    return log_facts(text) if place.kind is Kind.DAILY else memory_facts(text)


def pattern_facts(text: str) -> list[FactAt]:
    """One fact for each item of procedural/patterns.json; none if the text is no JSON list."""
    found: list[FactAt] = []
    seen: Counter[str] = Counter()
    for item, start, end in items(text):
        if not isinstance(item, dict) or "trigger" not in item:
            continue
        said = f"{item['trigger']} → {item.get('response', '')}"
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


def tied(path: str, text: str, facts: list[FactAt]) -> list[PromptLine]:
    """A whole text as runs, each from one fact or from between two; bytes that are no UTF-8 read as the bot reads them."""
    runs: list[PromptLine] = []
    at, line = 0, 1
    for fact in facts:
        if fact.start < at:
            continue
        if at < fact.start:
            runs.append(PromptLine(_as_read(text[at : fact.start]), path, line))
        runs.append(PromptLine(_as_read(text[fact.start : fact.end]), path, fact.line, fact))
        line += text.count("\n", at, fact.end)
        at = fact.end
    if at < len(text):
        runs.append(PromptLine(_as_read(text[at:]), path, line))
    return runs


def _as_read(text: str) -> str:
    """Node reads what is no UTF-8 as replacement characters."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def cut(runs: list[PromptLine], start: int, end: int) -> list[PromptLine]:
    """The runs of [start, end) of their joined text; a run that is cut keeps what it is tied to."""
    found: list[PromptLine] = []
    at = 0
    for run in runs:
        first, last = max(start - at, 0), min(end - at, len(run.text))
        if first < last:
            line = run.line + run.text.count("\n", 0, first) if run.path else 0
            found.append(PromptLine(run.text[first:last], run.path, line, run.fact))
        at += len(run.text)
        if at >= end:
            break
    return found


def joined(runs: list[PromptLine]) -> str:
    return "".join(run.text for run in runs)
