"""A text is found wherever rows keep it, and written over: as it is, with other white space, or escaped as JSON, even twice."""

from __future__ import annotations

import json
import re

SHORTEST = 4  # characters; what is shorter stands everywhere
MASK = b"[purged]"
_SPACE = rb"(?:[ \t\r\n]|\xc2\xa0|\\{1,16}[nrt])+"
_WORD = re.compile(r"[A-Za-z0-9]+")


def pattern(text: str) -> re.Pattern[bytes]:
    """What finds a text in UTF-8. Raises ValueError for one that is too short."""
    words = text.split()
    if len("".join(words)) < SHORTEST:
        raise ValueError(f"shorter than {SHORTEST} characters")
    ways = [[_ways(letter, re.escape(letter.encode("utf-8", "surrogatepass"))) for letter in word] for word in words]
    return re.compile(_SPACE.join(map(b"".join, ways)))


def longest_word(text: str) -> bytes:
    """Letters and digits that stand wherever the text does, however it is written; b"" if it has none."""
    return max(_WORD.findall(text), key=len, default="").encode()


def masked(data: bytes, sought: re.Pattern[bytes]) -> bytes:
    """The same with something else of the same length, so that places in it stay where they are."""
    return sought.sub(lambda found: (MASK * (len(found[0]) // len(MASK) + 1))[: len(found[0])], data)


def mask_lines(data: bytes) -> set[bytes]:
    """The lines in which something was masked."""
    start = MASK[:SHORTEST]
    return {line for line in data.splitlines() if start in line} if start in data else set()


def _ways(letter: str, plain: bytes) -> bytes:
    """A letter as it is, or as JSON writes it."""
    escaped = json.dumps(letter)[1:-1].encode()
    if not escaped.startswith(b"\\"):
        return plain
    others = re.escape(escaped.lstrip(b"\\")).replace(re.escape(b"\\u"), rb"\\{1,16}u") or re.escape(b"\\")
    return b"(?:" + plain + rb"|\\{1,16}(?i:" + others + b"))"
