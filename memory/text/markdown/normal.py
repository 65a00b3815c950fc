"""When two facts are the same: their text without the marks that only change its looks."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from operator import itemgetter

_LEADING_MARK = re.compile(r"(?:#{1,6}|[-*+•]) +")
# Marks go where they stand around words; "2*3*4", "snake_case", "*.py" and "a * b" keep theirs.
_FIRST = r"(?=[^\s!#%&*+,\-./:;<=>?@\\^_|~])"
# What stands before a mark is looked at behind it: a pattern that begins with a sign is searched for many times as fast.
_EMPHASIS = tuple(
    re.compile(rf"({mark}(?<![\w{mark}]{mark}){mark}{more}){_FIRST}([^{mark}]*[^\s{mark}])\1(?![\w{mark}])")
    for mark, more in ((r"\*", "{0,2}"), ("_", "{0,2}"), ("~", ""))
)
_CODE = re.compile(r"(`(?<![\w`]`)`?)(?=\S)([^`]*[^\s`])\1(?![\w`])")
_INSIDE = itemgetter(2)  # what stands between the marks
_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_CLOCK = "[0-9]{1,2}[:：][0-9]{2}"
_STAMP = re.compile(rf"\A{_DAY}(?: {_CLOCK}[^—\n]{{0,40}})? — ")
_IN_BRACKETS = re.compile(rf"\A\[({_DAY}) {_CLOCK}[^\]\n]{{0,40}}\]")


def normalise(text: str) -> str:
    """The text as facts are compared: NFC, case folded, no list or heading mark, no emphasis, single spaces, no full stop."""
    plain = " ".join(text.casefold().split())
    if not plain.isascii():
        plain = unicodedata.normalize("NFC", plain)
    if plain[:1] in ("#", "-", "*", "+", "•") and (mark := _LEADING_MARK.match(plain)):
        plain = plain[mark.end() :]
    if "*" in plain or "_" in plain or "~" in plain or "`" in plain:
        plain = _without_emphasis(plain)
    if plain[-1:] in (".", "。") and plain[-2:-1] not in ("", ".", "。"):
        plain = plain[:-1].rstrip()
    return plain


def key(text: str) -> str:
    """32 hex digits that are equal exactly for texts that are the same when normalised, whatever day and clock stand before them
    as compaction puts them there: what moves stays the same fact."""
    return hashlib.sha256(normalise(unstamped_text(text)).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def unstamped_text(text: str) -> str:
    """A text without the days and clocks that `stamps.stamped` may have put before it."""
    while text[:1] == "[" or text[:1].isdigit():
        before = text
        text = _STAMP.sub("", _IN_BRACKETS.sub(r"\1", text))
        if text == before:
            break
    return text


def _without_emphasis(text: str) -> str:
    for _ in range(2):  # emphasis within emphasis of another mark
        for pattern in _EMPHASIS:
            text = pattern.sub(_INSIDE, text)
    return _CODE.sub(_INSIDE, text)
