"""The notes of a day: one line for each turn, as the bot writes it, and whatever people wrote between those lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from memory.dialects.golemcore import java
from memory.domain.changes import Append, Put, digest
from memory.text.markdown.blocks import BOM, decode, encode
from memory.text.markdown.entries import FactAt, log_facts
from memory.text.markdown.normal import key
from memory.text.markdown.rewrite import ELSE, remove_facts, tidy

_OWN = re.compile(rb"(?:\[[0-2][0-9]:[0-5][0-9]\] User: [^\n]* \| Assistant: [^\n]*\n)+")  # as `noted` has it
USER, ASSISTANT = 200, 300  # units of a message and of an answer in a note
_LINE = re.compile(r"\[((?:[01][0-9]|2[0-3]):[0-5][0-9])\] ([^\n]*)")


def noted(at: datetime, message: str | None, answer: str | None) -> str:
    """A turn as the bot notes it, without the line feed."""
    return f"[{at:%H:%M}] User: {_short(message, USER)} | Assistant: {_short(answer, ASSISTANT)}"


def are_own(added: bytes) -> bool:
    """Whether these lines have the form in which the bot notes its turns."""
    return _OWN.fullmatch(added) is not None


def facts(data: bytes) -> list[FactAt]:
    """The facts of a day's notes: each line with a clock time in brackets, and what else stands between those."""
    return list(_numbered(_facts(decode(data))))


def added(path: str, data: bytes | None, texts: Iterable[str], now: datetime) -> Append:
    """More lines. Raises ValueError with a sentence."""
    lines = (f"[{now:%H:%M}] {java.flat(tidy(text))}" for text in texts)
    return closed(path, data and data[-1:], "\n".join(lines))


def closed(path: str, last: bytes | None, line: str) -> Append:
    """A line at the end of the notes, whose last byte this is; a line that was left open there is closed first."""
    return Append(path, encode(("" if last in (None, b"", b"\n") else "\n") + line + "\n"))


def is_line(data: bytes, fact: FactAt) -> bool:
    """Whether a fact is one of those lines."""
    return _LINE.match(decode(data), fact.start) is not None


def edited(path: str, data: bytes, fact: FactAt, text: str) -> Put:
    """The notes in which this line says something else, its time and its line end as they were. Raises ValueError."""
    whole, said = decode(data), java.flat(tidy(text))
    at = whole.index(fact.text, fact.start)
    after = encode(whole[:at] + said + whole[at + len(fact.text) :])
    wanted = [said if one.start == fact.start else one.text for one in facts(data)]
    if [one.text for one in facts(after)] != wanted:
        raise ValueError(ELSE)
    return Put(path, after, digest(data))


def forgotten(path: str, data: bytes, going: Iterable[FactAt]) -> Put:
    """The notes without these facts. Raises ValueError where what stands beside them would change."""
    text = decode(data)
    for fact in sorted(going, key=lambda one: one.start, reverse=True):  # those before one stay where they are
        is_line = _LINE.match(text, fact.start)
        text = text[: fact.start] + text[fact.end + 1 :] if is_line else remove_facts(text, [fact], _read)
    return Put(path, encode(text), digest(data))


def _read(text: str) -> list[FactAt]:
    return facts(encode(text))


def _short(text: str | None, size: int) -> str:
    return java.cut(java.trim((text or "").replace("\n", " ")), size)


def _facts(text: str) -> Iterator[FactAt]:
    start, line = 0, 1
    for found in _lines(text):
        yield from _between(text[start : found.start()], start, line)
        line += text.count("\n", start, found.start())
        words = found[2].strip()
        if words:
            yield FactAt(line, line, found.start(), found.end(), found[1], words, key(words))
        line += 1
        start = found.end() + 1
    yield from _between(text[start:], start, line)


def _lines(text: str) -> Iterator[re.Match[str]]:
    at = len(BOM) if text.startswith(BOM) else 0
    while at < len(text):
        if found := _LINE.match(text, at):
            yield found
        at = text.find("\n", at) + 1 or len(text)


def _between(text: str, start: int, line: int) -> Iterator[FactAt]:
    for fact in log_facts(text) if text.strip() else ():
        yield replace(
            fact,
            start=fact.start + start,
            end=fact.end + start,
            line=fact.line + line - 1,
            end_line=fact.end_line + line - 1,
        )


def _numbered(found: Iterable[FactAt]) -> Iterator[FactAt]:
    seen = Counter[str]()
    for fact in found:
        yield replace(fact, nth=seen[fact.key])
        seen[fact.key] += 1
