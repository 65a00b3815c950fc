"""One answered turn of a chat at a time, over threads, processes and machines: a row is the chat's turn until it ends.

Who waits in this process stands in line; only the first of them looks at the row, so between processes whoever looks first goes on.
"""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Event, Lock
from typing import Any

from django.db import connection
from django.utils import timezone

from memory.models import Answering, Bot, ChangeSet, quick

LOOKS = (0.02, 0.25)  # seconds between two looks at a turn that is somebody else's, at first and at last
FORGOTTEN = timedelta(days=1)
MARGIN = 5.0  # seconds that a turn stays its holder's beyond the time it asked for

_guard = Lock()
_lines: dict[tuple[int, str], deque[Event]] = {}


class Waited(Exception):
    """The turn before took too long."""


class Lost(Exception):
    """The turn took so long that somebody else has the chat by now."""


@dataclass(frozen=True, slots=True)
class Hold:
    """A chat's turn that is ours."""

    bot: Bot
    session_id: str
    holder: str

    def fence(self, change_set: ChangeSet) -> None:
        """Stands in the transaction of a change set: nothing is written for a turn that is not ours any more, or for a bot that was
        taken off the desk. Raises Lost."""
        until = timezone.now() + timedelta(seconds=MARGIN)
        if not _write(_KEEP, until, self.bot.pk, self.session_id, self.holder):
            raise Lost


@contextmanager
def turn(bot: Bot, session_id: str, *, wait: float, seconds: float) -> Iterator[Hold]:
    """Have a chat's turn for as long as this lasts, at most `seconds` counted from now; `wait` seconds for it. Raises Waited."""
    began = time.monotonic()
    hold = Hold(bot, session_id, secrets.token_hex(8))
    with _in_line((bot.pk, session_id), began + wait):
        _wait(hold, began + wait, began + seconds)
        try:
            yield hold
        finally:
            _give_back(hold)


def chats_answering(bot: Bot, session_ids: Collection[str]) -> set[str]:
    """Those of some chats in which a turn is being answered just now."""
    if not session_ids:
        return set()
    rows = Answering.objects.filter(bot=bot, session_id__in=session_ids, until__gte=timezone.now())
    return set(rows.values_list("session_id", flat=True))


def _give_back(hold: Hold) -> None:
    """End our turn; also those of chats that were never heard of again after their holder died."""
    _write(_GIVE_BACK, hold.bot.pk, hold.session_id, hold.holder, timezone.now() - FORGOTTEN)


@contextmanager
def _in_line(chat: tuple[int, str], until: float) -> Iterator[None]:
    """Stand behind those of this process who came before."""
    mine = Event()
    with _guard:
        line = _lines.setdefault(chat, deque())
        line.append(mine)
        line[0].set()
    try:
        if not mine.wait(max(0.0, until - time.monotonic())):
            raise Waited
        yield
    finally:
        with _guard:
            line.remove(mine)
            if line:
                line[0].set()
            else:
                del _lines[chat]


def _wait(hold: Hold, until: float, ends: float) -> None:
    pause, longest = LOOKS
    while not _take(hold, ends - time.monotonic() + MARGIN):
        quick.let_go()
        if time.monotonic() + pause > until:
            raise Waited
        time.sleep(pause)
        pause = min(longest, pause * 1.5)


def _take(hold: Hold, seconds: float) -> bool:
    """Take the turn if it is nobody's, or its holder's time is over; whether it is ours then."""
    now = timezone.now()
    until = now + timedelta(seconds=seconds)
    return _write(_TAKE, hold.bot.pk, hold.session_id, hold.holder, until, now)


# By hand and not by the ORM: these run for every answer.
_TAKE = """
    INSERT INTO memory_answering (bot_id, session_id, holder, until) VALUES (%s, %s, %s, %s)
    ON CONFLICT (bot_id, session_id) DO UPDATE SET holder = EXCLUDED.holder, until = EXCLUDED.until
    WHERE memory_answering.until < %s
"""
_KEEP = """
    UPDATE memory_answering SET until = %s WHERE bot_id = %s AND session_id = %s AND holder = %s
    AND EXISTS (SELECT 1 FROM memory_bot WHERE id = bot_id AND removed IS NULL)
"""
_GIVE_BACK = "DELETE FROM memory_answering WHERE bot_id = %s AND (session_id = %s AND holder = %s OR until < %s)"


def _write(sql: str, *values: Any) -> bool:
    """Write by a statement; whether it found a row to write."""
    kept = [connection.ops.adapt_datetimefield_value(one) if isinstance(one, datetime) else one for one in values]
    with connection.cursor() as cursor:
        cursor.execute(sql, kept)
        return bool(cursor.rowcount > 0)
