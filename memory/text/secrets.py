"""Credentials in a text, by the forms that their makers give them; what stands in prose is none."""

from __future__ import annotations

import re

_FORMS = (
    r"[0-9]{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])",  # a Telegram bot
    r"sk-[A-Za-z0-9_-]{20,200}",
    r"gh[pousr]_[A-Za-z0-9]{36,200}",
    r"github_pat_[A-Za-z0-9_]{22,200}",
    r"glpat-[A-Za-z0-9_-]{20,200}",
    r"xox[abeprs]-[A-Za-z0-9-]{10,200}",
    r"(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])",
    r"AIza[0-9A-Za-z_-]{35}",
    r"eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,2000}",
)
_SECRET = re.compile(rf"(?<![A-Za-z0-9_-])(?:{'|'.join(_FORMS)})")
REMOVED = "[removed]"
FIRST, LAST, DOTS = 4, 3, 16


def has_secret(text: str) -> bool:
    """Whether a text holds a credential."""
    return _SECRET.search(text) is not None


def masked(text: str) -> str:
    """The text with its credentials told by their first and last signs only."""
    return _SECRET.sub(lambda found: found[0][:FIRST] + "•" * DOTS + found[0][-LAST:], text)


def redacted(text: str) -> str:
    """The text without its credentials."""
    return _SECRET.sub(REMOVED, text)
