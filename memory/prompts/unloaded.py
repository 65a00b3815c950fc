"""What of the documents in a prompt the bot does not load: the rest of one that is too long for it, or its middle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from os.path import commonprefix

from memory.domain.errors import Unreadable
from memory.domain.memory import Memory
from memory.prompts.build import Priced
from memory.text.markdown.blocks import decode


@dataclass(frozen=True, slots=True)
class Unloaded:
    """A text that stands in a document and not in the prompt, behind line `at` - 1 of the prompt and from line `line` of the
    document. `is_end`: nothing of the document comes after it."""

    path: str
    at: int
    text: str
    is_end: bool
    line: int

    @property
    def last(self) -> int:
        """The last line of the document that it has something of."""
        return self.line + self.text.strip("\r\n").count("\n")


def unloaded(priced: Priced, memory: Memory) -> Iterator[Unloaded]:
    """What is missing of the documents that are said to be left out and are in the prompt all the same."""
    there = priced.documents
    for path in dict.fromkeys(one.path for one in priced.left_out if one.path in there):
        if found := _missing(priced, path, _text(memory, path)):
            yield found


def _text(memory: Memory, path: str) -> str:
    try:
        return decode(memory.read(path) or b"")
    except Unreadable:
        return ""


def _missing(priced: Priced, path: str, whole: str) -> Unloaded | None:
    """None where the prompt does not hold the document's own words one after the other."""
    whole = whole.rstrip()
    loaded = "".join(line.text for line in priced.lines if line.path == path).rstrip()
    head = len(commonprefix((whole, loaded)))  # noqa: RUF071 - texts, and no paths
    tail = len(commonprefix((whole[head:][::-1], loaded[head:][::-1])))  # noqa: RUF071
    is_end = not loaded[head:].strip()
    start = head if is_end else _at_a_line(whole, head, len(whole) - tail)
    text = whole[start : len(whole) - tail - (head - start)]
    if not head or head + tail < len(loaded) or not text.strip():
        return None
    blank = len(text) - len(text.lstrip("\r\n"))
    return Unloaded(path, _after(priced, path, start), text, is_end, whole.count("\n", 0, start + blank) + 1)


def _at_a_line(whole: str, start: int, end: int) -> int:
    """Where a missing middle begins if it begins with a line: what comes behind it may begin as it does, and then it cannot be told
    from the same words a bit further up."""
    at = start
    while at and whole[at - 1] != "\n":
        if whole[at - 1] != whole[end - 1 - (start - at)]:
            return start
        at -= 1
    return at


def _after(priced: Priced, path: str, letters: int) -> int:
    """The line of the prompt behind the one that holds the last of so many letters of a document."""
    last = 0
    for at, line in enumerate(priced.lines, 1):
        if line.path == path and letters > 0:
            letters -= len(line.text)
            last = at
    return last
