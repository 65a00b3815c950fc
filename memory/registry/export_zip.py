"""A whole memory as one zip with a manifest of hashes; `import_zip.py` takes it back."""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from memory import index
from memory.bots import open_bot
from memory.domain.changes import digest, join_path, split_path
from memory.domain.errors import Refusal, RootGone, Unreadable, VaultError
from memory.models import Bot
from memory.text.secrets import mask
from memory.text.sentences import join_sentences, say
from memory.text.storable import keepable

MANIFEST = "manifest.json"
FORMAT = "kenoweb-export-1"
HIDDEN = "secrets_hidden_in"  # of a manifest: the documents that are not as the bot has them


@dataclass(frozen=True, slots=True)
class Made:
    """An export that was written: how many documents, and their bytes. `left_out` has (path, why) of those that cannot be read,
    as the manifest has."""

    files: int
    bytes: int
    left_out: tuple[tuple[str, str], ...] = ()


def write(bot: Bot, target: Path) -> Made:
    """Every document of a bot that can be read into a zip, or none at all. Raises Refusal."""
    if target.exists() and target.stat().st_size and not zipfile.is_zipfile(target):
        raise Refusal(
            say("%(target)s exists and isn’t a ZIP file. Nothing was written; choose another name.", target=str(target))
        )
    try:
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}-")
    except OSError as error:
        raise Refusal(
            say("%(target)s can’t be written: %(reason)s.", target=str(target), reason=error.strerror or "")
        ) from None
    fresh = Path(name)
    try:
        with os.fdopen(descriptor, "w+b") as file:
            made = write_into(bot, file)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(target)
    except OSError as error:
        raise Refusal(
            say("%(target)s can’t be written: %(reason)s.", target=str(target), reason=error.strerror or "")
        ) from None
    finally:
        fresh.unlink(missing_ok=True)
    return made


def write_into(bot: Bot, file: IO[bytes], *, secrets: bool = True) -> Made:
    """Every document of a bot that can be read as a zip into an open file, one document in memory at a time. Without `secrets` it
    is to be given away: they are masked, and what is masked is no backup and is never imported. Raises Refusal."""
    try:
        return _fill(bot, file, secrets=secrets)
    except VaultError as error:
        raise Refusal(join_sentences(say("Nothing was exported."), str(error))) from None
    except OSError as error:
        raise Refusal(say("The export can’t be written: %(reason)s.", reason=error.strerror or "")) from None


def _fill(bot: Bot, file: IO[bytes], *, secrets: bool) -> Made:
    listed: list[dict[str, Any]] = []
    hidden: list[str] = []
    left: list[tuple[str, str]] = []
    total = 0
    vaults = open_bot(bot).vaults
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in index.BotMemory(bot).paths():
            root, below = split_path(path)
            try:
                content = vaults[root].read(below)
            except RootGone:
                raise
            except Unreadable as trouble:
                left.append((path, str(trouble)))
                continue
            if content is None:
                continue
            data = content.data if secrets else _without_secrets(content.data)
            if data != content.data:
                hidden.append(pack_path(path))
            archive.writestr(f"{root}/{pack_path(below)}", data)
            total += len(data)
            listed.append(
                {
                    "path": pack_path(path),
                    "sha256": digest(data),
                    "size": len(data),
                    "mode": content.stat.mode,
                    "mtime_ns": content.stat.mtime_ns,
                }
            )
        manifest: dict[str, Any] = {"format": FORMAT, "bot": bot.slug, "dialect": bot.dialect, "files": listed}
        if left:
            manifest["left_out"] = [{"path": pack_path(path), "why": keepable(why)} for path, why in left]
        if hidden:
            manifest[HIDDEN] = hidden
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
    return Made(len(listed), total, tuple(left))


def _without_secrets(data: bytes) -> bytes:
    return mask(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def pack_path(path: str) -> str:
    """A path as text that JSON and zip can hold: bytes that are no UTF-8 are written as %XX, and so is %."""
    return "".join(f"%{ord(c) - 0xDC00:02X}" if "\udc80" <= c <= "\udcff" else "%25" if c == "%" else c for c in path)


def unpack_path(name: str) -> str:
    """The path that `pack_path` wrote so. Raises Refusal."""
    parts = name.split("%")
    try:
        head = [parts[0].encode()]
        raw = b"".join(head + [bytes.fromhex(part[:2]) + part[2:].encode() for part in parts[1:]])
    except ValueError:
        raise Refusal(say("The manifest lists an invalid file name. Nothing was written.")) from None
    return join_path(*split_path(raw.decode("utf-8", "surrogateescape")))
