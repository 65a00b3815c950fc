"""What the bot drops when it next writes a file of lasting items: lines it cannot read, keys it does not know, what is too old."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from memory.dialects.golemcore import entries, items, layout, upsert
from memory.dialects.golemcore.items import ItemLine
from memory.dialects.golemcore.settings import Settings
from memory.domain.memory import Memory
from memory.text.sentences import say


@dataclass(frozen=True, slots=True)
class Loss:
    """A line, or a part of one, that will be gone; `why` is for people."""

    path: str
    line: int
    text: str
    why: str


def losses(memory: Memory, directory: str, now: datetime, settings: Settings) -> Iterator[Loss]:
    """What the bot will drop, by file and line. Raises Unreadable."""
    for layer in layout.LASTING:
        path = layout.items_path(layer, memory=directory)
        for line in items.lines(memory.read(path) or b""):
            if why := _why(line, now, settings):
                yield Loss(path, line.number, entries.text_of(line), why)


def _why(line: ItemLine, now: datetime, settings: Settings) -> str:
    if line.item is None or not line.is_read:
        return line.why
    if why := upsert.too_old(line.item, now, settings):
        return why
    return say("The bot doesn’t know %(keys)s.", keys=", ".join(line.unknown)) if line.unknown else ""
