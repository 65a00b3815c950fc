"""The copies of an item: of a promoted one the bot keeps the line of its day too, and of lasting ones a .bak file. What is done to
one is done to all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from typing import Any

from memory import index
from memory.bots import open_bot
from memory.dialects.golemcore import curate, items, layout
from memory.dialects.golemcore.directory import directory
from memory.dialects.golemcore.items import Item, ItemLine
from memory.domain.changes import Made, Put, digest
from memory.models import Bot
from memory.text.markdown.entries import FactAt

Going = tuple[str, bytes, Sequence[FactAt]]


def without(bot: Bot, going: Iterable[Going]) -> list[Made]:
    """The changes that take the copies of forgotten items away, too. Raises Unreadable."""
    meant = [(path, item) for path, data, facts in going for item in _items(path, data, facts)]
    return _changed(bot, meant, {path for path, _ in meant}, lambda line: None)


def changed(bot: Bot, path: str, data: bytes, fact: FactAt, **values: Any) -> list[Made]:
    """The changes that give the copies of an item the same values. Raises Unreadable."""
    meant = [(path, item) for item in _items(path, data, [fact])]
    return _changed(
        bot,
        meant,
        {path},
        lambda line: items.with_item(line, curate.changed(line.item, **values)) if line.item else line.raw,
    )


def _items(path: str, data: bytes, facts: Sequence[FactAt]) -> Iterator[Item]:
    if layout.layer_of(path) is None:
        return
    numbers = {fact.line for fact in facts}
    yield from (line.item for line in items.lines(data) if line.item and line.item.id and line.number in numbers)


def _changed(
    bot: Bot, meant: Sequence[tuple[str, Item]], here: set[str], new: Callable[[ItemLine], bytes | None]
) -> list[Made]:
    memory, ids = index.BotMemory(bot), {item.id for _, item in meant}
    made = []
    for path in dict.fromkeys(path for _, item in meant for path in _places(bot, item)):
        data = memory.read(path) if path not in here else None
        lines = {line.number: line for line in items.lines(data or b"") if line.item and line.item.id in ids}
        after = curate.replaced(data or b"", {number: new(line) for number, line in lines.items()})
        if data is not None and after != data:
            made.append((Put(path, after, digest(data)), data))
    return made


def _places(bot: Bot, item: Item) -> Iterator[str]:
    """Where a copy of an item may be: an episodic one is in the file of the day of its turn."""
    memory = directory(bot)
    for layer in layout.LASTING:
        path = layout.items_path(layer, memory=memory)
        yield from (path, path + layout.BACKUP)
    if item.created:
        at = item.created.astimezone(open_bot(bot).zone)
        days = [(at + timedelta(days=off)).date().isoformat() for off in (0, -1, 1)]
        yield from (layout.items_path(layout.EPISODIC, day, memory) for day in days)
