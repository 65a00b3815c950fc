"""Words as the bot's index has them, and a message as what is looked for in it.

The index is FTS5 with its `unicode61` tokenizer: runs of letters and digits, lower case, marks above and below left out. FTS5
cuts no words out of scripts that are written without spaces, so there every two signs that stand together count as a word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

MOST = 16  # words of a message that are looked for
REMEMBERED = 16_384  # entries whose words are kept: a long chat's, from one message to the next

Phrase = tuple[str, ...]

_ASCII = re.compile(r"[a-z0-9_]{2,}")
_PLAIN = re.compile(r"[a-z0-9]+")
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0eff\U00020000-\U0003134f]+")
_LETTERS = ("L", "N")


@lru_cache(REMEMBERED)
def index(text: str, *, pairs: bool) -> tuple[str, ...]:
    """The words of an entry. `pairs`: those of scripts without spaces in twos."""
    found = _words(text)
    return tuple(part for word in found for part in _parts(word)) if pairs and not text.isascii() else tuple(found)


def asked(text: str, *, ascii_only: bool) -> Sequence[Phrase]:
    """What is looked for, each a run of words that have to stand together: the first distinct ones of a message."""
    if ascii_only:
        tokens = dict.fromkeys(_ASCII.findall(text.lower()))
        phrases = [tuple(_words(token)) for token in list(tokens)[:MOST]]
        return [phrase for phrase in phrases if phrase]
    words = (part for word in _words(text) for part in _parts(word))
    return [(word,) for word in dict.fromkeys(word for word in words if len(word) > 1 or not word.isascii())][:MOST]


def _parts(word: str) -> Iterator[str]:
    at = 0
    for run in _DENSE.finditer(word):
        if run.start() > at:
            yield word[at : run.start()]
        signs = run[0]
        yield from (signs[n : n + 2] for n in range(max(len(signs) - 1, 1)))
        at = run.end()
    if at < len(word):
        yield word[at:]


def _words(text: str) -> list[str]:
    if text.isascii():
        return _PLAIN.findall(text.lower())
    plain = "".join(sign for sign in unicodedata.normalize("NFD", text) if unicodedata.category(sign) != "Mn")
    return "".join(sign if _is_letter(sign) else " " for sign in unicodedata.normalize("NFC", plain).lower()).split()


def _is_letter(sign: str) -> bool:
    category = unicodedata.category(sign)
    return category[0] in _LETTERS or category == "Co"
