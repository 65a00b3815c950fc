"""What a nanobot has and a chat's prompt does not hold, and why: of entries the first by name, the rest as a number a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from memory.dialects.nanobot.recall import CUT, Layer, Recalled
from memory.domain.prompt import LeftOut
from memory.text.sentences import say

NAMED = 20  # entries
QUOTED = 60  # characters

NO_MESSAGE = say("Without a message, no entry is recalled.")
NO_WORD = say("It contains none of the words the bot looks for, so it isn’t recalled.")
OFF = say("The bot’s memory is off, so no entry is recalled.")
OTHER_KIND = say("Only a user’s preferences and facts are recalled.")
WIDE = say("Workspace-wide entries are never recalled in chats.")


def cut(path: str, text: str, most: int) -> LeftOut | None:
    """The end of a document, which stands on one line here, where the bot reads no more than so many characters of it; None if it
    reads all of it."""
    if len(text) <= most:
        return None
    end = text[most - len(CUT) :]
    return LeftOut(
        path,
        say("The bot loads %(most)s characters of it and cuts off the last %(count)s.", most=most, count=len(end)),
        _quoted(f"…{end.strip()}"),
    )


def all_of(layers: Iterable[Layer], why: str) -> Iterator[LeftOut]:
    """All entries that a chat may recall, for one reason."""
    for layer in layers:
        yield from _many(layer.path, why, len(layer.entries) + layer.others)


def entries(layers: Iterable[Layer], found: Recalled, query: str) -> Iterator[LeftOut]:
    """The entries that a message does not bring back: those that it means and that are kept out, then the others."""
    if not query.strip():
        yield from all_of(layers, NO_MESSAGE)
        return
    yield from (LeftOut(entry.path, why, _quoted(entry.text)) for entry, why in found.left_out[:NAMED])
    for (path, why), count in Counter((entry.path, why) for entry, why in found.left_out[NAMED:]).items():
        yield from _many(path, why, count)
    met = Counter(hit.entry.path for hit, _ in found.shown)
    met.update(entry.path for entry, _ in found.left_out)
    for layer in layers:
        yield from _many(layer.path, NO_WORD, len(layer.entries) - met[layer.path])
        yield from _many(layer.path, OTHER_KIND, layer.others)


def _many(path: str, why: str, count: int) -> Iterator[LeftOut]:
    if count:
        yield LeftOut(path, why, count=count)


def _quoted(text: str) -> str:
    return f"“{text}”" if len(text) <= QUOTED else f"“{text[: QUOTED - 3]}…”"
