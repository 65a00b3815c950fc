"""The directory of a bot's memory within its workspace."""

from __future__ import annotations

from memory.bots import open_bot
from memory.dialects.golemcore import GolemCore, layout
from memory.models import Bot


def directory(bot: Bot) -> str:
    """What it is called."""
    dialect = open_bot(bot).dialect
    return dialect.memory if isinstance(dialect, GolemCore) else layout.MEMORY
