"""What a database can keep: text is UTF-8 there, without NUL; files and their names may be anything."""

from __future__ import annotations

import re

from memory.text.sentences import say

DIGITS = 18  # of a number that every database can keep
QUOTED = 60  # characters of a text that a sentence is about
_BEFORE = 20  # of them that stand before a difference

# of characters: JSON can hold them; a byte that was no UTF-8 is none
_HALVES = re.compile("[\ud800-\udc7f\udd00-\udfff]")

ODD_NAME = say("The file name isn’t valid text. Rename the file to see it here.")


_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")  # what UTF-16 and UTF-32 begin with
_LOOKED_AT = 8192  # bytes
_NULS = 10  # one among so many bytes is more than a slip
UTF_16 = say("It is UTF-16 or UTF-32, but bots read UTF-8. Save it as UTF-8 to see its facts here.")
NOT_TEXT = say("It isn’t a text file. It is not read for facts and stays unchanged.")
NO_TEXTS = frozenset((UTF_16, NOT_TEXT))


def text_problem(data: bytes) -> str:
    """Why bytes are no text at all, for people; "" if they are, some odd bytes or a NUL among them included. NULs at the end are
    what a power cut leaves."""
    if data.startswith(_WIDE):
        return UTF_16
    start = data[:_LOOKED_AT]
    return NOT_TEXT if start.rstrip(b"\0").count(0) * _NULS > len(start) else ""


def as_utf8(text: str) -> str:
    """A text of a file, or its name, as programs read it: the replacement character for a byte that was no UTF-8."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def keepable(text: str) -> str:
    """The text as every database and JSON can keep it: no NUL, and a mark where a byte was no UTF-8 or half a character."""
    plain = text.replace("\0", "\ufffd")
    try:
        return as_utf8(plain)
    except UnicodeEncodeError:
        return as_utf8(_HALVES.sub("\ufffd", plain))


def as_number(text: str, digits: int = DIGITS) -> int | None:
    """The number that somebody sent, as far as it has so many digits; None for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


def is_keepable(text: str) -> bool:
    """Whether a text can be kept as it is."""
    if "\0" in text:
        return False
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def quote_pair(before: str, after: str) -> tuple[str, str]:
    """Two texts like `quote`; of long ones that begin alike, what is around the first difference."""
    one, two = (" ".join(keepable(text).split()) for text in (before, after))
    alike = next((n for n, (was, now) in enumerate(zip(one, two, strict=False)) if was != now), min(len(one), len(two)))
    space = one.find(" ", alike - _BEFORE, alike)
    start = space + 1 if space >= 0 else alike - _BEFORE
    if alike <= QUOTED - _BEFORE:
        return quote(one), quote(two)
    return quote(f"…{one[start:]}"), quote(f"…{two[start:]}")


def quote(text: str, most: int = QUOTED) -> str:
    """A text on one line in quotation marks, to stand in a sentence that is kept; of a long one its beginning."""
    line = " ".join(keepable(text).split())
    return f"“{line}”" if len(line) <= most else f"“{line[:most].rstrip()}…”"
