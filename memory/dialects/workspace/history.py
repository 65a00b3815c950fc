"""What happened, as bots keep it: HISTORY.md with stamped entries, history.jsonl with an object and a cursor a line."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memory.dialects.shared.json_parts import object_in
from memory.domain.changes import appended_bytes
from memory.text.markdown.blocks import BOM, BlockKind, decode, parse
from memory.text.markdown.entries import FactAt, memory_facts
from memory.text.markdown.normal import key
from memory.text.sentences import say
from memory.text.storable import is_keepable, keepable

STAMP = say("The time is the bot’s own record and stays. Change the text.")

_STAMP = re.compile(r"\[[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T]([0-9]{2}:[0-9]{2})[^\]\n]{0,12})?\]", re.ASCII)
_STAMPED_LINE = re.compile(rf"^{_STAMP.pattern}", re.MULTILINE | re.ASCII)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a history.jsonl that the bot reads: its place [start, end) without the line end, and what it says."""

    line: int
    start: int
    end: int
    cursor: int
    timestamp: str
    content: str


def are_own(before: bytes, after: bytes, *, in_lines: bool) -> bool:
    """Whether the bot seems to have written these entries at the end; of lines, it may have let go of the first ones."""
    if not in_lines:
        return _STAMP.match(decode(appended_bytes(before, after)).lstrip("\n")) is not None
    kept = max(before.find(after[: after.find(b"\n") + 1]), 0)
    added = decode(appended_bytes(before[kept:], after)).strip("\n")
    return bool(added) and len(list(entries(added))) == added.count("\n") + 1


def stamped_facts(text: str) -> list[FactAt]:
    """The entries of a HISTORY.md: from one line that begins with `[2026-01-31 10:17]` to the next, the stamp included. Without
    any such line it is read like a long-term memory."""
    starts = list(_stamps(text))
    if not starts:
        return memory_facts(text)
    found = []
    for at, (start, time) in enumerate(starts):
        end = starts[at + 1][0] if at + 1 < len(starts) else len(text)
        found.append((start, end, time, text[start:end].replace("\r\n", "\n").strip()))
    return list(_numbered(text, found))


def _stamps(text: str) -> Iterator[tuple[int, str]]:
    """Where entries begin, and their time. A stamp in a closed fence begins none."""
    fences = [(block.start, block.end) for block in parse(text) if block.kind is BlockKind.FENCE and block.closed]
    at = 0
    for match in _STAMPED_LINE.finditer(text, 1 if text.startswith(BOM) else 0):
        while at < len(fences) and fences[at][1] <= match.start():
            at += 1
        if at == len(fences) or match.start() < fences[at][0]:
            yield match.start(), match[1] or ""


def line_facts(text: str) -> list[FactAt]:
    """One fact for each entry of a history.jsonl: `[its timestamp] its content`."""
    found = []
    for entry in entries(text):
        time = entry.timestamp[11:16] if _STAMP.fullmatch(f"[{entry.timestamp}]") else ""
        found.append((entry.start, entry.end, time, said(entry)))
    return list(_numbered(text, found))


def said(entry: Entry) -> str:
    """An entry as a fact's text. JSON can hold what no text may."""
    return keepable(f"[{entry.timestamp}] {entry.content}" if entry.timestamp else entry.content)


def entries(text: str) -> Iterator[Entry]:
    """The entries of a history.jsonl in file order; what is no such object is passed over, as the bot does. So is one behind a
    byte order mark, which JSON does not allow."""
    at = 0
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.rstrip("\r")
        if entry := _entry(number, at, line):
            yield entry
        at += len(raw) + 1


def _entry(number: int, at: int, line: str) -> Entry | None:
    found = object_in(line)
    cursor, content, timestamp = found.get("cursor"), found.get("content"), found.get("timestamp")
    if not isinstance(cursor, int) or isinstance(cursor, bool) or not isinstance(content, str) or not content.strip():
        return None
    skipped = len(line) - len(line.lstrip(" \t"))
    return Entry(number, at + skipped, at + len(line), cursor, timestamp if isinstance(timestamp, str) else "", content)


def reworded(line: str, entry: Entry, text: str) -> str:
    """A line of a history.jsonl whose entry says this instead; its stamp, its cursor and what else is in its object stay. Raises
    ValueError for a text with another stamp."""
    content = text.removeprefix(f"[{entry.timestamp}]").lstrip() if entry.timestamp else text
    if content == text and _STAMP.match(text):
        raise ValueError(STAMP)
    found = object_in(line) | {"content": content}
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    return indent + json.dumps(found, ensure_ascii="\\u" in line)


def cursor_problem(before: bytes, after: bytes) -> str:
    """Why a history.jsonl may not become this, for people: a cursor would be lost, moved or doubled. "" if it may; an older entry
    that is missing may come back in its place, as when its removal is undone."""
    was, now = decode(before), decode(after)
    had = [entry.cursor for entry in entries(was)]
    has = list(entries(now))
    known = Counter(line.rstrip("\r") for line in was.split("\n"))
    readable = {entry.line for entry in has if is_keepable(now[entry.start : entry.end])}
    for number, line in enumerate(now.split("\n"), start=1):
        if line.strip() and number not in readable and not known[line.rstrip("\r")]:
            return say(
                "Line %(number)s must be a JSON object with a whole number “cursor” and a text “content”; the bot would skip it.",
                number=number,
            )
    rest = iter([entry.cursor for entry in has] if _only_comes_back(had, [entry.cursor for entry in has]) else had)
    for entry in has:
        if not any(cursor == entry.cursor for cursor in rest):
            return say(
                "The entry with cursor %(cursor)s is new or has moved. The bot counts by these numbers, so they must "
                "stay: reword an entry, or remove older ones.",
                cursor=entry.cursor,
            )
    newest = max(had, default=None)
    if newest is not None and newest not in (entry.cursor for entry in has):
        return say(
            "The newest entry (cursor %(newest)s) must stay. The bot counts on from it and would skip the next entry.",
            newest=newest,
        )
    return ""


def _only_comes_back(had: Sequence[int], has: Sequence[int]) -> bool:
    """Whether all that differs is that older entries are there again, each between those that it was between."""
    return set(had) < set(has) and list(has) == sorted(set(has)) and bool(had) and has[-1] == had[-1]


def _numbered(text: str, found: Iterable[tuple[int, int, str, str]]) -> Iterator[FactAt]:
    seen: Counter[str] = Counter()
    line, at = 1, 0
    for start, end, time, words in found:
        line += text.count("\n", at, start)
        at = start
        name = key(words)
        last = line + text[start:end].rstrip().count("\n")
        yield FactAt(line, last, start, end, time, words, name, seen[name])
        seen[name] += 1
