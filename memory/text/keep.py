"""What a database can keep: text is UTF-8 there, without NUL; files and their names may be anything."""

from __future__ import annotations

import re

_HALVES = re.compile(
    "[\ud800-\udc7f\udd00-\udfff]"
)  # of characters: JSON can hold them; a byte that was no UTF-8 is none

ODD_NAME = "The name of this file is no text. It is left alone; rename it to see it here."


def keepable(text: str) -> str:
    """The text as every database and JSON can keep it: no NUL, and a mark where a byte was no UTF-8 or half a character."""
    plain = text.replace("\0", "\ufffd")
    try:
        return plain.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:
        return _HALVES.sub("\ufffd", plain).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def is_keepable(text: str) -> bool:
    """Whether a text can be kept as it is."""
    if "\0" in text:
        return False
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
