"""Which directories may be a bot's memory."""

from __future__ import annotations

import contextlib
import enum
import os
import pwd
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings as site

from memory.domain.errors import Refusal
from memory.models import Bot, Document
from memory.text.sentences import say
from memory.text.storable import is_keepable

SESSIONS_ROOT = "sessions"
IDENTITY_ROOT = "identity"
# What one meets at a path that is none: the system refuses it, there is a NUL in it, its links lead in a circle, its ~ is nobody's.
_NO_PLACE = (OSError, ValueError, RuntimeError)


class Access(enum.Enum):
    """What can be done with a directory now."""

    FULL = ""
    PARTLY = "partly"  # some of its notes can be written, others can't
    READ_ONLY = "read-only"
    MISSING = "missing"


def is_there(directory: Path) -> bool:
    """Whether there is a directory of this path that can be looked at."""
    try:
        return directory.is_dir()
    except OSError:
        return False


def may_write(file: Path) -> bool:
    """Whether a file can be written to now; one that is not there, whether it can be made."""
    return os.access(file, os.W_OK) or (not os.access(file, os.F_OK) and os.access(_above(file), os.W_OK))


def unwritable(files: Iterable[Path]) -> list[Path]:
    """The directories of these files in which nothing can be made now, without those below another."""
    closed = {directory for directory in map(_above, files) if not os.access(directory, os.W_OK)}
    return sorted(one for one in closed if closed.isdisjoint(one.parents))


def _above(file: Path) -> Path:
    """The nearest directory above a file that is there."""
    return next((path for path in file.parents if os.access(path, os.F_OK)), file.parent)


def usable(path: Path, *, is_there: bool = True) -> Path:
    """The directory, resolved, if a bot's memory may be there; without `is_there` one to come, too. Raises Refusal."""
    try:
        directory = path.expanduser().resolve(strict=is_there)
        if is_there or directory.exists():
            next(directory.iterdir(), None)
    except FileNotFoundError:
        raise Refusal(say("This directory doesn’t exist.")) from None
    except NotADirectoryError:
        raise Refusal(say("It is a file. Enter the directory that contains MEMORY.md.")) from None
    except _NO_PLACE as error:
        raise Refusal(
            say(
                "It can’t be read: %(reason)s.", reason=getattr(error, "strerror", None) or say("the path isn’t usable")
            )
        ) from None
    if not is_keepable(str(directory)):
        raise Refusal(say("Its path isn’t valid UTF-8. Rename it first."))
    if directory == Path("/"):
        raise Refusal(say("It is the root directory. Enter the directory that contains MEMORY.md."))
    if directory in _homes():
        raise Refusal(say("It is a home directory. Enter the directory in it that contains MEMORY.md."))
    own = site.KENOWEB_HOME.resolve()
    if directory == own or directory in own.parents:
        raise Refusal(say("It contains Kenoweb’s own directory with its keys and database."))
    return directory


def _homes() -> set[Path]:
    listed = [entry.pw_dir for entry in pwd.getpwall()]
    return {resolved(Path(home)) for home in [*listed, os.environ.get("HOME", "")] if home.startswith("/")} - {
        Path("/")
    }


def make_like(directory: Path, like: Path) -> None:
    """Make a directory and what is missing above it, with the mode and, where that is allowed, the owner of another. Raises
    OSError."""
    found = like.stat()
    for path in reversed([path for path in (directory, *directory.parents) if not path.exists()]):
        path.mkdir(mode=found.st_mode & 0o777, exist_ok=True)
        with contextlib.suppress(PermissionError):
            os.chown(path, found.st_uid, found.st_gid)


def first_existing(candidates: Iterable[Path]) -> Path | None:
    """The first that is a directory."""
    return next((path for path in candidates if path.is_dir()), None)


def names(directory: Path) -> list[str]:
    """Names at the top of a directory and one level below `memory`, enough to tell whose it is."""
    found = [path.name for path in directory.iterdir()]
    below = directory / "memory"
    return sorted(found + ([f"memory/{path.name}" for path in below.iterdir()] if below.is_dir() else []))


def names_known(bot: Bot) -> list[str]:
    """The same of the documents that were there when they were last looked at."""
    paths = Document.objects.filter(bot=bot).exclude(path__startswith="@").values_list("path", flat=True)
    parts = [path.split("/") for path in paths]
    return sorted({one[0] for one in parts} | {f"memory/{one[1]}" for one in parts if one[0] == "memory" and one[1:]})


def same(one: Path, other: Path) -> bool:
    """Whether two paths are one directory, by whatever name."""
    try:
        return one.samefile(other)
    except _NO_PLACE:
        return one == other


def resolved(path: Path) -> Path:
    """A path without links in it; as it is where its links lead in a circle or it can be no path."""
    try:
        return path.resolve()
    except _NO_PLACE:
        return path


def path_named(text: str, above: Path) -> Path | None:
    """The path that somebody's file names, `~` being a home and a relative one beginning `above`; None where it can be none."""
    try:
        return above / Path(text).expanduser() if is_keepable(text) else None
    except _NO_PLACE:
        return None


def holds_anything(directory: Path) -> bool:
    """Whether a directory exists and has something in it."""
    try:
        return any(directory.iterdir())
    except OSError:
        return False
