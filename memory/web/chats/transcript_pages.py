"""A transcript page by page, from wherever somebody is in it. However long the file is, little of it is read, unless it is one
record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from memory.bots import open_bot
from memory.domain.changes import split_path
from memory.models import Bot
from memory.text.message import Message

LINES = 100  # on a page
SHOWN = 8_000  # bytes of a line that count for its page: what is longer is cut when it is shown
ENOUGH = 96_000  # bytes that end a page before it has all its lines
MOST = 1 << 20  # bytes that are read for a page; a longer line comes in pieces
_PIECE = 64 * 1024

Read = Callable[[int, int], bytes]  # bytes of the file: from where on, how many


@dataclass(frozen=True, slots=True)
class Leaf:
    """One page: the lines of the file's bytes [start, end), blank ones left out, and at which byte each begins. `size` is the whole
    file's."""

    lines: Sequence[bytes]
    offsets: Sequence[int]
    start: int
    end: int
    size: int


def leaf(bot: Bot, path: str, *, before: int | None = None, after: int | None = None) -> Leaf | None:
    """The page that ends at byte `before`, or begins at byte `after`; without either the newest. None if there is no such
    document. Raises Unreadable."""
    root, below = split_path(path)
    vault = open_bot(bot).vaults.get(root)
    stat = vault.stat(below) if vault else None
    if vault is None or stat is None:
        return None

    def read(start: int, size: int) -> bytes:
        return vault.part(below, start, size) or b""

    if after is not None:
        return _forward(read, max(0, min(after, stat.size)), stat.size)
    return _backward(read, stat.size if before is None else max(0, min(before, stat.size)), stat.size)


def page_of(messages: Sequence[Message], before: int | None, after: int | None) -> tuple[int, int]:
    """The first and last of the messages, as a slice, that stand on the page that ends before one or begins at one; without either
    the newest."""
    told = [one.content.encode("utf-8", "replace") or b"-" for one in messages]
    if after is not None:
        start = max(0, min(after, len(told)))
        return start, start + len(fitting(told[start : start + LINES]))
    end = len(told) if before is None else max(0, min(before, len(told)))
    return end - len(fitting(told[max(0, end - LINES) : end][::-1])), end


def _backward(read: Read, end: int, size: int) -> Leaf:
    """The last lines before `end`. The first of what was read is a whole line only at the file's beginning."""
    start, data = end, b""
    while start > 0 and len(data) < MOST and data.count(b"\n", 0, -1) <= LINES:
        step = min(start, max(_PIECE, len(data)), MOST - len(data))
        start -= step
        data = read(start, step) + data
    lines = _lines(data)
    whole = lines if start == 0 or len(lines) < 2 else lines[1:]
    kept = fitting(whole[::-1])[::-1]
    return _leaf(kept, end - sum(map(len, kept)), size)


def _forward(read: Read, start: int, size: int) -> Leaf:
    """The first lines from `start` on. The last of what was read is a whole line only at the file's end."""
    data = b""
    while start + len(data) < size and len(data) < MOST and data.count(b"\n") < LINES:
        step = min(max(_PIECE, len(data)), MOST - len(data))
        if not (more := read(start + len(data), step)):
            break
        data += more
    lines = _lines(data)
    whole = lines if start + len(data) >= size or len(lines) < 2 or data.endswith(b"\n") else lines[:-1]
    return _leaf(fitting(whole), start, size)


def _lines(data: bytes) -> list[bytes]:
    """Lines with their ends; only a line feed ends one."""
    parts = data.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def fitting(lines: Sequence[bytes]) -> list[bytes]:
    """As many of the first lines as go on a page, at least one."""
    kept: list[bytes] = []
    shown = number = 0
    for line in lines:
        said = bool(line.strip())
        shown, number = shown + min(len(line), SHOWN), number + said
        if kept and (shown > ENOUGH or number > LINES):
            break
        kept.append(line)
    return kept


def _leaf(lines: Sequence[bytes], start: int, size: int) -> Leaf:
    ends = list(accumulate(map(len, lines), initial=start))
    said = [(line, at) for line, at in zip(lines, ends, strict=False) if line.strip()]
    return Leaf([line for line, _at in said], [at for _line, at in said], start, ends[-1], size)
