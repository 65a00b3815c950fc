"""What anyone wants written: changes that carry bytes, and where their paths point."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

MEMORY_ROOT = "memory"


@dataclass(frozen=True, slots=True)
class By:
    """Who wants a change: a person, or what is known of the program that does."""

    name: str
    user: Any = None  # a row of Django's users


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a file carries besides its bytes: permission bits and modification time (ns since 1970)."""

    mode: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Put:
    """The document becomes `data`. `base` is the sha256 it was made from; None: it must not exist yet.

    `renew`: written even if the document reads so already, because its age is what changes (working memory).
    """

    path: str
    data: bytes
    base: str | None
    stamp: Stamp | None = None
    renew: bool = False


@dataclass(frozen=True, slots=True)
class Append:
    """`data` goes to the end of the document, whatever it holds by then; the document is made if it is missing."""

    path: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Delete:
    """The document goes. `base` is the sha256 that was looked at when this was decided."""

    path: str
    base: str


def appended_bytes(before: bytes, after: bytes) -> bytes:
    """What a text has more at its end than before; nothing where it changed elsewhere, too."""
    return after[len(before) :] if after.startswith(before) else b""


Change = Put | Append | Delete
Made = tuple[Put, bytes]  # a change, and the version of the document that it was made from


def digest(data: bytes) -> str:
    """The sha256 of some bytes, as 64 lower-case hex digits: the name of a version everywhere in Kenoweb."""
    return hashlib.sha256(data).hexdigest()


def base_of(data: bytes | None) -> str | None:
    """The version that a change is made from; None for a document that is not there."""
    return None if data is None else digest(data)


def split_path(path: str) -> tuple[str, str]:
    """A document's path as (root name, path below it): `@sessions/x.jsonl` -> ("sessions", "x.jsonl")."""
    if not path.startswith("@"):
        return MEMORY_ROOT, path
    root, _, below = path[1:].partition("/")
    return root, below


def join_path(root: str, below: str) -> str:
    """The inverse of `split_path`."""
    return below if root == MEMORY_ROOT else f"@{root}/{below}"


def is_safe_path(path: str) -> bool:
    """Whether a path is the one path of something below its root: `@memory/x` is none, for `x` says the same."""
    root, below = split_path(path)
    return names_a_file(below) and (root != MEMORY_ROOT or not path.startswith("@"))


def names_a_file(below: str) -> bool:
    """Whether a path below a root can be a file's: no empty, `.` or `..` part, no NUL, no part over 255 bytes."""
    if not below or "\0" in below:
        return False
    try:
        parts = below.encode("utf-8", "surrogateescape").split(b"/")
    except UnicodeEncodeError:  # half a character: no file system has such a name
        return False
    return all(part not in (b"", b".", b"..") and len(part) <= 255 for part in parts)
