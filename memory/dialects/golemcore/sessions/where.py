"""Where the session of a chat lies, as the index knows it: in which form, and in which directory below `sessions`."""

from __future__ import annotations

from memory.dialects.golemcore.sessions.files import is_proto
from memory.domain.dialect import Kind
from memory.models import Bot, Document


def path_of(bot: Bot, chat: str) -> str:
    """The file that the bot reads, if there are two; "" for a chat without any."""
    paths = Document.objects.filter(bot=bot, kind=Kind.TRANSCRIPT, scope=chat).values_list("path", flat=True)
    return min(paths, key=lambda path: (not is_proto(path), path), default="")
