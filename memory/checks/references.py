"""What a document says of a file that is not there: a link or a name in code that leads nowhere."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from urllib.parse import unquote

from django.db.models import QuerySet

from memory.bots import open_bot
from memory.checks.subjects import Wrong
from memory.domain.errors import VaultError
from memory.domain.places import Kind
from memory.index import BotMemory
from memory.models import Bot, Document, Fact, Revision
from memory.text.markdown.normal import key
from memory.text.sentences import say

NAME = "reference"
KINDS = (Kind.LONG_TERM, Kind.TOPIC, Kind.CONTEXT)  # what is read again and again; a log tells of its day
# [words](notes/trip.md#part), or `notes/trip.md`.
_NAMED = re.compile(r"\]\((?P<link>[^()\s:#]+\.md)(?:#[^()\s]*)?\)|`(?P<code>[\w./-]+\.md)`")
_PATTERN = re.compile(r"[A-Z]{2,4}-[A-Z]{2}|YYYY|\*|<|\{")  # stands for many files


def broken(bot: Bot, paths: Collection[str] | None = None) -> Iterator[tuple[str, Wrong]]:
    """Each name of a file that is not there, (path, what is wrong): in these documents, or with None in all."""
    rows = _naming(bot, ".md")
    rows = rows if paths is None else rows.filter(document__path__in=paths)
    known = _Files(bot)
    for path, text, line in rows.values_list("document__path", "text", "line"):
        for named in _names(text):
            if not known.has(path, unquote(named)):
                yield path, Wrong(key(named), say("%(file)s doesn’t exist.", file=named), text, line)


def left_by(bot: Bot, since: datetime) -> set[str]:
    """The documents that name one of the files that went since then: nothing of them changed."""
    gone = Revision.objects.filter(change_set__bot=bot, change_set__created__gte=since, action=Revision.Action.DELETE)
    described = open_bot(bot).dialect.describe
    paths = gone.order_by().values_list("path", flat=True).distinct()
    lost = {posixpath.basename(path) for path in paths if (place := described(path)) and not place.day}
    rows = _naming(bot, ".md").values_list("document__path", "text") if lost else ()
    return {path for path, text in rows if any(posixpath.basename(unquote(one)) in lost for one in _names(text))}


def _names(text: str) -> Iterable[str]:
    """The names of files that stand in a text, each once."""
    return dict.fromkeys(found["link"] or found["code"] for found in _NAMED.finditer(text))


def _naming(bot: Bot, word: str) -> QuerySet[Fact]:
    """The facts with this word in documents whose names count."""
    return Fact.objects.filter(document__bot=bot, document__kind__in=KINDS, text__contains=word).order_by()


class _Files:
    """The files that a bot has, by their paths and their last parts."""

    def __init__(self, bot: Bot) -> None:
        self.dialect, self.memory = open_bot(bot).dialect, BotMemory(bot)
        self.paths: set[str] | None = None
        self.bot = bot

    def has(self, path: str, named: str) -> bool:
        """Whether a name that stands in a document can mean a file: seen from there, or from above, or by its end."""
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), named))
        place = self.dialect.describe(beside) or self.dialect.describe(named)
        if _PATTERN.search(named) or (place and place.day) or beside.startswith(".."):
            return True  # for many, a day's log, which may have gone into long-term memory or the archive, or not ours to see
        if self.paths is None:
            self.paths = set(Document.objects.filter(bot=self.bot).values_list("path", flat=True))
        end = f"/{named.removeprefix('./')}"
        return any(f"/{one}".endswith(end) for one in self.paths) or any(map(self._is_file, {beside, named}))

    def _is_file(self, path: str) -> bool:
        """Whether such a file is there that is no memory."""
        try:
            return self.memory.read(path) is not None
        except VaultError:
            return True
