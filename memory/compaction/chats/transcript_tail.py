"""The end of a chat's transcript as messages that know where they stand. However long the file is, only its end is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.bots import open_bot
from memory.domain.changes import split_path
from memory.domain.places import Kind
from memory.models import Bot
from memory.storage import Vault
from memory.text.message import Message

AT_ONCE = 1 << 22  # bytes that are looked through at a time for line ends


@dataclass(frozen=True, slots=True)
class Heard:
    """One message: the number of its line, from 1, and the byte at which that line ends."""

    message: Message
    line: int
    end: int


@dataclass(frozen=True, slots=True)
class TranscriptTail:
    """What was read of a transcript: the messages of its bytes [start, end), lines that are none left out. `is_whole`: nothing that
    was asked for stands before `start`."""

    path: str
    messages: tuple[Heard, ...]
    end: int
    is_whole: bool


def read_tail(bot: Bot, chat: str, most: int, since: int = 0) -> TranscriptTail | None:
    """The messages of a chat from byte `since` of its transcript on, of at most its last `most` bytes; None if it has no
    transcript. One that is shorter than `since` was begun anew and is read from its beginning. A last line that is only half
    there is left for the next time. Raises Unreadable."""
    path = open_bot(bot).dialect.path(Kind.TRANSCRIPT, chat)
    if path and open_bot(bot).has_records:
        return _recorded(bot, path, most, since)
    root, below = split_path(path or "")
    vault = open_bot(bot).vaults.get(root) if path else None
    stat = vault.stat(below) if vault else None
    if path is None or vault is None or stat is None:
        return None
    since = since if since <= stat.size else 0
    start = max(since, stat.size - most)
    before = max(0, start - 1)  # with the byte that says whether a line begins here
    data = vault.part(below, before, stat.size - before) or b""
    if start:
        first = data.find(b"\n") + 1 or len(data)
        start, data = before + first, data[first:]
    lines = _whole_lines(bot, data)
    return TranscriptTail(
        path,
        tuple(_heard(bot, lines, start, _lines_before(vault, below, start) + 1)),
        start + sum(map(len, lines)),
        start == since,
    )


def _recorded(bot: Bot, path: str, most: int, since: int) -> TranscriptTail | None:
    """The same of a transcript that is one record, in which messages are counted instead of lines and bytes."""
    found = open_bot(bot).recorded(path)
    if found is None:
        return None
    messages = [Heard(one, number, number) for number, one in enumerate(found[0], 1)]
    since = since if since <= len(messages) else 0
    start, size = len(messages), 0
    while start > since and size + len(messages[start - 1].message.content.encode("utf-8", "replace")) <= most:
        start -= 1
        size += len(messages[start].message.content.encode("utf-8", "replace"))
    return TranscriptTail(path, tuple(messages[start:]), len(messages), start == since)


def _whole_lines(bot: Bot, data: bytes) -> list[bytes]:
    """Lines with their ends; the last one may have none if it is a message all the same."""
    *whole, last = data.split(b"\n")
    rest = [last] if last and open_bot(bot).messages(last, 1) else []
    return [*(line + b"\n" for line in whole), *rest]


def _heard(bot: Bot, lines: Sequence[bytes], start: int, number: int) -> list[Heard]:
    found, end = list[Heard](), start
    for at, line in enumerate(lines, number):
        end += len(line)
        found += [Heard(message, at, end) for message in open_bot(bot).messages(line, 1)]
    return found


def _lines_before(vault: Vault, below: str, start: int) -> int:
    """How many lines end before a byte."""
    count = 0
    for at in range(0, start, AT_ONCE):
        count += (vault.part(below, at, min(AT_ONCE, start - at)) or b"").count(b"\n")
    return count
