"""The numbers of all bots, kept up with what happens."""

from __future__ import annotations

import logging

from memory import journal
from memory.domain.errors import VaultError
from memory.models import Bot
from memory.numbers import measures, tallies

log = logging.getLogger(__name__)


def keep() -> None:
    """Count what came and went at each bot since the last time, and once on each of its days how it stands."""
    for bot in Bot.present.all():
        try:
            tallies.count(bot)
            measures.measure(bot)
        except (VaultError, journal.Busy, ValueError) as error:
            log.warning("the numbers of %s could not be kept up: %s", bot.slug, error)
