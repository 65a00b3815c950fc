"""Files that the bot would take for none and replace at its next write: they are found before it does."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from memory import index
from memory.bots import open_bot
from memory.bots.family import Found
from memory.dialects.discoclaw import curate
from memory.index import cached
from memory.models import Bot, Document
from memory.text.sentences import say_number


class Malformed:
    """The check: however many files are malformed, they are one finding, at the first of them."""

    name = "malformed"
    page = "documents"
    why = gettext_lazy("The bot can’t read the file and will replace it with a new one the next time it writes there.")
    act = gettext_lazy("Show files")

    def look(self, bot: Bot) -> Found | None:
        paths = cached.while_indexed(bot, self.name, lambda: malformed(bot))
        return Found(paths[0], paths[0], _note(len(paths))) if paths else None


CHECK = Malformed()


def malformed(bot: Bot) -> list[str]:
    """The files, by their names. Raises Unreadable."""
    memory = index.BotMemory(bot)
    is_later = open_bot(bot).settings.is_later
    found = Document.objects.filter(bot=bot, error="").order_by("path")
    suspects = found if is_later else found.filter(facts_count=0)
    paths = [path for path in suspects.values_list("path", flat=True) if curate.is_own(path)]
    read = ((path, memory.read(path)) for path in paths)
    return [path for path, data in read if data is not None and curate.is_malformed(path, data, is_later=is_later)]


def _note(count: int) -> str:
    return say_number("%(count)s file is malformed.", "%(count)s files are malformed.", count=count)
