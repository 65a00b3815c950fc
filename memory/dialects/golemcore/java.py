"""Texts as the bot's Java has them: counted in UTF-16 units, with its own idea of white space."""

from __future__ import annotations

import re

from memory.text.utf16 import ELLIPSIS, count_units, prefix

TRIMMED = "".join(map(chr, range(0x21)))  # what `trim` takes from the ends of a text
BREAKS = re.compile("\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")  # where the bot believes that a line ends
_WHITE = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u2028\u2029\u205f\u3000"
_NEWLINES = re.compile("[\r\n]")
_SPACES = re.compile("[ \t\n\x0b\f\r]+")


def breaks(text: str) -> bool:
    """Whether the bot would take a text for several lines."""
    return not (text.isascii() and text.isprintable()) and BREAKS.search(text) is not None


def trim(text: str) -> str:
    """The text without what is no more than a space at its ends."""
    return text.strip(TRIMMED)


def cut(text: str, size: int) -> str:
    """A text in at most `size` units, with three dots where it was longer. The bot may cut a character in half there and then
    lose the whole line, so here the character goes."""
    return text if count_units(text) <= size else prefix(text, size - len(ELLIPSIS)) + ELLIPSIS


def flat(text: str) -> str:
    """The text on one line."""
    return _NEWLINES.sub(" ", text)


def normal(text: str) -> str:
    """A text as the bot compares it."""
    return _SPACES.sub(" ", trim(flat(text)).lower())


def is_blank(text: str | None) -> bool:
    """Whether a text says nothing, white space aside."""
    return text is None or not text.strip(_WHITE)
