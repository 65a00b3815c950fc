"""A text is found wherever rows keep it, and written over: as it is, with other white space, composed otherwise, or escaped as
JSON, even four times."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

from memory.text import sentences

SHORTEST, LONGEST = 4, 2_000  # characters; what is shorter stands everywhere
MASK = b"[purged]"
_UTF8_SPACE = rb"[\t-\r\x1c-\x20]|\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2(?:\x80[\x80-\x8a\xa8\xa9\xaf]|\x81\x9f)|\xe3\x80\x80"
_ESCAPED_SPACE = rb"[nrtfv]|(?i:u(?:00(?:0[9a-d]|1[c-f]|85|a0)|1680|20(?:0[\da]|2[89f]|5f)|3000))"
_SPACE = rb"(?:" + _UTF8_SPACE + rb"|\\{1,16}(?:" + _ESCAPED_SPACE + rb"))"
MOST_SPACE = 40  # between two words
_WORD = re.compile(r"[A-Za-z0-9]+")
_UNITS = re.compile(r"\\+|[^\\]")
MANY_BACKSLASHES = 8  # that stand after each other; more of them are looked for as they are
# What Kenoweb itself writes into JSON: the name of a version or a fact, a day, a moment.
_OURS = re.compile(rb"[0-9a-f]{32}|[0-9a-f]{64}|\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:\d\d)?)?")


def pattern(text: str) -> re.Pattern[bytes]:
    """What finds a text in UTF-8. Raises ValueError for one that is too short or too long, or that the mask itself has."""
    words = [_forms(word) for word in text.split()]
    if not SHORTEST <= len("".join(text.split())) <= LONGEST:
        raise ValueError(f"not {SHORTEST} to {LONGEST} characters")
    signs = {sign for forms in words for form in forms for sign in form}
    plain = {sign: re.escape(sign.encode("utf-8", "surrogatepass")) for sign in signs}
    rest = (_next(before[0], word, plain) for before, word in pairwise(words))
    found = re.compile(_word(words[0], plain) + b"".join(rest))
    if found.search(MASK * 2):
        raise ValueError("stands in the mask")
    return found


def longest_word(text: str) -> bytes:
    """Letters and digits that stand wherever the text does, however it is written; b"" if it has none."""
    composed = unicodedata.normalize("NFC", text)
    both = text, unicodedata.normalize("NFD", text)
    words = [word for word in _WORD.findall(composed) if all(word in form for form in both)]
    return max(words, key=len, default="").encode()


def mask_bytes(data: bytes, sought: re.Pattern[bytes]) -> bytes:
    """A text with something else of the same length in place of what is sought, so that places in it stay where they are."""
    return sought.sub(lambda found: (MASK * (len(found[0]) // len(MASK) + 1))[: len(found[0])], data)


def mask_text(text: str, sought: re.Pattern[bytes]) -> str:
    """A text for people as a row keeps it: of a sentence of ours only what is filled in."""
    if not text.startswith(sentences.MARK):
        return mask_bytes(text.encode("utf-8", "surrogatepass"), sought).decode("utf-8", "surrogatepass")
    return sentences.dumps(_masked_sentence(sentences.loads(text), sought))


def mask_json(value: Any, sought: re.Pattern[bytes], names: Collection[str]) -> Any:
    """A value of JSON with its texts masked; numbers, keys, what goes by one of these `names` and what we wrote ourselves stay."""
    if isinstance(value, dict):
        return {name: one if name in names else mask_json(one, sought, names) for name, one in value.items()}
    if isinstance(value, list):
        return [mask_json(one, sought, names) for one in value]
    return mask_text(value, sought) if isinstance(value, str) and not _is_ours(value, sought) else value


def mask_lines(data: bytes) -> set[bytes]:
    """The lines in which something was masked."""
    start = MASK[:SHORTEST]
    return {line for line in data.splitlines() if start in line} if start in data else set()


def _masked_sentence(text: str, sought: re.Pattern[bytes]) -> str:
    if not isinstance(text, sentences.Say):
        return mask_text(text, sought)
    filled = {
        name: _masked_sentence(one, sought) if isinstance(one, str) else one for name, one in text.parameters.items()
    }
    return sentences.Say(text.msgid, filled, text.many)


def _is_ours(value: str, sought: re.Pattern[bytes]) -> bool:
    data = value.encode("utf-8", "surrogatepass")
    return bool(_OURS.fullmatch(data)) and not sought.fullmatch(data)


def _forms(word: str) -> list[str]:
    """A word as it was typed, and with its letters composed and decomposed."""
    return sorted({word, unicodedata.normalize("NFC", word), unicodedata.normalize("NFD", word)})


def _next(before: str, word: Sequence[str], plain: Mapping[str, bytes]) -> bytes:
    """What stands between two words, and the second, once and for all. A backslash has taken in those of an escape behind it."""
    if before.endswith("\\"):
        gap = b"(?:" + _UTF8_SPACE + b"|" + _ESCAPED_SPACE + b")" + _SPACE + b"{0,%d}" % MOST_SPACE
    else:
        gap = _SPACE + b"{1,%d}" % MOST_SPACE
    return b"(?>" + gap + _word(word, plain) + b")"


def _word(forms: Sequence[str], plain: Mapping[str, bytes]) -> bytes:
    return b"(?:" + b"|".join(_form(form, plain) for form in forms) + b")"


def _form(word: str, plain: Mapping[str, bytes]) -> bytes:
    units = _UNITS.findall(word)
    return b"".join(_way(unit, before, plain) for before, unit in pairwise(["", *units]))


def _way(unit: str, before: str, plain: Mapping[str, bytes]) -> bytes:
    """A letter, or some backslashes, as they are, or as JSON writes them. Backslashes take in those that escape what is behind
    them, once and for all, so that a long row of them is looked through in time."""
    if unit.startswith("\\"):
        most = len(unit) * 16 + 16 if len(unit) <= MANY_BACKSLASHES else len(unit)
        return rb"\\{%d,%d}+" % (len(unit), most)
    if unit in string.ascii_letters + string.digits:
        return plain[unit]
    escape = b"" if before.startswith("\\") else rb"\\{1,16}"
    return b"(?:" + plain[unit] + b"|" + escape + b"(?:" + b"|".join(_escapes(unit)) + b"))"


def _escapes(letter: str) -> list[bytes]:
    """What stands behind the backslashes."""
    halves = letter.encode("utf-16-be", "surrogatepass")
    codes = [b"u" + halves[at : at + 2].hex().encode() for at in range(0, len(halves), 2)]
    by_number = b"(?i:" + rb"\\{1,16}".join(codes) + b")"
    return [by_number, re.escape(letter.encode())] if letter in '"/' else [by_number]
