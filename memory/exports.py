"""A whole memory as one zip with a manifest of hashes, and back: what differs is written as one change set."""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memory import bots, journal, library
from memory.changes import Put, digest, is_safe_path, join_path, split_path
from memory.dialects.base import Dialect
from memory.models import Bot, ChangeSet
from memory.vault import Vault, VaultError

MANIFEST = "manifest.json"
FORMAT = "kenoweb-export-1"
LARGEST_FILE = 256 * 1024 * 1024
LARGEST_WHOLE = 4 * 1024 * 1024 * 1024


class Refused(Exception):
    """An export that cannot be made or taken; nothing was written. The message is for people."""


@dataclass(frozen=True, slots=True)
class Made:
    """An export that was written: how many documents, and their bytes."""

    files: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Brought:
    """What an import wrote, or would write in a dry run; `skipped` has (path, why)."""

    written: tuple[str, ...] = ()
    bytes: int = 0
    unchanged: tuple[str, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    change_set: ChangeSet | None = None


@dataclass(slots=True)
class _Sorted:
    """The documents of an export, sorted by what has to be done."""

    changes: list[Put] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)


def write(bot: Bot, target: Path) -> Made:
    """Every document of a bot into a zip, complete or not at all. Raises Refused."""
    if target.exists() and target.stat().st_size and not zipfile.is_zipfile(target):
        raise Refused(f"{target} exists and is no zip. Nothing was written; choose another name.")
    try:
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}-")
    except OSError as error:
        raise Refused(f"{target} cannot be written: {error.strerror}.") from None
    fresh = Path(name)
    try:
        with os.fdopen(descriptor, "w+b") as file:
            made = _fill(bot, file)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(target)
    except VaultError as error:
        raise Refused(f"Nothing was exported. {error}") from None
    except OSError as error:
        raise Refused(f"{target} cannot be written: {error.strerror}.") from None
    finally:
        fresh.unlink(missing_ok=True)
    return made


def bring_in(bot: Bot, source: Path, by: journal.By, *, dry_run: bool = False) -> Brought | journal.Conflict:
    """Write the documents of an export that differ from what is there. Everything is checked before. Raises Refused."""
    try:
        with zipfile.ZipFile(source) as archive:
            work = _sort(bot, archive)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError):
        raise Refused(f"{source} is no zip that can be read. Nothing was written.") from None
    except OSError as error:
        raise Refused(f"{source} cannot be read: {error.strerror}.") from None
    except VaultError as error:
        raise Refused(f"Nothing was written. {error}") from None
    brought = Brought(
        tuple(change.path for change in work.changes),
        sum(len(change.data) for change in work.changes),
        tuple(work.unchanged),
        tuple(work.skipped),
    )
    if dry_run:
        return brought
    why = f"Import of {source.name}"
    outcome = journal.commit(bot, work.changes, by=by, kind=ChangeSet.Kind.IMPORT, why=why, moved="refuse")
    if isinstance(outcome, journal.Conflict):
        return outcome
    return Brought(brought.written, brought.bytes, brought.unchanged, brought.skipped, outcome.change_set)


def _fill(bot: Bot, file: Any) -> Made:
    listed, total = [], 0
    vaults = bots.vaults(bot)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in library.BotMemory(bot).paths():
            root, below = split_path(path)
            content = vaults[root].read(below)
            if content is None:
                continue
            archive.writestr(f"{root}/{_name(below)}", content.data)
            total += len(content.data)
            listed.append(
                {
                    "path": _name(path),
                    "sha256": digest(content.data),
                    "size": len(content.data),
                    "mode": content.stat.mode,
                    "mtime_ns": content.stat.mtime_ns,
                }
            )
        manifest = {"format": FORMAT, "bot": bot.slug, "dialect": bot.dialect, "files": listed}
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
    return Made(len(listed), total)


def _sort(bot: Bot, archive: zipfile.ZipFile) -> _Sorted:
    manifest = _manifest(archive)
    if manifest.get("dialect") != bot.dialect:
        raise Refused(f"This export is of another kind of bot, {manifest.get('dialect')}. Nothing was written.")
    dialect, vaults = bots.dialect(bot), bots.vaults(bot)
    work = _Sorted()
    for path, sha256 in _entries(manifest):
        data = _checked(archive, path, sha256)
        if why := _unwritable(dialect, vaults, path):
            work.skipped.append((path, why))
            continue
        root, below = split_path(path)
        there = vaults[root].read(below)
        if there and digest(there.data) == sha256:
            work.unchanged.append(path)
        else:
            work.changes.append(Put(path, data, digest(there.data) if there else None))
    return work


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        found = json.loads(_read(archive, MANIFEST))
    except (ValueError, RecursionError):
        raise Refused("The manifest cannot be read. Nothing was written.") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT or not isinstance(found.get("files"), list):
        raise Refused("This zip is no export of Kenoweb: its manifest is another one. Nothing was written.")
    if sum(info.file_size for info in archive.infolist()) > LARGEST_WHOLE:
        raise Refused("This export is too large to be taken in. Nothing was written.")
    return found


def _entries(manifest: dict[str, Any]) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for entry in manifest["files"]:
        path, sha256 = (entry.get("path"), entry.get("sha256")) if isinstance(entry, dict) else (None, None)
        decoded = _path(path) if isinstance(path, str) else ""
        if not decoded or not isinstance(sha256, str) or decoded in seen:
            raise Refused("The manifest names a document that cannot be, or one twice. Nothing was written.")
        seen.add(decoded)
        yield decoded, sha256


def _checked(archive: zipfile.ZipFile, path: str, sha256: str) -> bytes:
    root, below = split_path(path)
    data = _read(archive, f"{root}/{_name(below)}")
    if digest(data) != sha256:
        raise Refused(f"{path} is not what the manifest says: the zip was damaged or changed. Nothing was written.")
    return data


def _read(archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        info = archive.getinfo(name)
    except KeyError:
        raise Refused(f"The zip has no {name}. Nothing was written.") from None
    if info.file_size > LARGEST_FILE:
        raise Refused(f"{name} is too large to be taken in. Nothing was written.")
    with archive.open(info) as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise Refused(f"{name} is too large to be taken in. Nothing was written.")
    return data


def _unwritable(dialect: Dialect, vaults: dict[str, Vault], path: str) -> str:
    place = dialect.describe(path) if is_safe_path(path) else None
    if place is None:
        return "no document of this bot"
    if split_path(path)[0] not in vaults:
        return "this bot has no such directory"
    return "" if place.keeps_history and place.editable else "the bot's own, and not written from here"


def _name(path: str) -> str:
    """A path as text that JSON and zip can hold: bytes that are no UTF-8 are written as %XX, and so is %."""
    return "".join(f"%{ord(c) - 0xDC00:02X}" if "\udc80" <= c <= "\udcff" else "%25" if c == "%" else c for c in path)


def _path(name: str) -> str:
    parts = name.split("%")
    try:
        head = [parts[0].encode()]
        raw = b"".join(head + [bytes.fromhex(part[:2]) + part[2:].encode() for part in parts[1:]])
    except ValueError:
        raise Refused("The manifest names a document that cannot be. Nothing was written.") from None
    return join_path(*split_path(raw.decode("utf-8", "surrogateescape")))
