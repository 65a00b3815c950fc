"""Walk over all files of a bot, read what differs from the rows, bring rows and history in step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import accumulate

from django.db import transaction
from django.utils import timezone

from memory import journal
from memory.bots import open_bot
from memory.domain.changes import MEMORY_ROOT, join_path, split_path
from memory.domain.dialect import Dialect
from memory.domain.errors import RootGone, Unreadable, VaultError
from memory.domain.places import Kind, Place
from memory.index import rows
from memory.index.parse import Fingerprint, drop, fingerprint, portions, record, understand
from memory.index.rows import Parsed
from memory.index.vanished import vanished
from memory.journal.reconcile import Vaults
from memory.journal.shapes import Staged, untold
from memory.models import Bot, Document, clear_index
from memory.storage import FileEntry, Stat, locks
from memory.text.sentences import say
from memory.text.storable import NO_TEXTS, ODD_NAME, is_keepable, keepable

LATEST = 250_000_000_000  # seconds after 1970 that are a date: a file system may say anything


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a walk found. `trouble` says for people what could not be looked at; rows of such documents are left as they were."""

    documents: int = 0
    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    others: int = 0  # files the dialect does not describe: counted, not opened
    errors: dict[str, str] = field(default_factory=dict)
    trouble: str = ""
    vanished: tuple[str, ...] = ()  # many documents gone at once, not dropped before somebody says so
    elsewhere: bool = False  # another process is walking; nothing was done here


@dataclass(slots=True)
class _Walk:
    """What one walk over the files gathers."""

    known: dict[str, tuple[Fingerprint | None, str]]
    suspects: list[tuple[str, Place, FileEntry]] = field(default_factory=list)
    blind: list[str] = field(default_factory=list)  # directories that could not be listed
    errors: dict[str, str] = field(default_factory=dict)
    others: int = 0
    documents: int = 0
    trouble: str = ""


def refresh(bot: Bot, *, patience: float = 0.5, accept_vanished: bool = False, looking: Staged = untold) -> Refreshed:
    """Walk over all of a bot's files and bring rows and history in step. One walk a bot at a time. `looking` hears how many of how
    many kilobytes were read."""
    try:
        with locks.lock(f"walk-{bot.pk}", patience):
            return _refresh(bot, patience, accept_vanished, looking)
    except locks.Timeout:
        return Refreshed(elsewhere=True)


def reindex(bot: Bot) -> Refreshed:
    """Drop the index of a bot and build it from the files. History, settings and people's words are not touched."""
    with transaction.atomic():
        clear_index(bot)
    return refresh(bot, patience=20, accept_vanished=True)


def _refresh(bot: Bot, patience: float, accept_vanished: bool, looking: Staged) -> Refreshed:
    dialect, vaults = open_bot(bot).dialect, open_bot(bot).vaults
    trouble = _tidy(bot, patience)
    walk = _walk(bot, dialect, vaults)
    changed = []
    for portion in portions(_read(dialect, vaults, walk, looking)):
        rows.save(bot, record(bot, vaults, portion))
        changed += [one.path for one in portion if not one.error]
    gone = [path for path in walk.known if not _is_blind(path, walk.blind)]
    missed = [] if accept_vanished else vanished(bot, gone, walk.documents)
    gone = sorted(set(gone) - set(missed))
    drop(bot, vaults, gone)
    trouble = walk.trouble or (_many_vanished(len(missed)) if missed else trouble)
    # What is shown is no younger than the last walk that saw the files.
    seen = {} if walk.trouble or missed else {"walked": timezone.now(), "others": walk.others}
    Bot.objects.filter(pk=bot.pk).update(trouble=trouble, **seen)
    return Refreshed(
        documents=walk.documents,
        changed=tuple(changed),
        gone=tuple(gone),
        others=walk.others,
        errors=walk.errors,
        trouble=trouble,
        vanished=tuple(missed),
    )


