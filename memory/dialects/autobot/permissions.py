"""Who may read an Autobot's memory: 0700 for its directories and 0600 for its files, as `autobot new` sets them. The running bot
makes what is missing as wide as its process does, so it is looked for and narrowed here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext_lazy

from memory import index, journal
from memory.bots import open_bot
from memory.bots.family import FamilyFinding
from memory.dialects.autobot import layout
from memory.domain.changes import MEMORY_ROOT, Change, Put, Stamp, digest
from memory.domain.errors import Unreadable, VaultError
from memory.domain.outcomes import Refused, refusal_of
from memory.models import Bot, ChangeSet
from memory.text.sentences import say, say_number

FILE, DIRECTORY = 0o600, 0o700
OTHERS = 0o077
DIRECTORIES = ("memory", layout.SESSIONS)


@dataclass(frozen=True, slots=True)
class Wide:
    """A file or directory that others may read. `mode` as `ls` counts it: `644`."""

    path: str
    mode: str
    is_directory: bool = False


def wide(bot: Bot) -> list[Wide]:
    """What of a bot's memory others may read, directories first. Raises Unreadable."""
    try:
        return [*_directories(bot), *_files(bot)]
    except OSError as error:
        raise Unreadable(say("The permissions can’t be read: %(why)s.", why=error.strerror or "")) from None


def narrow(bot: Bot, by: journal.By) -> ChangeSet | Refused | None:
    """Only the owner may read them from now on. The files' part is a change that can be undone; None: no file was wide."""
    try:
        found = wide(bot)
        changes = [change for one in found if not one.is_directory for change in _narrowed(bot, one.path)]
        outcome = journal.commit(bot, changes, by=by, kind=ChangeSet.Kind.EDIT, why=_why(len(changes)))
        if isinstance(outcome, journal.Conflict):
            return Refused(outcome.reason)
        for one in found:
            if one.is_directory:
                (open_bot(bot).memory_path / one.path).chmod(DIRECTORY)
    except (VaultError, journal.Busy) as error:
        return refusal_of(error)
    except OSError as error:
        return Refused(say("A directory’s permissions can’t be changed: %(why)s.", why=error.strerror or ""))
    return outcome.change_set


class Permissions:
    """The check: however many are too wide, they are one finding, which leads to the page that narrows them."""

    name = "permissions"
    page = "permissions"
    title = gettext_lazy("Open to others")
    why = gettext_lazy("Other users of the machine can read what the bot remembers.")
    act = gettext_lazy("Show and fix")

    def look(self, bot: Bot) -> FamilyFinding | None:
        found = wide(bot)
        if not found:
            return None
        note = say_number(
            "%(count)s file or directory is readable by others.",
            "%(count)s files or directories are readable by others.",
            count=len(found),
        )
        return FamilyFinding(found[0].path, found[0].mode, note)


def _directories(bot: Bot) -> Iterator[Wide]:
    for name in DIRECTORIES:
        place: Path = open_bot(bot).memory_path / name
        if place.is_dir() and not place.is_symlink() and (mode := place.stat().st_mode & 0o777) & OTHERS:
            yield Wide(name, f"{mode:o}", is_directory=True)


def _files(bot: Bot) -> Iterator[Wide]:
    vault = open_bot(bot).vaults[MEMORY_ROOT]
    for path in index.BotMemory(bot).paths():
        stat = vault.stat(path) if path.startswith(tuple(f"{name}/" for name in DIRECTORIES)) else None
        if stat and stat.mode & OTHERS:
            yield Wide(path, f"{stat.mode & 0o777:o}")


def _narrowed(bot: Bot, path: str) -> Iterator[Change]:
    content = open_bot(bot).vaults[MEMORY_ROOT].read(path)
    if content:
        yield Put(path, content.data, digest(content.data), Stamp(FILE, content.stat.mtime_ns))


def _why(count: int) -> str:
    return say_number(
        "Made %(count)s file readable by its owner only",
        "Made %(count)s files readable by their owner only",
        count=count,
    )
