"""What the pages ask of a bot."""

from __future__ import annotations

from memory.bots import open_bot
from memory.dialects.golemcore import GolemCore, layout
from memory.models import Bot


def directory(bot: Bot) -> str:
    """What the directory of a bot's memory is called."""
    dialect = open_bot(bot).dialect
    return dialect.memory if isinstance(dialect, GolemCore) else layout.MEMORY
