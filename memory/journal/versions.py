"""Every version that was ever replaced or removed: kept once by hash, whole or as a tail over its parent."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence

from django.db import connection

from memory.domain.changes import digest
from memory.models import Blob, Bot, ChangeSet, Revision
from memory.text.sentences import say

# A chain of tails this long, or a tail that is not small beside the whole, is stored whole again.
LONGEST_CHAIN = 24
SMALL_TAIL = 4
ROWS_AT_ONCE = 400
# By hand: a chain of tails is followed by recursion, which the ORM does not know.
_BLOBS = """
WITH RECURSIVE piece(version, parent, data, nth) AS (
    SELECT sha256, parent, data, 0 FROM memory_blob WHERE bot_id = %s AND sha256 IN ({names})
    UNION ALL
    SELECT piece.version, blob.parent, blob.data, piece.nth + 1
    FROM piece JOIN memory_blob blob ON blob.bot_id = %s AND blob.sha256 = piece.parent
    WHERE piece.parent <> ''
)
SELECT version, parent, data FROM piece ORDER BY version, nth DESC
"""


class Forgotten(LookupError):
    """A version that the history does not hold (any more)."""


def bytes_of(bot: Bot, sha256: str) -> bytes:
    """The bytes of a version; none of "". Raises Forgotten."""
    try:
        return bytes_of_all(bot, [sha256])[sha256] if sha256 else b""
    except KeyError:
        raise Forgotten(say("This version is not in the history.")) from None


def bytes_of_all(bot: Bot, versions: Iterable[str]) -> dict[str, bytes]:
    """The bytes of many versions, in one statement a few hundred of them; those that the history does not hold are missing."""
    pieces: dict[str, list[bytes]] = {}
    for names in _batches(sorted(set(versions) - {""})):
        with connection.cursor() as cursor:
            cursor.execute(_BLOBS.format(names=", ".join(["%s"] * len(names))), [bot.pk, *names, bot.pk])
            for version, parent, data in cursor.fetchall():
                if not parent or version in pieces:  # a version whose first piece is not held is not whole
                    pieces.setdefault(version, []).append(zlib.decompress(data))
    return {version: b"".join(parts) for version, parts in pieces.items()}


def holds(bot: Bot, sha256: str) -> bool:
    """Whether the history has the bytes of a version."""
    return Blob.objects.filter(bot=bot, sha256=sha256).exists()


def remember(bot: Bot, data: bytes, grown_from: str = "") -> str:
    """Keep a version and return its sha256. `grown_from` names a version that `data` begins with, if one is known."""
    name = digest(data)
    if holds(bot, name):
        return name
    parent = Blob.objects.filter(bot=bot, sha256=grown_from).only("size", "depth").first() if grown_from else None
    if parent is not None and parent.depth < LONGEST_CHAIN and (len(data) - parent.size) * SMALL_TAIL < len(data):
        kept, depth = data[parent.size :], parent.depth + 1
    else:
        kept, depth, grown_from = data, 0, ""
    blob = Blob(bot=bot, sha256=name, size=len(data), parent=grown_from, depth=depth, data=zlib.compress(kept, 6))
    Blob.objects.bulk_create([blob], ignore_conflicts=True)
    return name


def remember_all(bot: Bot, versions: Iterable[bytes]) -> None:
    """Keep many versions, whole, in a few statements."""
    by_name = {digest(data): data for data in versions}
    for names in _batches(sorted(by_name)):
        there = set(Blob.objects.filter(bot=bot, sha256__in=names).values_list("sha256", flat=True))
        Blob.objects.bulk_create(
            [
                Blob(bot=bot, sha256=name, size=len(by_name[name]), data=zlib.compress(by_name[name], 6))
                for name in names
                if name not in there
            ],
            ignore_conflicts=True,
        )


def sides(revision: Revision) -> tuple[bytes | None, bytes | None]:
    """A document before and after a revision; None where it did not exist. Raises Forgotten if that was never seen whole."""
    if revision.action == Revision.Action.APPEND:
        return _sides_of_append(revision)
    before = bytes_of(revision.bot, revision.before) if revision.before else None
    after = bytes_of(revision.bot, revision.after) if revision.after else None
    return before, after


def _sides_of_append(revision: Revision) -> tuple[bytes | None, bytes]:
    if revision.offset is None or not revision.after:
        raise Forgotten(say("This document has not been looked at since; only the added text is known."))
    whole = bytes_of(revision.bot, revision.after)
    end = revision.offset + len(bytes(revision.added or b""))
    before = whole[: revision.offset]
    return (before if before or revision.size_before else None), whole[:end]


def _batches(names: Sequence[str]) -> Iterable[list[str]]:
    for start in range(0, len(names), ROWS_AT_ONCE):
        yield list(names[start : start + ROWS_AT_ONCE])


def stands(made: ChangeSet | None) -> bool:
    """Whether what a change set wanted is written and was not taken back half-way; None: there was nothing to write."""
    if made is None:
        return True
    written = made.state in (ChangeSet.State.APPLIED, ChangeSet.State.SETTLING)
    # One that something stood in the way of half-way was taken back at once, by the same hand.
    return written and not (made.note and made.undone_by.filter(by=made.by).exists())
