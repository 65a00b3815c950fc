"""Every version that was ever replaced or removed: kept once by hash, whole or as its difference from an earlier one.

A difference is made from the version so many steps back as the largest power of STEP that divides its number: of a thousand
versions the newest is read through twenty others at most, and each costs some four differences and never a whole again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from operator import itemgetter
from types import MappingProxyType
from typing import TypeVar

from django.db import connection

from memory.domain.changes import digest
from memory.models import Blob, Bot, ChangeSet, Revision, quick
from memory.text.byte_cache import ByteCache
from memory.text.difference import pack, unpack
from memory.text.purging import mask_lines
from memory.text.sentences import say

T = TypeVar("T")
STEP = 8
# What is shorter, or no smaller a part of the whole, is stored whole.
SHORT = 1024
SMALL_PART = 4
ROWS_AT_ONCE = 400
FEW = 20  # that may be large, in memory at a time
HALFWAY = "halfway"  # in the details of a change set that something stood in the way of, so that it took back what it had begun
NEAR = 64 << 20  # bytes of versions that are kept at hand while all are looked through
# By hand: a chain of differences is followed by recursion, which the ORM does not know.
_PIECES = """
WITH RECURSIVE piece(version, sha256, parent, nth, data, back) AS (
    SELECT sha256, sha256, parent, nth, data, 0 FROM memory_blob WHERE bot_id = %s AND sha256 IN ({names})
    UNION ALL
    SELECT piece.version, blob.sha256, blob.parent, blob.nth, blob.data, piece.back + 1
    FROM piece JOIN memory_blob blob ON blob.bot_id = %s AND blob.sha256 = piece.parent
    WHERE piece.parent <> ''
)
SELECT version, sha256, parent, nth, data FROM piece ORDER BY version, back DESC
"""


class Forgotten(LookupError):
    """A version that the history does not hold (any more)."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """One step to a version: whole, or its difference from the piece before."""

    sha256: str
    parent: str
    nth: int
    packed: bytes


def bytes_or_none(bot: Bot, sha256: str) -> bytes | None:
    """The bytes of a version, none of ""; None if the history does not hold it."""
    return bytes_of_all(bot, [sha256]).get(sha256) if sha256 else b""


def bytes_of(bot: Bot, sha256: str) -> bytes:
    """The bytes of a version; none of "". Raises Forgotten."""
    data = bytes_or_none(bot, sha256)
    if data is None:
        raise Forgotten(say("This version isn’t in History."))
    return data


def bytes_of_all(bot: Bot, versions: Iterable[str]) -> dict[str, bytes]:
    """The bytes of many versions, in one statement a few hundred of them; those that the history does not hold are missing."""
    near: ByteCache[str, bytes] = ByteCache(NEAR)  # versions of one document are made from the same ones
    found = {name: _unpacked(pieces, near) for name, pieces in _chains(bot, versions)}
    return {name: data for name, data in found.items() if data is not None and digest(data) == name}


def _chains(bot: Bot, versions: Iterable[str]) -> Iterator[tuple[str, list[_Piece]]]:
    """Versions with the pieces that they are put together of, the whole one first."""
    for names in batches(sorted(set(versions) - {""})):
        with connection.cursor() as cursor:
            cursor.execute(_PIECES.format(names=", ".join(["%s"] * len(names))), [bot.pk, *names, bot.pk])
            rows = cursor.fetchall()
        for version, pieces in groupby(rows, key=itemgetter(0)):
            yield version, [_Piece(*row[1:]) for row in pieces]


def _unpacked(pieces: Sequence[_Piece], near: ByteCache[str, bytes]) -> bytes | None:
    """None if one of them is not held, or is not what it was."""
    if pieces[0].parent:
        return None
    over: bytes | None = b""
    for piece in pieces:
        data = near.get(piece.sha256)
        if data is None and over is not None and (data := _unpacked_over(piece.packed, over)) is not None:
            near.put(piece.sha256, data, len(data))
        over = data
    return over


def _unpacked_over(packed: bytes, over: bytes) -> bytes | None:
    try:
        return unpack(packed, over)
    except ValueError:
        return None


def each(bot: Bot) -> Iterator[tuple[str, str, bytes | None]]:
    """Every version, oldest first: its name, that of the one it is made from, its bytes, None if it is damaged. The last ones are
    kept at hand, for the next are made from them."""
    near: ByteCache[str, bytes] = ByteCache(NEAR)
    rows = Blob.objects.filter(bot=bot).order_by("pk").values_list("sha256", "parent", "data")
    for name, parent, packed in rows.iterator(chunk_size=FEW):
        over = near.get(parent) if parent else b""
        data = _unpacked_over(bytes(packed), over) if over is not None else bytes_of_all(bot, [name]).get(name)
        if data is not None and digest(data) != name:
            data = None
        if data is not None:
            near.put(name, data, len(data))
        yield name, parent, data


def sides_of(one: Revision, known: Mapping[str, bytes]) -> tuple[bytes, bytes] | None:
    """A document before and after, of an addition only what was added; None where a side is not among the `known` versions."""
    if one.action == Revision.Action.APPEND:
        return b"", bytes(one.added or b"")
    names = one.before, "" if one.action == Revision.Action.DELETE else one.after
    before, after = (known.get(name) if name else b"" for name in names)
    return None if before is None or after is None else (before, after)


def remember(bot: Bot, data: bytes, like: str = "") -> str:
    """Keep a version and return its sha256. `like` names the one that it was made from, if one is known."""
    remember_all(bot, [data], {digest(data): like})
    return digest(data)


def remember_all(bot: Bot, versions: Iterable[bytes], like: Mapping[str, str] = MappingProxyType({})) -> None:
    """Keep many versions, in a few statements. `like` names those that they were made from, by their own names. What is there and
    damaged is whole again, and with it what was made from it."""
    by_name = {digest(data): data for data in versions}
    for names in batches(sorted(by_name)):
        there = set(Blob.objects.filter(bot=bot, sha256__in=names).values_list("sha256", flat=True))
        for name in there - bytes_of_all(bot, there).keys():
            Blob.objects.filter(bot=bot, sha256=name).update(parent="", nth=0, data=pack(by_name[name]))
        fresh = [_blob(bot, name, by_name[name], like.get(name, "")) for name in names if name not in there]
        Blob.objects.bulk_create(fresh, ignore_conflicts=True)


def _blob(bot: Bot, name: str, data: bytes, like: str) -> Blob:
    """A version as it is stored: its difference from another one where that is small."""
    blob = Blob(bot=bot, sha256=name, size=len(data))
    if len(data) >= SHORT and like:
        for _, pieces in _chains(bot, [like]):
            _over(blob, data, pieces)
    if not blob.parent:
        blob.data = pack(data)
    return blob


def _over(blob: Blob, data: bytes, pieces: Sequence[_Piece]) -> None:
    """Make a blob the difference from one of these if that is small; where pruning took the right one, from the first."""
    nth = pieces[-1].nth + 1
    upto = list(takewhile(lambda piece: piece.nth <= nth - _steps(nth), pieces)) or list(pieces[:1])
    base = _unpacked(upto, ByteCache(NEAR))
    packed = pack(data, base) if base else data
    if len(packed) * SMALL_PART < len(data):
        blob.parent, blob.nth, blob.data = upto[-1].sha256, nth, packed


def _steps(nth: int) -> int:
    """So many versions back is the one that the nth is made from, which is among those that the one before is made from."""
    steps = 1
    while nth % (steps * STEP) == 0:
        steps *= STEP
    return steps


def drop(bot: Bot, names: Collection[str], instead: Mapping[str, str] = MappingProxyType({})) -> None:
    """Forget versions for good. What was made from one of them is made anew from another that stays, such as the one that is
    there `instead`, or is whole."""
    rows = Blob.objects.filter(bot=bot).order_by("pk").values_list("sha256", "parent")
    parents = dict(rows.iterator())
    heirs = dict(instead)
    for name, parent in parents.items():
        if parent in names and name not in names:
            _rebase(bot, name, parents, names, heirs)
    for some in batches(sorted(names)):
        Blob.objects.filter(bot=bot, sha256__in=some).delete()


def _rebase(bot: Bot, name: str, parents: dict[str, str], gone: Collection[str], heirs: dict[str, str]) -> None:
    """`heirs`: for each version that goes, the one that others are made from in its place."""
    above, lost = parents[name], []
    while above in gone and above not in heirs:
        lost.append(above)
        above = parents.get(above, "")
    like = heirs.get(above, above)
    found = bytes_of_all(bot, [name, like])
    if name not in found:
        return
    packed = pack(found[name], found[like]) if like in found else b""
    if not packed or len(packed) * SMALL_PART >= len(found[name]):
        like, packed = "", pack(found[name])
    heirs.update(dict.fromkeys(lost, like or name))
    parents[name] = like
    Blob.objects.filter(bot=bot, sha256=name).update(parent=like, data=packed)


def must_be_kept(revision: Revision) -> None:
    """Raises Forgotten for a revision whose text was pruned."""
    if revision.pruned:
        raise Forgotten(say("%(path)s: this version was deleted, as set in the bot’s settings.", path=revision.path))


def must_not_return(revision: Revision, data: bytes | None, beside: bytes | None) -> None:
    """Raises Forgotten for bytes that would bring back lines of which a text was purged; `beside` has its own already."""
    if revision.purged and mask_lines(data or b"") - mask_lines(beside or b""):
        raise Forgotten(
            say("%(path)s: a text was purged from this version, so it can’t be restored.", path=revision.path)
        )


def sides(revision: Revision) -> tuple[bytes | None, bytes | None]:
    """A document before and after a revision; None where it did not exist. Raises Forgotten if it was pruned, or not seen whole."""
    must_be_kept(revision)
    if revision.action == Revision.Action.APPEND:
        return _sides_of_append(revision)
    before = bytes_of(revision.bot, revision.before) if revision.before else None
    after = bytes_of(revision.bot, revision.after) if revision.after else None
    return before, after


def _sides_of_append(revision: Revision) -> tuple[bytes | None, bytes]:
    if revision.offset is None or not revision.after:
        raise Forgotten(say("This file hasn’t been read since; only the added text is known."))
    whole = bytes_of(revision.bot, revision.after)
    end = revision.offset + len(bytes(revision.added or b""))
    before = whole[: revision.offset]
    return (before if before or revision.size_before else None), whole[:end]


def batches(names: Sequence[T]) -> Iterable[Sequence[T]]:
    """A few hundred at a time, which is what one statement takes."""
    return quick.batches(names, ROWS_AT_ONCE)


def was_written(made: ChangeSet | None) -> bool:
    """Whether what a change set wanted was written, all of it, whoever undid it since; None: there was nothing."""
    if made is None:
        return True
    return made.state in (ChangeSet.State.APPLIED, ChangeSet.State.SETTLING) and not made.details.get(HALFWAY)
