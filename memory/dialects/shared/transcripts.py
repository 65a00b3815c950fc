"""What transcripts of one JSON object a line have in common, whoever writes them."""

from __future__ import annotations

from collections.abc import Callable

from memory.domain.changes import Append
from memory.domain.memory import Memory
from memory.text.message import Message

SPEAKERS = ("user", "assistant")


def newest(data: bytes, limit: int, message: Callable[[bytes], Message | None]) -> tuple[Message, ...]:
    """The newest `limit` messages in a transcript or the end of one, oldest first. `message` reads a line; one that it makes
    nothing of is passed over, as bots do with lines they cannot read."""
    found: list[Message] = []
    for line in reversed(data.split(b"\n")):
        if len(found) >= limit:
            break
        if read := message(line):
            found.append(read)
    return tuple(reversed(found))


def added(path: str, lines: bytes, memory: Memory) -> Append:
    """These lines at the end of a transcript. A last line that a dying bot left open is closed first, so that it does not swallow
    them."""
    is_open = memory.tail(path, 1) not in (None, b"", b"\n")
    return Append(path, (b"\n" if is_open else b"") + lines)
