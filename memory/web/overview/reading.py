"""The first look at a large memory: the page stands at once, and says how much of it is read."""

from __future__ import annotations

from memory.bots import open_bot
from memory.domain.errors import VaultError
from memory.models import Bot, Document

FILES, BYTES = 200, 1_000_000  # so much is read while somebody waits for the page


def takes_long(bot: Bot) -> dict[str, object] | None:
    """How far the first look at a bot's memory is; None where it takes no time, or where nothing can be read."""
    try:
        sizes = [
            found.stat.size for vault in open_bot(bot).vaults.values() for found in vault.scan() if not found.error
        ]
    except VaultError:
        return None
    if len(sizes) <= FILES and sum(sizes) <= BYTES:
        return None
    return {"done": min(Document.objects.filter(bot=bot).count(), len(sizes)), "files": len(sizes)}
