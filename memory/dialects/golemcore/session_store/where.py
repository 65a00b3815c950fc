"""Where the session of a chat lies, as the index knows it: in which form, and in which directory below `sessions`."""

from __future__ import annotations

from memory.dialects.golemcore.sessions.files import is_proto
from memory.domain.places import Kind
from memory.models import Bot, Document


def paths_of(bot: Bot, chat: str) -> list[str]:
    """The files of a chat's session, first the one that the bot reads."""
    paths = Document.objects.filter(bot=bot, kind=Kind.TRANSCRIPT, scope=chat).values_list("path", flat=True)
    return sorted(paths, key=lambda path: (not is_proto(path), path))


def path_of(bot: Bot, chat: str) -> str:
    """The file that the bot reads; "" for a chat without any."""
    return next(iter(paths_of(bot, chat)), "")
