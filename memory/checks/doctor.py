"""A check-up: does the whole way from a text to a file and back work here, and do files, index and history agree?"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import F
from django.utils import timezone

from memory import index, journal
from memory.bots import families, open_bot
from memory.domain.changes import Append, Put, digest
from memory.domain.errors import VaultError
from memory.index import watch
from memory.index.watch import State
from memory.journal import versions
from memory.models import Bot, ChangeSet, Head, Root
from memory.search import embedding_backlog
from memory.storage import database

BY = journal.By("doctor")
BEFORE = b"# Memory\r\n\r\n- likes tea \xe2\x80\x94 and \xff\n"
AFTER = b"# Memory\r\n\r\n- likes coffee\n"
ADDED = b"- a late line\n"
LEFT_BEHIND = {"name": "Doctor", "slug__regex": r"^doctor-\d+-\w{8}$"}  # by one that was killed
ABANDONED = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Checked:
    """One thing that was checked; `text` says for people what was found."""

    name: str
    ok: bool
    text: str


class _Wrong(Exception):
    """A check that failed; the message is for people."""


def examine(bot: Bot) -> list[Checked]:
    """Check this installation and one bot. What a dead process left unfinished is ended, and the index brought in step, as by any
    look; everything else is tried on a bot made for it."""
    checks: list[tuple[str, Callable[[], str]]] = [
        ("database", _database),
        ("round trip", _round_trip),
        ("directories", lambda: _directories(bot)),
        ("unfinished changes", lambda: _unfinished(bot)),
        ("files put aside", lambda: _stashes(bot)),
        ("index", lambda: _index(bot)),
        ("history", lambda: _history(bot)),
        ("watching", lambda: _watching(bot)),
        *([("embedder", lambda: _embedder(bot))] if settings.EMBEDDER else []),
    ]
    return [_look(name, check) for name, check in checks]


def _embedder(bot: Bot) -> str:
    ok, told = embedding_backlog.examine(bot)
    if not ok:
        raise _Wrong(told)
    return told


def _look(name: str, check: Callable[[], str]) -> Checked:
    try:
        return Checked(name, True, check())
    except (_Wrong, VaultError, journal.Busy) as wrong:
        return Checked(name, False, str(wrong))
    except DatabaseError as error:
        return Checked(name, False, f"The database refused: {error}")
    except OSError as error:
        return Checked(name, False, f"The system refused: {error.strerror}.")
    except Exception as error:  # what nobody thought of is just what a check-up is for
        return Checked(name, False, f"Failed in an unexpected way: {type(error).__name__}: {error}")


def _database() -> str:
    if database.is_lost() or database.server_has_another():
        raise _Wrong(str(database.ELSEWHERE))
    with transaction.atomic():
        if not Bot.objects.filter(pk=Bot.objects.values("pk")[:1]).update(trouble=F("trouble")):
            raise _Wrong("The database holds no bot.")
    if connection.vendor != "sqlite":
        return "can be written"
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA quick_check(1)")
        row = cursor.fetchone()
    if row is None or row[0] != "ok":
        raise _Wrong(
            "SQLite finds its file damaged. Restore it from a backup; the memory files are not touched by this."
        )
    return "can be written and is whole"


def _round_trip() -> str:
    Bot.objects.filter(**LEFT_BEHIND, removed__lt=timezone.now() - ABANDONED).delete()
    with tempfile.TemporaryDirectory(prefix="doctor-", dir=settings.KENOWEB_HOME) as directory:
        bot = Bot.objects.create(
            slug=f"doctor-{os.getpid()}-{Path(directory).name[-8:]}",
            name="Doctor",
            dialect=families.first().name,
            removed=timezone.now(),  # it is nobody's, so no list shows it
        )
        try:
            Root.objects.create(bot=bot, name="memory", path=directory)
            _write_and_undo(bot, Path(directory) / "MEMORY.md")
        finally:
            bot.delete()
    return "a document was written, appended to, taken back and read, byte for byte"


def _write_and_undo(bot: Bot, file: Path) -> None:
    path = file.name
    _commit(bot, Put(path, BEFORE, None))
    edit = _commit(bot, Put(path, AFTER, digest(BEFORE)))
    _commit(bot, Append(path, ADDED))
    _expect(file.read_bytes(), AFTER + ADDED, "The file does not hold what was written.")
    undone = journal.undo(bot, edit, BY)
    if isinstance(undone, journal.Conflict):
        raise _Wrong(f"An undo was refused: {undone.reason}")
    _expect(file.read_bytes(), BEFORE + ADDED, "The undo did not bring back every byte.")
    looked = index.look(bot, path)
    if looked.data != BEFORE + ADDED or looked.document is None:
        raise _Wrong("The index does not see the document.")


def _commit(bot: Bot, change: Put | Append) -> ChangeSet:
    outcome = journal.commit(bot, [change], by=BY, kind=ChangeSet.Kind.EDIT)
    if isinstance(outcome, journal.Conflict) or outcome.change_set is None:
        raise _Wrong("A change of a test document was refused.")
    return outcome.change_set


def _expect(found: bytes, wanted: bytes, otherwise: str) -> None:
    if found != wanted:
        raise _Wrong(otherwise)


def _directories(bot: Bot) -> str:
    errors = {}
    for name, vault in open_bot(bot).vaults.items():
        errors.update({f"{name}/{found.path}": found.error for found in vault.scan() if found.error})
    if errors:
        path, error = next(iter(errors.items()))
        raise _Wrong(f"{len(errors)} cannot be read, such as {path}: {error}")
    return "every directory and file can be listed"


def _unfinished(bot: Bot) -> str:
    journal.recover(bot)
    journal.settle(bot)
    left = ChangeSet.objects.filter(bot=bot, state=ChangeSet.State.WRITING).count()
    if left:
        raise _Wrong(f"{left} change sets were cut off and could not be finished.")
    waiting = ChangeSet.objects.filter(bot=bot, state=ChangeSet.State.SETTLING).count()
    return f"none; {waiting} still watched for late lines" if waiting else "none"


def _stashes(bot: Bot) -> str:
    known = set(bot.revision_set.exclude(slot="").values_list("slot", flat=True))
    left = [path for vault in open_bot(bot).vaults.values() for path, slot in vault.leftovers() if slot not in known]
    if left:
        raise _Wrong(f"{len(left)} hidden files are left that no change set knows, such as one of {left[0]}.")
    return f"{len(known)}, all known" if known else "none"


def _index(bot: Bot) -> str:
    refreshed = index.refresh(bot, patience=20)
    if refreshed.trouble or refreshed.errors:
        path, error = next(iter(refreshed.errors.items()), ("", ""))
        raise _Wrong(refreshed.trouble or f"{path}: {error}")
    return f"{refreshed.documents} documents, in step with the files"


def _watching(bot: Bot) -> str:
    """How changes in the files are noticed. Where nobody watches, the walk finds them, so that nothing of it is wrong."""
    walked = "changes are found when somebody asks"
    return {
        None: f"no worker is running; {walked}",
        State.WATCHED: "changes are noticed at once",
        State.GONE: f"the directory is gone; {walked}, once it is back",
        State.SHARED: f"the directory may be on another machine's disk; {walked}",
        State.LIMIT: f"the system watches no more directories (Linux: fs.inotify.max_user_watches); {walked}",
    }[watch.state(bot)]


def _history(bot: Bot) -> str:
    """Every document's last whole version is there and is what the file holds, unless appends of ours came after it."""
    heads = list(Head.objects.filter(bot=bot).exclude(sha256=""))
    wrong = [path for head in heads for path in _head_trouble(bot, head)]
    if wrong:
        raise _Wrong(f"{len(wrong)} documents are not as the history says, such as {wrong[0]}.")
    return f"{len(heads)} documents can be brought back"


def _head_trouble(bot: Bot, head: Head) -> Iterator[str]:
    data = versions.bytes_or_none(bot, head.sha256)
    if data is None:
        yield head.path
        return
    content = open_bot(bot).content(head.path)
    if content and not content.data.startswith(data):
        yield head.path
