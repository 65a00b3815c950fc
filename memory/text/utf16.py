"""Lengths as bots count them: in UTF-16 code units, like the strings of Java and JavaScript."""

from __future__ import annotations

import re

ELLIPSIS = "..."
# Where a text may end without a word being torn: before white space, or behind a sign that ends a sentence without any.
_ENDS = re.compile(r"\s+|(?<=[。！？])")


def count_units(text: str) -> int:
    """How many UTF-16 code units a text has: an emoji usually counts two."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def prefix(text: str, most: int) -> str:
    """The beginning of a text, at most `most` units of it, and never half a character."""
    if len(text) <= most // 2 or count_units(text) <= most:
        return text
    return text.encode("utf-16-le", "surrogatepass")[: 2 * most].decode("utf-16-le", "ignore")


def well_formed(text: str) -> str:
    """The text with a replacement character for each half of one, as Node writes it."""
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def truncate(text: str, most: int) -> str:
    """The text, or its beginning with three dots behind it, which come on top."""
    cut = prefix(text, most)
    return text if len(cut) == len(text) else cut + ELLIPSIS


def transcript_line(role: str, text: str) -> str:
    """Who said what, for a model. Lines after the first are set in: none of them passes for what somebody else said."""
    return f"{role}: " + "\n  ".join(text.splitlines())


def clip(text: str, most: int) -> str:
    """The text in at most `most` units, ended where a word ends; a text without any such place is cut where it must be."""
    cut = prefix(text, most)
    if len(cut) == len(text):
        return text
    ends = [found.start() for found in _ENDS.finditer(text, 0, len(cut) + 1) if found.start() <= len(cut)]
    whole = cut[: ends[-1]].rstrip() if ends else ""
    return whole or cut
