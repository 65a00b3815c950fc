"""Look at the files, read what differs from the rows, bring rows and history in step."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from django.utils import timezone
from filelock import FileLock, Timeout

from memory import bots, history, journal
from memory.changes import digest, join_path, split_path
from memory.dialects.base import Dialect, Place
from memory.journal.fit import Vaults
from memory.journal.observe import Seen
from memory.library import rows
from memory.library.rows import ROWS_AT_ONCE, Parsed
from memory.models import Bot, Document, Head
from memory.text.keep import is_keepable, keepable
from memory.vault import Content, Found, RootGone, Stat, Unreadable, VaultError

# A file written this recently may be written again within the same tick of its clock: its times prove nothing yet.
YOUNG_NS = 2_000_000_000
# Documents are read and saved in portions, so that no transaction is long.
DOCUMENTS_AT_ONCE = 64
BYTES_AT_ONCE = 1 << 20
# Facts of a larger document are left to the walk: nobody waits for them to see the text.
BYTES_AT_A_LOOK = 1 << 20
# Losing this many documents at once, and this share of them, looks like an accident and is asked about.
MANY_GONE = 20
SHARE_GONE = 0.5
# And so does an empty directory where at least so many documents were: what a disk leaves behind that is not mounted.
ALL_GONE = 3

Fingerprint = tuple[int, int, int, int]


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


@dataclass(frozen=True, slots=True)
class Looked:
    """One document, fresh from the file: no `data` and no `error` means there is none."""

    document: Document | None
    data: bytes | None = None
    sha256: str | None = None
    error: str = ""
    stat: Stat | None = None


@dataclass(slots=True)
class _Walk:
    """What one walk over the files gathers."""

    known: dict[str, tuple[Fingerprint, str]]
    suspects: list[tuple[str, Place, Found]] = field(default_factory=list)
    blind: list[str] = field(default_factory=list)  # directories that could not be listed
    errors: dict[str, str] = field(default_factory=dict)
    others: int = 0
    documents: int = 0
    trouble: str = ""


def refresh(bot: Bot, *, patience: float = 0.5, accept_vanished: bool = False) -> Refreshed:
    """Walk over all of a bot's files and bring rows and history in step. One walk a bot at a time."""
    try:
        with FileLock(journal.lock_path(f"walk-{bot.pk}.lock"), timeout=patience):
            return _refresh(bot, patience, accept_vanished)
    except Timeout:
        return Refreshed(elsewhere=True)


def reindex(bot: Bot) -> Refreshed:
    """Drop the index of a bot and build it from the files. History, settings and people's words are not touched."""
    Document.objects.filter(bot=bot).delete()
    return refresh(bot, patience=20, accept_vanished=True)


def look(bot: Bot, path: str) -> Looked:
    """Read one document from its file and bring its rows in step (of a very large one, all but its facts). The error is for
    people."""
    dialect, vaults = bots.dialect(bot), bots.vaults(bot)
    place = dialect.describe(path)
    root, below = split_path(path)
    if place is None or root not in vaults or not is_keepable(path):
        return Looked(None)
    try:
        content = vaults[root].read(below)
    except Unreadable as error:
        document = Document.objects.filter(bot=bot, path=path).first()
        Document.objects.filter(bot=bot, path=path).update(error=str(error))
        return Looked(document, error=str(error))
    if content is None:
        _drop(bot, vaults, [path])
        return Looked(None)
    row = Document.objects.filter(bot=bot, path=path).first()
    sha256 = digest(content.data)
    if row is None or row.error or _print(content.stat) != (row.mtime_ns, row.ctime_ns, row.size, row.inode):
        if len(content.data) > BYTES_AT_A_LOOK:
            rows.note(bot, _record_one(bot, vaults, Parsed(path, place, content.stat, content.data)))
        else:
            rows.save(bot, [_record_one(bot, vaults, _understand(dialect, path, place, content))])
        row = Document.objects.get(bot=bot, path=path)
    return Looked(row, content.data, sha256, stat=content.stat)


def _refresh(bot: Bot, patience: float, accept_vanished: bool) -> Refreshed:
    dialect, vaults = bots.dialect(bot), bots.vaults(bot)
    trouble = _tidy(bot, patience)
    walk = _walk(bot, dialect, vaults)
    changed = []
    for portion in _portions(_read(dialect, vaults, walk)):
        rows.save(bot, _record(bot, vaults, portion))
        changed += [one.path for one in portion if not one.error]
    gone = [path for path in walk.known if not _is_blind(path, walk.blind)]
    vanished = [] if accept_vanished else _vanished(bot, gone, walk.documents)
    gone = sorted(set(gone) - set(vanished))
    _drop(bot, vaults, gone)
    trouble = walk.trouble or (_many_vanished(len(vanished)) if vanished else trouble)
    Bot.objects.filter(pk=bot.pk).update(walked=timezone.now(), trouble=trouble)
    return Refreshed(
        documents=walk.documents,
        changed=tuple(changed),
        gone=tuple(gone),
        others=walk.others,
        errors=walk.errors,
        trouble=trouble,
        vanished=tuple(vanished),
    )


