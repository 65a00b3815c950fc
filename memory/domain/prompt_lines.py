"""Lines of a prompt, each with the fact or document that it comes from."""

from __future__ import annotations

from memory.domain.prompt import PromptLine
from memory.text.markdown.entries import FactAt
from memory.text.storable import as_utf8


def lines_of(path: str, text: str, facts: list[FactAt]) -> list[PromptLine]:
    """A whole text as runs, each from one fact or from between two; bytes that are no UTF-8 read as the bot reads them."""
    runs: list[PromptLine] = []
    at, line = 0, 1
    for fact in facts:
        if fact.start < at:
            continue
        if at < fact.start:
            runs.append(PromptLine(as_utf8(text[at : fact.start]), path, line))
        runs.append(PromptLine(as_utf8(text[fact.start : fact.end]), path, fact.line, fact))
        line += text.count("\n", at, fact.end)
        at = fact.end
    if at < len(text):
        runs.append(PromptLine(as_utf8(text[at:]), path, line))
    return runs


def part_of(runs: list[PromptLine], start: int, end: int) -> list[PromptLine]:
    """The runs of [start, end) of their joined text; a run that is cut keeps what it is tied to."""
    found: list[PromptLine] = []
    at = 0
    for run in runs:
        first, last = max(start - at, 0), min(end - at, len(run.text))
        if not first and 0 < last == len(run.text):
            found.append(run)
        elif first < last:
            line = run.line + run.text.count("\n", 0, first) if run.path else 0
            found.append(PromptLine(run.text[first:last], run.path, line, run.fact))
        at += len(run.text)
        if at >= end:
            break
    return found


def text_of(runs: list[PromptLine]) -> str:
    return "".join(run.text for run in runs)
