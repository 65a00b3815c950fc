"""How much of its long-term memory a bot reads, in words."""

from __future__ import annotations

from django.utils.translation import gettext as _

from memory.bots import open_bot
from memory.models import Bot
from memory.web.base.gauges import kilobytes


def how_read(bot: Bot, size: int) -> str:
    """What of a long-term memory of so many bytes the bot reads; "" where that is not known, or depends on the message."""
    opened = open_bot(bot)
    limit = opened.limit
    if opened.reads_by_message or not size or not limit:
        return ""
    if not limit.cuts or size <= limit.size:
        words = _("%(bot)s reads all of it in every message")
    else:
        words = _("%(bot)s reads its beginning and end") if limit.keeps else _("%(bot)s reads the first %(limit)s")
    return words % {"bot": bot.name, "limit": kilobytes(limit.size)}
