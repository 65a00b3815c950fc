"""Vectors for facts that have none yet, where an embedder is set up: some after each walk, all when the index is built anew."""

from __future__ import annotations

from django.conf import settings

from memory.models import Bot

SECONDS = 1.0  # for which one run makes vectors: somebody's page asked for it


def fill(bot: Bot, seconds: float | None = SECONDS) -> str:
    """Make vectors for some of the texts that have none, for about so many seconds (None: until all have one). Returns why it
    could not, for people; "" if it could. Nothing is asked and nothing loaded without an embedder."""
    if not settings.EMBEDDER:
        return ""
    # here, for who sets up no embedder need not wait for what it is made of
    from memory.search import embedding as vectoring

    return vectoring.fill(bot, seconds)


def examine(bot: Bot) -> tuple[bool, str]:
    """Whether the embedder that is set up answers, and how many texts have their vectors, for people."""
    from memory.search import embedding as vectoring

    return vectoring.examine(bot)
