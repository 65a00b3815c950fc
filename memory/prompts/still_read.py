"""Which documents the bot still loads before it answers, whatever the message."""

from __future__ import annotations

from memory import index
from memory.bots import open_bot
from memory.domain.errors import VaultError
from memory.models import Bot


def still_read(bot: Bot, chat: str = "") -> frozenset[str] | None:
    """The paths of what is loaded in a chat ("": in none); None where that depends on the message, or cannot be told."""
    opened = open_bot(bot)
    if opened.reads_by_message:
        return None
    try:
        prompt = opened.dialect.prompt(index.BotMemory(bot), chat or None, "", opened.now(), opened.settings)
    except (VaultError, ValueError):
        return None
    return frozenset(line.path for section in prompt.sections for line in section.lines if line.path)
