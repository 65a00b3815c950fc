"""A message as what is looked for: by the bot, and by Kenoweb where it answers itself.

The bot sees runs of a to z, digits and underscores. Kenoweb looks for words of any script; FTS5 cuts none out of scripts that are
written without spaces, so there every two signs that stand together count as a word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

MOST = 16  # words of a message that are looked for

_ASCII = re.compile(r"[a-z0-9_]{2,}")
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0eff\U00020000-\U0003134f]+")
# vowels that Hebrew and Arabic mostly leave out
_UNSAID = re.compile(r"[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]")


def bots(text: str) -> str:
    """What the bot asks its index for, as a query of FTS5; "" for nothing."""
    return " OR ".join(_first(_ASCII.findall(text.lower())))


def ours(text: str) -> str:
    """The same for words of any script."""
    words = "".join(sign if _is_part(sign) else " " for sign in spread(text)).split()
    return " OR ".join(f'"{word}"' for word in _first(word for word in words if len(word) > 1 or not word.isascii()))


def spread(text: str) -> str:
    """A text in which words of any script are found: those of scripts without spaces in twos, with spaces between them."""
    low = text.lower()
    if low.isascii():
        return low
    return _DENSE.sub(_in_twos, _UNSAID.sub("", unicodedata.normalize("NFC", low)))


def _first(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))[:MOST]


def _in_twos(run: re.Match[str]) -> str:
    signs = run[0]
    return f" {' '.join(signs[at : at + 2] for at in range(max(len(signs) - 1, 1)))} "


def _is_part(sign: str) -> bool:
    category = unicodedata.category(sign)
    return category[0] in "LNM" or category == "Co"
