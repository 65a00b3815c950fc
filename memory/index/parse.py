"""What a walk and a look share: understanding a document, and bringing the history in step with it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from memory import journal
from memory.domain.changes import split_path
from memory.domain.dialect import Dialect
from memory.domain.errors import VaultError
from memory.domain.places import Place
from memory.index import rows
from memory.index.rows import Parsed
from memory.index.vanished import unexplained, vanished
from memory.journal import versions
from memory.journal.outside_changes import SeenDocument
from memory.journal.reconcile import Vaults
from memory.models import Bot, Document
from memory.storage import Content, Stat, Vault

# A file written this recently may be written again within the same tick of its clock: its times prove nothing yet.
YOUNG_NS = 2_000_000_000

# Documents are read and saved in portions, so that no transaction is long.
DOCUMENTS_AT_ONCE = 64
BYTES_AT_ONCE = 1 << 20

Fingerprint = tuple[int, int, int, int]


def understand(dialect: Dialect, path: str, place: Place, vault: Vault, content: Content) -> Parsed:
    """A document as its vault has it, where it may still be in the middle of being written."""
    parsed = rows.parse(dialect, path, place, content.data, content.stat)
    is_young = content.stat.mtime_ns > time.time_ns() - YOUNG_NS
    return replace(parsed, unsure=is_young and not vault.transactional)


def portions(parsed: Iterable[Parsed]) -> Iterator[list[Parsed]]:
    """What was read in portions that can be written in a short transaction each."""
    portion: list[Parsed] = []
    size = 0
    for one in parsed:
        portion.append(one)
        size += one.stat.size
        if len(portion) >= DOCUMENTS_AT_ONCE or size >= BYTES_AT_ONCE:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


def record(bot: Bot, vaults: Vaults, parsed: Sequence[Parsed]) -> list[Parsed]:
    """Bring the history in step, under the bot's lock if it is free; what could not be recorded is looked at again."""
    left = _unrecorded(bot, vaults, parsed)
    return [replace(one, unsure=True) if one.path in left else one for one in parsed]


def record_one(bot: Bot, vaults: Vaults, one: Parsed) -> Parsed:
    """The same for a document that somebody is shown: what they make of it needs this very version as its base."""
    (recorded,) = record(bot, vaults, [one])
    if recorded is not one and one.data is not None:
        versions.remember(bot, one.data)
    return recorded


def _unrecorded(bot: Bot, vaults: Vaults, parsed: Sequence[Parsed]) -> set[str]:
    """Record what can be recorded now; the paths of the others."""
    kept = {one.path: one for one in parsed if one.data is not None and one.place.keeps_history}
    if not kept:
        return set()
    try:
        with journal.locked(bot, patience=0):
            # Between reading and this lock, a commit of ours may have changed the file: then this is no news but old.
            still = {path for path, one in kept.items() if _is_still(vaults, one)}
            journal.observe(bot, [SeenDocument(path, kept[path].data, kept[path].stat) for path in still])
    except journal.Busy:
        still = set()
    return kept.keys() - still


def _is_still(vaults: Vaults, one: Parsed) -> bool:
    root, below = split_path(one.path)
    try:
        stat = vaults[root].stat(below)
    except VaultError:
        return False
    return stat is not None and fingerprint(stat) == fingerprint(one.stat)


def drop(bot: Bot, vaults: Vaults, paths: Sequence[str]) -> None:
    """Forget documents that are gone, and record their removal if we did not do it ourselves."""
    if not paths:
        return
    try:
        with journal.locked(bot, patience=0):
            really = [path for path in paths if _is_missing(vaults, path)]
            journal.observe(bot, [SeenDocument(path, None) for path in really])
    except journal.Busy:
        return
    rows.drop(bot, really)


def forget(bot: Bot, vaults: Vaults, paths: Sequence[str]) -> None:
    """The same for some that a page shows, unless they went with so many others that it looks like an accident."""
    if unexplained(bot, paths):
        known = list(Document.objects.filter(bot=bot).values_list("path", flat=True))
        gone = [path for path in known if _is_missing(vaults, path)]
        kept = set(vanished(bot, gone, len(known) - len(gone)))
        paths = [path for path in paths if path not in kept]
    drop(bot, vaults, paths)


def _is_missing(vaults: Vaults, path: str) -> bool:
    root, below = split_path(path)
    try:
        return root in vaults and vaults[root].stat(below) is None
    except VaultError:
        return False


def fingerprint(stat: Stat) -> Fingerprint:
    return stat.mtime_ns, stat.ctime_ns, stat.size, stat.inode
