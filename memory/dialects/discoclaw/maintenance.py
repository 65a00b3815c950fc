"""Files that the bot would take for none and replace at its next write: they are found before it does."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from memory import index
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
    without_facts = Document.objects.filter(bot=bot, facts_count=0, error="").order_by("path")
    paths = [path for path in without_facts.values_list("path", flat=True) if curate.is_own(path)]
    return [path for path in paths if (data := memory.read(path)) is not None and curate.is_malformed(path, data)]


def _note(count: int) -> str:
    return say_number("%(count)s file is malformed.", "%(count)s files are malformed.", count=count)
