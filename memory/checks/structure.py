"""Documents that the bot reads otherwise than they were meant, or not at all: an open code fence, a heading that is none, a file
that it cannot parse."""

from __future__ import annotations

from collections.abc import Iterator

from memory.bots import open_bot
from memory.checks.subjects import Wrong
from memory.domain.errors import VaultError
from memory.domain.places import Kind
from memory.index import BotMemory
from memory.models import Bot, Document
from memory.text.markdown.blocks import decode
from memory.text.markdown.oddities import Odd, oddities
from memory.text.sentences import say

NAME = "structure"
UNPARSED = "unparsed"
KINDS = (Kind.LONG_TERM, Kind.DAILY, Kind.TOPIC, Kind.CONTEXT, Kind.HISTORY)
LARGEST = 4 * 1024 * 1024  # bytes; who writes more has made no slip
WHY = {
    Odd.FENCE: say("This code fence is never closed, so all that follows reads as code."),
    Odd.HEADING: say("It needs a space after its # to be a heading."),
}
CANNOT = say("The bot can’t read this file, or a part of it, as it is.")


def judge(bot: Bot, document: Document) -> list[Wrong]:
    """What is wrong with the form of a document."""
    if document.kind not in KINDS or document.error or document.size > LARGEST:
        return []
    try:
        data = BotMemory(bot).read(document.path) or b""
    except VaultError:
        return []  # that it cannot be read at all is said elsewhere
    return [*_odd(document.path, data), *_unparsed(bot, document.path, data)]


def _odd(path: str, data: bytes) -> Iterator[Wrong]:
    if path.endswith(".md"):
        for one in oddities(decode(data)):
            yield Wrong(one.odd, WHY[one.odd], one.text, one.line)


def _unparsed(bot: Bot, path: str, data: bytes) -> Iterator[Wrong]:
    """What nobody may make of the document, it is already."""
    if data and open_bot(bot).dialect.refused(path, b"", data):
        yield Wrong(UNPARSED, CANNOT)
