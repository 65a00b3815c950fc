"""What stands beside a chat's facts: what it is about, what it works on, what the bot keeps of it for long."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from memory import index
from memory.bots import open_bot
from memory.domain.errors import Unreadable
from memory.domain.places import Kind
from memory.models import Bot
from memory.text.secrets import place_to_cut
from memory.web.base import markdown
from memory.web.base.addresses import address
from memory.web.base.file_links import leading
from memory.web.base.shown_text import shown

MOST = 1200  # characters of a file; its page has the rest
LEVEL = 4  # of headings, which stand below a box's own


def asides(bot: Bot, scope: str) -> list[dict[str, object]]:
    """The files of a chat that say something and can be read."""
    return list(_found(bot, scope))


def _found(bot: Bot, scope: str) -> Iterator[dict[str, object]]:
    """The files, laid out to be read; `cut`: not all of one."""
    memory = index.BotMemory(bot)
    titles = {
        Kind.CONTEXT: _("About this chat"),
        Kind.WORKING: _("Working memory"),
        Kind.LONG_TERM: _("Long-term memory"),
    }
    for kind, title in titles.items():
        path = open_bot(bot).dialect.path(kind, scope) or ""
        if text := _text(memory, path).strip():
            beginning = shown(text[: place_to_cut(text, MOST)].strip())
            read = markdown.html(beginning, LEVEL, leading(bot, [(path, beginning)])(path))
            yield {
                "kind": kind,
                "title": title,
                "url": address("document", bot, path),
                "text": read,
                "cut": len(text) > MOST,
            }


def _text(memory: index.BotMemory, path: str) -> str:
    try:
        return ((memory.read(path) if path else None) or b"").decode(errors="replace")
    except Unreadable:
        return ""
