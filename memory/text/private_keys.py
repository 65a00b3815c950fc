"""Private keys in a text, as PEM has them: in a fence, a list, a quote, a table or a difference, in several lines or in one,
and cut off at either end."""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int]

_KIND = r"(?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_BEGINS, _ENDS = re.compile(rf"-----BEGIN {_KIND}"), re.compile(rf"-----END {_KIND}")
_SIGN = "[A-Za-z0-9+/]"
# Between two words: a break, the marks before a line, and its number.
_BETWEEN = r"(?:[^A-Za-z+/\\-]|-(?!----)|\\[nr]?){0,80}?"
_CODE = "(?=[a-z]*[A-Z0-9+/=])(?=[0-9+/]*[A-Za-z])"  # no word of a language, and no number
_SHORT = rf"{_BETWEEN}{_CODE}{_SIGN}{{1,59}}+={{0,2}}(?!{_SIGN})"
# How far one goes that has no end: its words are long but for the last, or for one that a list cut.
_WORDS = re.compile(
    rf"(?:{_BETWEEN}(?:Proc-Type|DEK-Info|Version|Comment):[^\n:]{{1,80}}?){{0,3}}"
    rf"(?:{_BETWEEN}(?:{_SIGN}{{16,}}+={{0,2}}|{_SIGN}{{4,15}}+(?=…)))+(?:{_SHORT})?"
)
# What is left of one without its beginning, and no certificate: its lines, and the last words before its end.
_MIXED = r"(?=[A-Z0-9+/]*[a-z])(?=[a-z0-9+/]*[A-Z])(?=[A-Za-z+/]*[0-9])"
_LINE = rf"{_MIXED}{_SIGN}{{60,76}}+(?![\w=+/-])"
_LINES = rf"(?:{_MIXED}{_SIGN}{{8,59}}+{_BETWEEN})?{_LINE}(?:{_BETWEEN}{_LINE})*(?:{_SHORT})?"
_LAST = rf"(?:{_SIGN}{{16,}}+{_BETWEEN})?{_CODE}{_SIGN}{{2,}}+={{0,2}}(?={_BETWEEN}{_ENDS.pattern})"
_LINES_LEFT = re.compile(rf"-----BEGIN (?!{_KIND})[A-Z0-9 ]{{1,60}}-----[^-]*+|(?<![\w+/=-])(?={_SIGN}{{8}}){_LINES}")
_LAST_LEFT = re.compile(rf"(?<![\w+/=-]){_LAST}")
_LONG, _NO_SIGN = re.compile(rf"{_SIGN}{{60}}"), re.compile("[^A-Za-z0-9+/]+")
_PROSE = re.compile(r"(?:\b[^\W\dA-Z_]{2,12}[.,]?\s+){4}")
_AROUND = " \t\r\n>|*`_:"
_MOST, _LEAST = 8000, 40  # characters of one that has an end


def may_hold(text: str) -> bool:
    """Whether a text is worth a look at all."""
    return "PRIVATE KEY" in text or _LONG.search(text) is not None


def spans(text: str) -> Iterator[Span]:
    """Where private keys stand, without what says that they are."""
    for begins in _BEGINS.finditer(text):
        start = begins.end()
        at = text.find("-----", start, start + _MOST)
        end = at if at >= 0 else len(text)
        whole = text[start:at] if _ENDS.match(text, end) else ""
        if not _is_key(whole):
            found = _WORDS.match(text, start, end)
            whole = found[0] if found else ""
        if key := whole.strip(_AROUND):
            start += whole.index(key)
            yield start, start + len(key)


def remaining_spans(text: str) -> Iterator[Span]:
    """Where what is left of private keys stands that were cut."""
    yield from (found.span() for found in _LINES_LEFT.finditer(text) if not found[0].startswith("-"))
    if _ENDS.search(text):
        yield from (found.span() for found in _LAST_LEFT.finditer(text))


def _is_key(between: str) -> bool:
    """Whether this may stand between the beginning and the end of a key: no words that say what stands there."""
    return len(_NO_SIGN.sub("", between)) >= _LEAST and not _PROSE.search(between)
