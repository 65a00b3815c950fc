"""Which documents are gone in a way that looks like an accident: they stay listed until somebody says that it was meant."""

from __future__ import annotations

from collections.abc import Sequence

from memory.index.rows import ROWS_AT_ONCE
from memory.models import Bot, Head, quick

# Losing this many documents at once, and this share of them, looks like an accident and is asked about.
MANY_GONE = 20
SHARE_GONE = 0.5
# And so does an empty directory where at least so many documents were: what a disk leaves behind that is not mounted.
ALL_GONE = 3


def vanished(bot: Bot, gone: Sequence[str], left: int) -> list[str]:
    """Those of the documents that are gone by nobody's known hand, if they are so many that it looks like an accident."""
    if len(gone) <= MANY_GONE and (left or len(gone) < ALL_GONE):
        return []
    missed = unexplained(bot, gone)
    many = len(missed) > MANY_GONE and len(missed) > SHARE_GONE * (left + len(missed))
    return missed if many or (not left and len(missed) >= ALL_GONE) else []


def unexplained(bot: Bot, gone: Sequence[str]) -> list[str]:
    """Those of the documents that are gone by nobody's known hand: not by us, and not seen to be gone before."""
    removed: set[str] = set()
    for part in quick.batches(gone, ROWS_AT_ONCE):
        heads = Head.objects.filter(bot=bot, path__in=part, sha256="")
        removed.update(heads.values_list("path", flat=True))
    return [path for path in gone if path not in removed]
