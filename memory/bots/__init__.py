"""The bots we look after: found, and opened."""

from __future__ import annotations

from django.db.models import QuerySet

from memory.bots.opened import OpenBot, open_bot, reopen
from memory.models import Bot

__all__ = ["OpenBot", "default_bot", "open_bot", "present", "reopen"]


def default_bot() -> Bot | None:
    """The bot of the environment, else the oldest one; None if there is none yet."""
    return present().first()


def present() -> QuerySet[Bot]:
    """The bots on the desk, that of the environment first, then the oldest."""
    return Bot.present.order_by("-from_environment", "id")
