"""What the bots' settings do not keep of their history is let go once a day, and old calls of the model. It may take long, so
nothing else waits for it."""

from __future__ import annotations

import logging

from django.utils import timezone

from memory import journal
from memory.bots import automation
from memory.domain.errors import VaultError
from memory.journal import retention
from memory.llm import usage
from memory.models import Bot

log = logging.getLogger(__name__)


class Pruning:
    """What one worker knows of it: whose history it has looked at on which day."""

    def __init__(self) -> None:
        self._seen: set[tuple[int, str]] = set()

    def look(self) -> None:
        """Let go of what is due of every bot that it has not looked at today."""
        today = timezone.now().date().isoformat()
        for bot in Bot.present.all():
            if (bot.pk, today) not in self._seen and _prune(bot):
                self._seen.add((bot.pk, today))


def _prune(bot: Bot) -> bool:
    """Whether it could be done."""
    usage.forget_old(bot)
    try:
        retention.forget_decided(bot)
        found = retention.due(bot) if automation.automation_of(bot).prunes else None
        if found and found.revisions:
            freed = retention.prune(bot, found)
            log.info("pruned %s old versions of %s, %s bytes", len(found.revisions), bot.slug, freed)
    except (journal.Busy, VaultError, ValueError) as error:
        log.warning("the history of %s could not be pruned: %s", bot.slug, error)
        return False
    return True
