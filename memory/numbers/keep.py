"""The numbers of all bots, kept up with what happens."""

from __future__ import annotations

from memory.models import Bot
from memory.numbers import measures, tallies


def keep() -> None:
    """Count what came and went at each bot since the last time, and once on each of its days how it stands."""
    for bot in Bot.present.all():
        tallies.count(bot)
        measures.measure(bot)