def _many_vanished(count: int) -> str:
    return say(
        "%(count)s files disappeared at once. They are still listed; confirm if that was intended.",
        count=count,
    )


def _tidy(bot: Bot, patience: float) -> str:
    """Finish what was cut off and bring late appends home, if nobody is writing just now."""
    try:
        journal.settle_and_recover(bot, patience)
    except journal.Busy:
        return ""
    except VaultError as error:
        return str(error)
    return ""


def _walk(bot: Bot, dialect: Dialect, vaults: Vaults) -> _Walk:
    """Compare every file with its row. What is left in `known` afterwards was not met."""
    walk = _Walk({})
    fields = ("path", "mtime_ns", "ctime_ns", "size", "inode", "error", "rules")
    for path, mtime_ns, ctime_ns, size, inode, error, rules in Document.objects.filter(bot=bot).values_list(*fields):
        walk.known[path] = ((mtime_ns, ctime_ns, size, inode) if rules == rows.RULES else None, error)
    for root, vault in vaults.items():
        try:
            for found in vault.scan():
                _meet(walk, dialect, root, found)
        except RootGone as error:
            walk.blind.append(join_path(root, ""))
            if root == MEMORY_ROOT or vault.transactional:  # the others may be missing
                walk.trouble = walk.trouble or str(error)
    walk.suspects.sort(key=_by_age)
    return walk


def _by_age(suspect: tuple[str, Place, FileEntry]) -> tuple[bool, str, str]:
    """When a document was written, as far as it tells, and its path: of what is indexed first the rows are the older ones. What
    is archived comes before all else, whenever that was done."""
    path, place, found = suspect
    at = datetime.fromtimestamp(min(max(found.stat.mtime_ns // 10**9, 0), LATEST), UTC)
    return place.kind is not Kind.ARCHIVE, place.day or at.isoformat(), path


def _meet(walk: _Walk, dialect: Dialect, root: str, found: FileEntry) -> None:
    path = join_path(root, found.path)
    known = walk.known.pop(path, None)
    stat = found.stat
    if known is not None and not found.error and _is_known(known, stat):
        walk.documents += 1
        if known[1]:
            walk.errors[path] = known[1]
        return
    if path.endswith("/"):
        walk.blind.append(path)
        walk.errors[path] = found.error
        return
    place = dialect.describe(path)
    if place is None:
        walk.others += not dialect.is_its_own(path)
        return
    if not is_keepable(path):
        walk.errors[keepable(path)] = ODD_NAME
        return
    walk.documents += 1
    walk.suspects.append((path, place, found))


def _is_known(known: tuple[Fingerprint | None, str], stat: Stat) -> bool:
    """Whether a file is as it was read last, or as it was found to be no text."""
    return known[0] == fingerprint(stat) and (not known[1] or known[1] in NO_TEXTS)


def _is_blind(path: str, blind: Sequence[str]) -> bool:
    return any(path.startswith(prefix) and (prefix or not path.startswith("@")) for prefix in blind)


def _read(dialect: Dialect, vaults: Vaults, walk: _Walk, looking: Staged = untold) -> Iterator[Parsed]:
    """Read and understand every document that differs; what cannot be read becomes a row that says why."""
    read = list(accumulate((1 + found.stat.size // 1024 for *_place, found in walk.suspects), initial=0))
    for done, (path, place, found) in zip(read, walk.suspects, strict=False):
        looking(done, read[-1])
        root, below = split_path(path)
        error = found.error
        if not error and not place.is_read:
            yield Parsed(path, place, found.stat)
            continue
        if not error:
            try:
                content = vaults[root].read(below)
            except Unreadable as problem:
                error = str(problem)
            else:
                if content is not None:
                    parsed = understand(dialect, path, place, vaults[root], content)
                    if parsed.error:
                        walk.errors[path] = parsed.error
                    yield parsed
                continue
        walk.errors[path] = error
        yield Parsed(path, place, found.stat, error=error)
