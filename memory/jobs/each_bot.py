"""What a worker does for every bot, beside its jobs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable

from django.db import DatabaseError

from memory import journal
from memory.domain.errors import VaultError
from memory.models import Bot

log = logging.getLogger(__name__)


def each_bot(act: Callable[[Bot], object], bots: Iterable[Bot], trouble: str) -> None:
    """Do it for each of these bots. One whose files cannot be read now, or for which the
    database fails, keeps it from no other; the log has `trouble` and why."""
    for bot in bots:
        try:
            act(bot)
        except (VaultError, journal.Busy, ValueError, OSError, DatabaseError) as error:
            log.warning("%s: %s: %s", bot.slug, trouble, error)
