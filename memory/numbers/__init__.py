"""A bot's numbers over time: what came and went, and how it stood on each of its days."""

from __future__ import annotations

from memory.jobs.each_bot import each_bot
from memory.models import Bot
from memory.numbers import measures, tallies

__all__ = ["keep"]


def keep() -> None:
    """Count what came and went at each bot since the last time, and once on each of its days how it stands."""
    each_bot(_keep, Bot.present.all(), "its numbers could not be kept up")


def _keep(bot: Bot) -> None:
    tallies.count(bot)
    measures.measure(bot)
