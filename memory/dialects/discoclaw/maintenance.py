"""Files that the bot would take for none and replace at its next write: they are found before it does."""

from __future__ import annotations

from json import JSONDecodeError

from django.utils.translation import gettext_lazy

from memory import index
from memory.bots import open_bot
from memory.bots.family import FamilyFinding
from memory.dialects.discoclaw import curate, javascript
from memory.index import cached
from memory.models import Bot, Document
from memory.text.sentences import say_number
from memory.text.storable import keepable


class Malformed:
    """The check: however many files are malformed, they are one finding, which leads to the first of them."""

    name = "malformed"
    page = ""
    title = gettext_lazy("Malformed files")
    why = gettext_lazy("The bot can’t read the file and will replace it with a new one the next time it writes there.")
    act = gettext_lazy("Open")

    def look(self, bot: Bot) -> FamilyFinding | None:
        return _found(cached.while_indexed(bot, self.name, lambda: malformed(bot)))


CHECK = Malformed()


def malformed(bot: Bot) -> list[tuple[str, int]]:
    """The files, by their names, each with the line where it goes wrong. Raises Unreadable."""
    memory = index.BotMemory(bot)
    is_later = open_bot(bot).settings.is_later
    found = Document.objects.filter(bot=bot, error="").order_by("path")
    suspects = found if is_later else found.filter(facts_count=0)
    paths = [path for path in suspects.values_list("path", flat=True) if curate.is_own(path)]
    read = ((path, memory.read(path) or b"") for path in paths)
    return [(path, _line(data)) for path, data in read if curate.is_malformed(path, data, is_later=is_later)]


def _line(data: bytes) -> int:
    """Where a file is no longer JSON; its first line where it is, and not the bot's."""
    try:
        javascript.read(data.decode())
    except JSONDecodeError as error:
        return error.lineno
    except UnicodeDecodeError as error:
        return data.count(b"\n", 0, error.start) + 1
    except ValueError:
        pass
    return 1


def _found(files: list[tuple[str, int]]) -> FamilyFinding | None:
    """They as one finding, at the first of them; None if there is none."""
    if not files:
        return None
    path, line = files[0]
    note = say_number(
        "%(file)s is malformed at line %(line)s.",
        "%(count)s files are malformed, the first at line %(line)s of %(file)s.",
        count=len(files),
        file=keepable(path),
        line=line,
    )
    return FamilyFinding(path, path, note, line)
