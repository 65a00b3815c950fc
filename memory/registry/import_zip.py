"""An export taken back: looked at document by document, then what differs is written as one change set."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from memory import journal
from memory.bots import open_bot
from memory.domain.changes import Put, digest, is_safe_path, split_path
from memory.domain.dialect import Dialect
from memory.domain.errors import Refusal, VaultError
from memory.models import Bot, ChangeSet
from memory.registry.export_zip import FORMAT, HIDDEN, MANIFEST, pack_path, unpack_path
from memory.storage import Vault
from memory.storage.walk import is_hidden
from memory.text.merge.lines import gaps
from memory.text.sentences import join_sentences, say

LARGEST_FILE = 256 * 1024 * 1024
LARGEST_MANIFEST = 16 * 1024 * 1024  # some 100,000 documents; as JSON it takes many times the room
LARGEST_WRITTEN = 512 * 1024 * 1024  # at once: all of it is in memory while it is written
LARGEST_COUNTED = 512 * 1024  # of a larger document the changed lines are not counted
LARGEST_WHOLE = 4 * 1024 * 1024 * 1024


class State(StrEnum):
    """What an import would do with one document."""

    NEW = "new"
    CHANGED = "changed"
    SAME = "same"
    LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class Item:
    """One document of an export beside what stands in the memory. `base` is the sha256 of what stands there, None if nothing
    does; `why` says why it is left out. `added` and `removed` count lines where that was asked for and both are text."""

    path: str
    state: State
    sha256: str
    size: int
    why: str = ""
    base: str | None = None
    size_before: int = 0
    added: int | None = None
    removed: int | None = None

    @property
    def is_to_write(self) -> bool:
        return self.state in (State.NEW, State.CHANGED)


@dataclass(frozen=True, slots=True)
class Brought:
    """What an import wrote, or would write in a dry run; `skipped` has (path, why)."""

    written: tuple[str, ...] = ()
    bytes: int = 0
    unchanged: tuple[str, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    change_set: ChangeSet | None = None


def bring_in(bot: Bot, source: Path, by: journal.By, *, dry_run: bool = False) -> Brought | journal.Conflict:
    """Write the documents of an export that differ from what is there. Everything is checked before. Raises Refusal."""
    items = examine(bot, source)
    brought = Brought(
        tuple(item.path for item in items if item.is_to_write),
        sum(item.size for item in items if item.is_to_write),
        tuple(item.path for item in items if item.state is State.SAME),
        tuple((item.path, item.why) for item in items if item.state is State.LEFT_OUT),
    )
    if dry_run:
        return brought
    outcome = apply(bot, source, items, by, f"Import of {source.name}")
    return outcome if isinstance(outcome, journal.Conflict) else replace(brought, change_set=outcome.change_set)


def examine(bot: Bot, source: Path, *, count_lines: bool = False) -> list[Item]:
    """What an import of this file would do, document by document; each is checked against its hash. Raises Refusal."""
    with _open(source) as archive:
        manifest = _manifest(archive)
        if manifest.get("dialect") != bot.dialect:
            raise Refusal(
                say(
                    "This export is from another type of bot, %(dialect)s. Nothing was written.",
                    dialect=str(manifest.get("dialect")),
                )
            )
        dialect, vaults = open_bot(bot).dialect, open_bot(bot).vaults
        items = []
        for path, sha256 in _entries(manifest):
            data = _bytes(archive, path, sha256)
            if why := _unwritable(dialect, vaults, path):
                items.append(Item(path, State.LEFT_OUT, sha256, len(data), why))
            else:
                items.append(_compare(vaults, path, sha256, data, count_lines))
    if sum(item.size for item in items if item.is_to_write) > LARGEST_WRITTEN:
        raise Refusal(say("This export is too large to import. Nothing was written."))
    return items


def apply(
    bot: Bot, source: Path, items: Iterable[Item], by: journal.By, why: str, **told: Any
) -> journal.Applied | journal.Conflict:
    """Write what `examine` found new or changed, as one change set; nothing if anything moved on since. `told` is what the journal
    is told besides. Raises Refusal."""
    with _open(source) as archive:
        changes = [
            Put(item.path, _bytes(archive, item.path, item.sha256), item.base) for item in items if item.is_to_write
        ]
    return journal.commit(bot, changes, by=by, kind=ChangeSet.Kind.IMPORT, why=why, moved="refuse", **told)


@contextmanager
def _open(source: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(source) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError):
        raise Refusal(say("This isn’t a readable ZIP file. Nothing was written.")) from None
    except OSError as error:
        raise Refusal(
            say("This file can’t be read: %(reason)s. Nothing was written.", reason=error.strerror or "")
        ) from None
    except VaultError as error:
        raise Refusal(join_sentences(say("Nothing was changed."), str(error))) from None


def _compare(vaults: dict[str, Vault], path: str, sha256: str, data: bytes, count_lines: bool) -> Item:
    root, below = split_path(path)
    there = vaults[root].read(below)
    if there is None:
        return Item(path, State.NEW, sha256, len(data))
    base = digest(there.data)
    if base == sha256:
        return Item(path, State.SAME, sha256, len(data), base=base, size_before=len(data))
    added, removed = _lines(there.data, data) if count_lines else (None, None)
    return Item(path, State.CHANGED, sha256, len(data), "", base, len(there.data), added, removed)


def _lines(before: bytes, after: bytes) -> tuple[int, int] | tuple[None, None]:
    if max(len(before), len(after)) > LARGEST_COUNTED:
        return None, None
    changed = gaps(before.splitlines(), after.splitlines())
    return sum(gap.new_hi - gap.new_lo for gap in changed), sum(gap.hi - gap.lo for gap in changed)


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        found = json.loads(_read(archive, MANIFEST, LARGEST_MANIFEST))
    except (ValueError, RecursionError):
        raise Refusal(say("The manifest can’t be read. Nothing was written.")) from None
    if not isinstance(found, dict) or found.get("format") != FORMAT or not isinstance(found.get("files"), list):
        raise Refusal(say("This ZIP file isn’t a Kenoweb export. Nothing was written."))
    if found.get(HIDDEN):
        raise Refusal(
            say(
                "This export was made without secrets: its files are not whole. Nothing was written. Import one with secrets."
            )
        )
    if sum(info.file_size for info in archive.infolist()) > LARGEST_WHOLE:
        raise Refusal(say("This export is too large to import. Nothing was written."))
    return found


def _entries(manifest: dict[str, Any]) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for entry in manifest["files"]:
        path, sha256 = (entry.get("path"), entry.get("sha256")) if isinstance(entry, dict) else (None, None)
        decoded = unpack_path(path) if isinstance(path, str) else ""
        if not decoded or not isinstance(sha256, str) or decoded in seen:
            raise Refusal(say("The manifest lists an invalid file name, or one twice. Nothing was written."))
        seen.add(decoded)
        yield decoded, sha256


def _bytes(archive: zipfile.ZipFile, path: str, sha256: str) -> bytes:
    root, below = split_path(path)
    data = _read(archive, f"{root}/{pack_path(below)}", LARGEST_FILE)
    if digest(data) != sha256:
        raise Refusal(
            say(
                "%(path)s doesn’t match the manifest: the ZIP file was damaged or changed. Nothing was written.",
                path=path,
            )
        )
    return data


def _read(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    try:
        info = archive.getinfo(name)
    except KeyError:
        raise Refusal(say("The ZIP file has no %(name)s. Nothing was written.", name=name)) from None
    if info.file_size > most:
        raise Refusal(say("%(name)s is too large to import. Nothing was written.", name=name))
    with archive.open(info) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise Refusal(say("%(name)s is too large to import. Nothing was written.", name=name))
    return data


def _unwritable(dialect: Dialect, vaults: dict[str, Vault], path: str) -> str:
    place = dialect.describe(path) if is_safe_path(path) else None
    if place is None:
        return say("not a file of this bot")
    if is_hidden(path):
        return say("a name reserved for Kenoweb’s hidden files")
    if split_path(path)[0] not in vaults:
        return say("this bot doesn’t have that directory")
    return "" if place.keeps_history and place.editable else say("written by the bot only")