def _vanished(bot: Bot, gone: Sequence[str], left: int) -> list[str]:
    """Those of the documents that are gone by nobody's known hand, if they are so many that it looks like an accident."""
    if len(gone) <= MANY_GONE and (left or len(gone) < ALL_GONE):
        return []
    removed: set[str] = set()  # by us, or seen to be gone before
    for start in range(0, len(gone), ROWS_AT_ONCE):
        heads = Head.objects.filter(bot=bot, path__in=gone[start : start + ROWS_AT_ONCE], sha256="")
        removed.update(heads.values_list("path", flat=True))
    missed = [path for path in gone if path not in removed]
    many = len(missed) > MANY_GONE and len(missed) > SHARE_GONE * (left + len(missed))
    return missed if many or (not left and len(missed) >= ALL_GONE) else []


def _many_vanished(count: int) -> str:
    return f"{count} documents vanished at once. They are still listed here as they were; say whether that was meant."


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
    fields = ("path", "mtime_ns", "ctime_ns", "size", "inode", "error")
    for path, mtime_ns, ctime_ns, size, inode, error in Document.objects.filter(bot=bot).values_list(*fields):
        walk.known[path] = ((mtime_ns, ctime_ns, size, inode), error)
    for root, vault in vaults.items():
        try:
            for found in vault.scan():
                _meet(walk, dialect, root, found)
        except RootGone as error:
            walk.blind.append(join_path(root, ""))
            if root == "memory":
                walk.trouble = str(error)
    return walk


def _meet(walk: _Walk, dialect: Dialect, root: str, found: Found) -> None:
    path = join_path(root, found.path)
    known = walk.known.pop(path, None)
    stat = found.stat
    if known is not None and not found.error and known == ((stat.mtime_ns, stat.ctime_ns, stat.size, stat.inode), ""):
        walk.documents += 1
        return
    if path.endswith("/"):
        walk.blind.append(path)
        walk.errors[path] = found.error
        return
    place = dialect.describe(path)
    if place is None:
        walk.others += 1
        return
    if not is_keepable(path):
        walk.errors[keepable(path)] = "The name of this file is no text. It is left alone; rename it to see it here."
        return
    walk.documents += 1
    walk.suspects.append((path, place, found))


def _is_blind(path: str, blind: Sequence[str]) -> bool:
    return any(path.startswith(prefix) and (prefix or not path.startswith("@")) for prefix in blind)


def _read(dialect: Dialect, vaults: Vaults, walk: _Walk) -> Iterator[Parsed]:
    """Read and understand every document that differs; what cannot be read becomes a row that says why."""
    for path, place, found in walk.suspects:
        root, below = split_path(path)
        error = found.error
        if not error:
            try:
                content = vaults[root].read(below)
            except Unreadable as problem:
                error = str(problem)
            else:
                if content is not None:
                    yield _understand(dialect, path, place, content)
                continue
        walk.errors[path] = error
        yield Parsed(path, place, found.stat, error=error)


def _understand(dialect: Dialect, path: str, place: Place, content: Content) -> Parsed:
    parsed = rows.parse(dialect, path, place, content.data, content.stat)
    return replace(parsed, unsure=content.stat.mtime_ns > time.time_ns() - YOUNG_NS)


def _portions(parsed: Iterable[Parsed]) -> Iterator[list[Parsed]]:
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


def _record(bot: Bot, vaults: Vaults, parsed: Sequence[Parsed]) -> list[Parsed]:
    """Bring the history in step, under the bot's lock if it is free; what could not be recorded is looked at again."""
    left = _unrecorded(bot, vaults, parsed)
    return [replace(one, unsure=True) if one.path in left else one for one in parsed]


def _record_one(bot: Bot, vaults: Vaults, one: Parsed) -> Parsed:
    """The same for a document that somebody is shown: what they make of it needs this very version as its base."""
    (recorded,) = _record(bot, vaults, [one])
    if recorded is not one and one.data is not None:
        history.remember(bot, one.data)
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
            journal.observe(bot, [Seen(path, kept[path].data, kept[path].stat) for path in still])
    except journal.Busy:
        still = set()
    return kept.keys() - still


def _is_still(vaults: Vaults, one: Parsed) -> bool:
    root, below = split_path(one.path)
    try:
        stat = vaults[root].stat(below)
    except VaultError:
        return False
    return stat is not None and _print(stat) == _print(one.stat)


def _drop(bot: Bot, vaults: Vaults, paths: Sequence[str]) -> None:
    """Forget documents that are gone, and record their removal if we did not do it ourselves."""
    if not paths:
        return
    try:
        with journal.locked(bot, patience=0):
            really = [path for path in paths if _is_missing(vaults, path)]
            journal.observe(bot, [Seen(path, None) for path in really])
    except journal.Busy:
        return
    rows.drop(bot, really)


def _is_missing(vaults: Vaults, path: str) -> bool:
    root, below = split_path(path)
    try:
        return root in vaults and vaults[root].stat(below) is None
    except VaultError:
        return False


def _print(stat: Stat) -> Fingerprint:
    return stat.mtime_ns, stat.ctime_ns, stat.size, stat.inode
