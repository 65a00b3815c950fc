"""Look at the files of bots as soon as something changes in their directories, so that no request has to.

One process of a KENOWEB_HOME watches for all and says so in a note, which ends with it. What cannot be watched, and whatever was
missed, is found by the walk, as if nobody watched.
"""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from django.db import close_old_connections

from memory.bots import open_bot
from memory.index.refresh import refresh
from memory.models import Bot, Root, quick
from memory.storage import locks, mounts, running
from memory.storage.walk import HIDDEN
from memory.text.storable import is_keepable

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

NOTE = "watched"  # the note of the process that watches
TICK = 1.0  # seconds between two looks at which directories there are
NET = 60.0  # between two walks for what was missed: the system forgets changes where there are too many
PATIENCE = 20.0  # with another walk
TOGETHER, STEP = 200, 50  # milliseconds for which changes are gathered, and of silence that end that
SHARE = 10  # as many times as long as a look took of a core nobody looks again: it costs a tenth of one at the most

POLLED = 300  # milliseconds between two looks where the system tells of no changes

Roots = Mapping[tuple[int, str], tuple[int, int] | None]  # bot and path -> device and inode; None if it is gone

log = logging.getLogger(__name__)


class State(StrEnum):
    """How changes in a bot's files are noticed."""

    WATCHED = "watched"
    GONE = "gone"  # its directory is
    SHARED = "shared"  # it is on a disk that other machines write to
    LIMIT = "limit"  # the system watches no more directories


def state(bot: Bot) -> State | None:
    """How changes in a bot's files are noticed; None if nobody watches."""
    said = dict(word.split("=") for word in running.said(NOTE) or () if "=" in word)
    return State(found) if (found := said.get(str(bot.pk))) else None


def watch(over: Event) -> None:
    """Keep the index of every bot in step with its files until it is `over`; returns at once if another process does."""
    with suppress(locks.Timeout), locks.lock("watch", 0):
        while not over.is_set():
            _watch(over)


def _watch(over: Event) -> None:
    """The same as long as the same directories are there."""
    # Documented; the package's own `watch` would not say when it has begun to listen.
    from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError

    roots, bots = _roots(), list(Bot.present.all())
    states = {bot.pk: _state(bot, roots) for bot in bots}
    directories: defaultdict[str, set[int]] = defaultdict(set)
    for bot in bots:
        for path in _directories(bot) if states[bot.pk] is State.WATCHED else ():
            directories[str(path)].add(bot.pk)
    try:
        ears = RustNotify(list(directories), False, False, POLLED, False, True)
    except FileNotFoundError:  # it went meanwhile
        return
    except (OSError, WatchfilesRustInternalError):
        limited = {pk: State.LIMIT if found is State.WATCHED else found for pk, found in states.items()}
        with running.noted(NOTE, *_words(limited)):
            over.wait(NET)
        return
    with ears, running.noted(NOTE, *_words(states)):
        _listen(ears, directories, roots, over)


def _listen(ears: RustNotify, directories: Mapping[str, set[int]], roots: Roots, over: Event) -> None:
    """Look at the bots whose directories change, until directories come or go."""
    every: set[int] = set().union(*directories.values())
    touched, walked, is_other = every, time.monotonic(), False
    while True:
        began = time.thread_time()
        for pk in touched:
            _look(pk)
        if is_other or over.wait((time.thread_time() - began) * SHARE) or _roots() != roots:
            return
        quick.let_go()
        heard = ears.watch(TOGETHER, STEP, int(TICK * 1000), over)
        paths = [Path(path) for _, path in heard if HIDDEN not in path] if isinstance(heard, set) else []
        touched = {pk for path in paths for at in (path, path.parent) for pk in directories.get(str(at), ())}
        is_other = any(str(path) in directories or path.is_dir() for path in paths)
        if time.monotonic() > walked + NET:
            touched, walked = every, time.monotonic()


def _look(pk: int) -> None:
    """Bring a bot's index in step; the others are not left alone for what goes wrong there."""
    close_old_connections()
    try:
        for bot in Bot.present.filter(pk=pk):
            refresh(bot, patience=PATIENCE)
    except Exception:
        log.exception("A look at the files of bot %s ended early; the walk looks again", pk)


def _roots() -> Roots:
    """The directories of all bots as they are."""
    rows = Root.objects.filter(bot__removed=None).order_by("pk").values_list("bot", "path")
    return {row: _identity(row[1]) for row in rows}


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def _state(bot: Bot, roots: Roots) -> State:
    there = [Path(path) for (pk, path), found in roots.items() if pk == bot.pk and found]
    if open_bot(bot).memory_path not in there:
        return State.GONE
    return State.SHARED if any(map(mounts.is_shared, there)) else State.WATCHED


def _directories(bot: Bot) -> Iterator[Path]:
    """Those whose names the system's watch can be told; what is in others, the walk finds."""
    for vault in open_bot(bot).vaults.values():
        yield from (path for path in vault.directories() if is_keepable(str(path)))


def _words(states: Mapping[int, State]) -> Iterator[str]:
    return (f"{pk}={state}" for pk, state in states.items())
