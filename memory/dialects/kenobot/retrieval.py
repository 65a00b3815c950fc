"""How KenoBot 0.7 chooses what it reads: sections of markdown that share a word with the message."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.text.markdown.tags import JS_SPACE, js_trim

FACTS = 10  # sections of MEMORY.md at the most
EPISODES = 3  # sections of the chat's notes at the most
EPISODE_DAYS = 7  # daily logs of the chat that are searched
WHOLE_WORD = 3  # points
PART = 1

_STOP_WORDS_OF_THE_BOT = """
    the a an and or but in on at to for of with by from as is was are were be been being have has had do does did will would
    could should may might can over under el la los las un una de del en y o que por para con es está son como cómo
"""
_STOP_WORDS = frozenset(_STOP_WORDS_OF_THE_BOT.split())
_NO_WORD = re.compile("[^a-z0-9_áéíóúñü]+")
# A heading as JavaScript's /^(#{1,6})\s+(.+)$/ finds it in one line: a carriage return at the end makes it none.
_SPACE, _ENDS = re.escape(JS_SPACE), "\n\r\u2028\u2029"
_HEADING = re.compile(f"#{{1,6}}[{_SPACE}](?:[{_SPACE}]*+([^{_SPACE}][^{_ENDS}]*)|[{_SPACE}]++(?<![{_ENDS}]))")


@dataclass(frozen=True, slots=True)
class ScoredSection:
    """A section of a text: [start, end) without white space around it, its heading ("" before the first) and its score."""

    start: int
    end: int
    heading: str
    score: int = 0


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Sections by falling score, and those left out in the order they stand in."""

    chosen: tuple[ScoredSection, ...]
    left_out: tuple[ScoredSection, ...]


def keywords(message: str) -> tuple[str, ...]:
    """The words of a message that are searched for, in order, each once."""
    words = _NO_WORD.sub(" ", message.lower()).split(" ")
    return tuple(dict.fromkeys(word for word in words if len(word) > 2 and word not in _STOP_WORDS))


def retrieve(text: str, words: Sequence[str], limit: int) -> Retrieved:
    """The `limit` sections of a text that say most of the words; equal scores stay in order."""
    patterns = [(word, re.compile(rf"\b{re.escape(_folded(word))}\b", re.ASCII)) for word in words]
    scored = [_scored(part, text, patterns) for part in parts(text)]
    ranked = sorted((part for part in scored if part.score), key=lambda part: -part.score)
    chosen = tuple(ranked[:limit])
    kept = {part.start for part in chosen}
    return Retrieved(chosen, tuple(part for part in scored if part.start not in kept))


def _scored(part: ScoredSection, text: str, patterns: list[tuple[str, re.Pattern[str]]]) -> ScoredSection:
    said = text[part.start : part.end]
    folded, low = _folded(said), said.lower()
    score = sum(WHOLE_WORD if pattern.search(folded) else PART if word in low else 0 for word, pattern in patterns)
    return ScoredSection(part.start, part.end, part.heading, score)


def _folded(text: str) -> str:
    """A text as a pattern of JavaScript's that minds no case sees it: in capitals, where one sign becomes one of its own kind."""
    return text.upper() if text.isascii() else "".join(map(_capital, text))


def _capital(sign: str) -> str:
    capital = sign.upper()
    return capital if len(capital) == 1 and capital.isascii() == sign.isascii() else sign


def parts(text: str) -> list[ScoredSection]:
    """A text cut at every heading line, headings included, trimmed; empty ones dropped. Fences are not respected."""
    starts: list[tuple[int, str]] = [(0, "")]
    at = 0
    for line in text.split("\n"):
        if heading := _HEADING.fullmatch(line):
            starts.append((at, js_trim(heading[1] or "")))
        at += len(line) + 1
    ends = [start for start, _ in starts[1:]] + [len(text)]
    found = []
    for (start, heading_text), end in zip(starts, ends, strict=True):
        start, end = trimmed(text, start, end)
        if start < end:
            found.append(ScoredSection(start, end, heading_text))
    return found


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """[start, end) of a text without the white space at its ends, as JavaScript trims."""
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip(JS_SPACE))
    return start, max(start, start + len(js_trim(piece)))
