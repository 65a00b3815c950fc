"""The parts of a fact that may be facts themselves, and what is long enough to be known again."""

from __future__ import annotations

import re

from memory.text.words.everyday import is_everyday

MOST = 40  # parts of one text
LONGEST = 4000  # characters of a text that are looked at
LETTERS = 16  # of a telling text; in scripts that need fewer, SIGNS
SIGNS = 6
ENOUGH = 400  # characters that are counted

_LINES = re.compile(r"[\r\n]+")
_SENTENCES = re.compile(r"(?<=[.!?])\s+|;\s+|；|(?<=[。！？])")
_CLAUSES = re.compile(r",\s+|，")
_MARKS = re.compile(r"(?:#[^\s#]+\s+|\[[ xX]\]\s+)+")
_OWNER = re.compile(r"\W{0,3}([^\s\[\](){}:：]++)(?:\s*+(?:[\])}]\s*+[:：\])}]|[:：\])}])|\s++[—–-]\s)\s*")
_LABEL = re.compile(r"[^:：]{1,60}[:：]\s*")
_JOINTS = re.compile(
    r"[\r\n.!?;,:：)\]}）。！？；，]|\s[—–-]\s"
)  # where a text may be parted: one without is one piece
_ASIDE = re.compile(r"(?<!\s)\s*+[(（\[][^()（）\[\]]{0,80}[)）\]]\s*\.?$")


def is_telling(text: str, times: float = 1) -> bool:
    """Whether a text is long enough that two of it are no accident, and says more than what everybody says; with `times`, so many
    times longer than usual."""
    return _is_long(text, times) and not is_everyday(text)


def _is_long(text: str, times: float) -> bool:
    start = text[:ENOUGH]
    if sum(map(str.isalnum, start)) >= LETTERS * times:
        return True
    return not start.isascii() and sum(sign.isalnum() and sign > "⺀" for sign in start) >= SIGNS * times


def pieces(text: str) -> list[str]:
    """The telling parts of a text beside the whole of it: lines, sentences and clauses, each also without what stands before its
    colon, without tags and a box before it, and without a remark in brackets at its end."""
    if not _JOINTS.search(text) and not _MARKS.match(text.lstrip()):
        return []
    found: dict[str, None] = {}
    for line in _LINES.split(text[:LONGEST]):
        for sentence in dict.fromkeys((line, *_SENTENCES.split(line))):
            for part in dict.fromkeys((sentence, *_CLAUSES.split(sentence))):
                found.update(dict.fromkeys(_bare(part.strip())))
    found.pop(text.strip(), None)
    return [one for one in found if is_telling(one)][:MOST]


def owner(text: str) -> str:
    """The first word of a text if it stands there as a label: `[telegram-1] …`, `telegram-1: …`; "" if none does."""
    match = _OWNER.match(text[:LONGEST])
    return match[1] if match else ""


def _bare(part: str) -> list[str]:
    rests = [part]
    for mark in (_OWNER, _LABEL, _MARKS):
        if match := mark.match(part):
            rests.append(part[match.end() :])
    return [one for rest in rests for one in (rest, _ASIDE.sub("", rest))]
