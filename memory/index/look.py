"""Look at single documents: those that a page shows, not the whole tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from memory.bots import open_bot
from memory.domain.changes import digest, is_safe_path, split_path
from memory.domain.errors import Unreadable
from memory.domain.places import Place
from memory.index import rows
from memory.index.parse import fingerprint, forget, portions, record, record_one, understand
from memory.index.rows import Parsed
from memory.models import Bot, Document
from memory.storage import Content, Stat, Vault
from memory.storage.database import unless_in_trouble
from memory.text.sentences import say
from memory.text.storable import NO_TEXTS, is_keepable

# Facts of a larger document are left to the walk: nobody waits for them to see the text.
BYTES_AT_A_LOOK = 1 << 20
NOT_OPENED = say("This file isn’t one of the bot’s notes. It is listed but not opened.")

Found = tuple[Place, Vault, str]  # what a path is, its root and its name in there


@dataclass(frozen=True, slots=True)
class Looked:
    """One document, fresh from the file: no `data` and no `error` means there is none."""

    document: Document | None
    data: bytes | None = None
    sha256: str | None = None
    error: str = ""
    stat: Stat | None = None


def look(bot: Bot, path: str) -> Looked:
    """Read one document from its file and bring its rows in step (of a very large one, all but its facts). The error is for
    people."""
    found = _find(bot, [path]).get(path)
    if found is None:
        return Looked(None)
    place, vault, below = found
    if not place.is_read:
        look_all(bot, [path])
        return Looked(Document.objects.filter(bot=bot, path=path).first(), error=NOT_OPENED)
    row = Document.objects.filter(bot=bot, path=path).first()
    try:
        content = vault.read(below)
    except Unreadable as error:
        if row is not None and row.error != str(error):
            with unless_in_trouble():
                rows.fail(bot, {path: str(error)})
        return Looked(row, error=str(error))
    if content is None:
        if row is not None:
            with unless_in_trouble():
                forget(bot, open_bot(bot).vaults, [path])
        return Looked(None)
    if not _is_in_step(row, content.stat):
        with unless_in_trouble():
            parsed = record_one(bot, open_bot(bot).vaults, _parse(bot, row, path, found, content))
            if not _is_noted(row, content):
                _keep(bot, [parsed])
                row = Document.objects.get(bot=bot, path=path)
    elif row is not None and row.sha256 and vault.transactional:
        return Looked(row, content.data, row.sha256, stat=content.stat)
    if row is not None and row.error in NO_TEXTS:
        return Looked(row, error=row.error)
    return Looked(row, content.data, digest(content.data), stat=content.stat)


def look_all(bot: Bot, paths: Iterable[str]) -> dict[str, str]:
    """Bring the rows of the documents that a page shows in step, reading only those whose files differ. What cannot be read
    keeps its rows: path -> why, for people. Meant for some fifty; where nothing changed it costs a stat each and one statement."""
    places = _find(bot, paths)
    known = {row.path: row for row in Document.objects.filter(bot=bot, path__in=list(places))}
    return _bring_in_step(bot, places, known)[0]


def look_behind(bot: Bot, known: Mapping[str, Document], paths: Iterable[str]) -> bool:
    """The same for a page that has the rows already: whether it has to ask for them again. `paths` that are not `known` have
    no row."""
    return _bring_in_step(bot, _find(bot, paths), known)[1]


def look_over(bot: Bot, known: Mapping[str, Document], paths: Iterable[str]) -> tuple[dict[str, str], bool]:
    """Both: what cannot be read, path -> why, for people; and whether the page has to ask for its rows again."""
    return _bring_in_step(bot, _find(bot, paths), known)


def _bring_in_step(bot: Bot, places: Mapping[str, Found], known: Mapping[str, Document]) -> tuple[dict[str, str], bool]:
    """What cannot be read, and whether any row is another one now."""
    errors: dict[str, str] = {}
    gone: list[str] = []
    changed = False
    for portion in portions(_read_differing(bot, places, known, errors, gone)):
        with unless_in_trouble():
            _keep(bot, record(bot, open_bot(bot).vaults, portion))
        changed = True
    news = {path: why for path, why in errors.items() if path in known and known[path].error != why}
    with unless_in_trouble():
        if gone:
            forget(bot, open_bot(bot).vaults, gone)
        rows.fail(bot, news)
    return errors, bool(changed or gone or news)


def _read_differing(
    bot: Bot, places: Mapping[str, Found], known: Mapping[str, Document], errors: dict[str, str], gone: list[str]
) -> Iterator[Parsed]:
    """What differs from its row, read and understood; what is gone or cannot be read goes into the other two."""
    for path, (place, vault, below) in places.items():
        try:
            stat = vault.stat(below)
            if stat is not None and _is_in_step(known.get(path), stat):
                continue
            if stat is not None and not place.is_read:
                yield Parsed(path, place, stat)
                continue
            content = vault.read(below) if stat is not None else None
            if content is not None and _is_noted(known.get(path), content):
                continue
        except Unreadable as error:
            errors[path] = str(error)
            continue
        if content is not None:
            yield _parse(bot, known.get(path), path, (place, vault, below), content)
        elif path in known:
            gone.append(path)


def _parse(bot: Bot, row: Document | None, path: str, found: Found, content: Content) -> Parsed:
    place, vault, _below = found
    if len(content.data) > BYTES_AT_A_LOOK:
        large = Parsed(path, place, content.stat, content.data)
        if row is None or not rows.is_near(bot, large, row):
            return large
    return understand(open_bot(bot).dialect, path, place, vault, content)


def _keep(bot: Bot, parsed: Sequence[Parsed]) -> None:
    large = [one for one in parsed if one.stat.size > BYTES_AT_A_LOOK and not one.facts]
    if large:
        rows.note(bot, large)
    if len(large) < len(parsed):
        rows.save(bot, [one for one in parsed if one not in large])


def _is_noted(row: Document | None, content: Content) -> bool:
    """Whether a very large document's row names this version already, and its facts wait for the walk."""
    if row is None or row.error or row.ctime_ns or len(content.data) <= BYTES_AT_A_LOOK:
        return False
    return row.mtime_ns == content.stat.mtime_ns and row.sha256 == digest(content.data)


def _find(bot: Bot, paths: Iterable[str]) -> dict[str, Found]:
    """What each path is and where; without those that are no documents of this bot's."""
    dialect, vaults = open_bot(bot).dialect, open_bot(bot).vaults
    found: dict[str, Found] = {}
    for path in paths:
        root, below = split_path(path)
        place, vault = dialect.describe(path), vaults.get(root)
        if place and vault and is_safe_path(path) and is_keepable(path):
            found[path] = place, vault, below
    return found


def _is_in_step(row: Document | None, stat: Stat) -> bool:
    if row is None or (row.error and row.error not in NO_TEXTS):
        return False
    return rows.is_current(row) and fingerprint(stat) == (row.mtime_ns, row.ctime_ns, row.size, row.inode)
