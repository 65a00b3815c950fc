"""The bot's memory tool: its operations with their arguments and answers.

Where the bot's own tool reports success without any effect, this one does what it says: an update may shorten a text and lower
a score, what is forgotten leaves every file, and a query means only items that have to do with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from memory.dialects.golemcore import curate, items, java, layout, scores, upsert
from memory.dialects.golemcore.arguments import Arguments, Wrong
from memory.dialects.golemcore.items import Item, ItemLine
from memory.dialects.golemcore.layout import Layer
from memory.dialects.golemcore.settings import Settings
from memory.domain.changes import Change, Delete, Put, digest
from memory.domain.memory import Memory

NOTHING = "No memory items found"  # as the bot says it to its model
SHOWN = 140  # units of a content in a list
_SEARCHED, _FORGOTTEN, _ANY = 8, 5, 50  # items of each layer


@dataclass(frozen=True, slots=True)
class ItemPlace:
    """An item where it lies."""

    path: str
    line: ItemLine
    item: Item


@dataclass(frozen=True, slots=True)
class Here:
    """What the operations work on."""

    memory: Memory
    directory: str
    now: datetime
    settings: Settings

    def path(self, layer: Layer) -> str:
        """Where the lasting items of a layer lie."""
        return layout.items_path(layer, memory=self.directory)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What the tool says, and what it writes."""

    success: bool
    output: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()

    @property
    def told(self) -> dict[str, Any]:
        """It as the bot answers."""
        if not self.success:
            return {"success": False, "error": self.output}
        return {"success": True, "output": self.output, **({"data": dict(self.data)} if self.data else {})}


def run(here: Here, given: Mapping[str, object]) -> ToolResult:
    """Carry a call out. Raises Unreadable."""
    if not here.settings.enabled:
        return ToolResult(False, "Memory is disabled")
    if not given:
        return ToolResult(False, "Parameters are required")
    operation = given.get("operation")
    if operation is None:
        return ToolResult(False, "Missing required parameter: operation")
    act = _OPERATIONS.get(str(operation))
    try:
        return act(here, Arguments(given)) if act else ToolResult(False, f"Unknown operation: {operation}")
    except Wrong as error:
        return ToolResult(False, str(error))


def _add(here: Here, given: Arguments) -> ToolResult:
    content, layer = given.text("content"), given.layer() or layout.SEMANTIC
    kind = given.type() or "PROJECT_FACT"
    if content is None:
        return ToolResult(False, "memory_add requires content")
    done = _stored(here, layer, _made(here, given, layer, kind, content, 0.85, 0.72))
    return _answered(f"Memory added to {layer.upper()}: {done.title}", done, layer, here)


def _search(here: Here, given: Arguments) -> ToolResult:
    found = _ranked(here, given.text("query") or "", given.limit(_SEARCHED))
    if not found:
        return ToolResult(True, f"{NOTHING}.")
    lines = [f"{at}. {_shown(one.item)}" for at, one in enumerate(found, 1)]
    listed = [_data(one.item) for one in found]
    return ToolResult(True, "\n".join([f"Found {len(found)} memory item(s):", *lines]), {"items": listed})


def _update(here: Here, given: Arguments) -> ToolResult:
    if not (given.text("id") or given.text("fingerprint")):
        return ToolResult(False, "memory_update requires id or fingerprint")
    said = _said(given)
    if not said:
        return ToolResult(False, "memory_update requires at least one field to update")
    found = next(iter(_named(here, given, given.layer())), None)
    if found is None:
        return ToolResult(False, "No memory item found with this id or fingerprint")
    item = curate.changed(found.item, **said, updated=here.now)
    changes = tuple(_rewritten(here, _copies(here, found), item))
    return ToolResult(True, f"Memory updated in {_layer(found).upper()}", _brief(item, _layer(found)), changes)


def _promote(here: Here, given: Arguments) -> ToolResult:
    layer, content = given.layer() or layout.SEMANTIC, given.text("content")
    least = here.settings.promotionMinConfidence
    if content is not None:
        item = _made(here, given, layer, given.type() or "DECISION", content, least, 0.75)
    else:
        source = _source(here, given)
        if source is None:
            return ToolResult(False, "No source memory item found for promotion")
        item = replace(source.item, salience=0.75 if source.item.salience is None else source.item.salience)
    item = replace(item, confidence=max(least, item.confidence or 0.0))
    return _answered(f"Memory promoted to {layer.upper()}", _stored(here, layer, item), layer, here)


def _forget(here: Here, given: Arguments) -> ToolResult:
    query = given.text("query")
    if given.text("id") or given.text("fingerprint"):
        found = list(_named(here, given, given.layer()))
    else:
        found = _ranked(here, query, given.limit(_FORGOTTEN)) if query else []
    if not found:
        return ToolResult(False, "No memory items matched for forget")
    every = [one for meant in found for one in _copies(here, meant)]
    count = len({one.item.id or one.item.fingerprint or one.line.raw for one in found})
    return ToolResult(
        True, f"Forgot {count} memory item(s)", {"forgotten": count}, tuple(_rewritten(here, every, None))
    )


_OPERATIONS: Mapping[str, Callable[[Here, Arguments], ToolResult]] = {
    "memory_add": _add,
    "memory_search": _search,
    "memory_update": _update,
    "memory_promote": _promote,
    "memory_forget": _forget,
}


def _made(
    here: Here, given: Arguments, layer: Layer, kind: str, content: str, confidence: float, salience: float
) -> Item:
    item = replace(curate.new(layer, content, here.now, kind), confidence=confidence, salience=salience)
    said = {name: value for name, value in _said(given).items() if name not in ("content", "type")}
    item = replace(item, **said)
    return replace(item, id=given.text("id") or item.id, fingerprint=given.text("fingerprint") or item.fingerprint)


def _said(given: Arguments) -> dict[str, Any]:
    """The fields that a call gives to an item."""
    told = {
        "content": given.text("content"),
        "title": given.text("title"),
        "type": given.type(),
        "tags": given.texts("tags"),
        "references": given.texts("references"),
        "confidence": given.share("confidence"),
        "salience": given.share("salience"),
        "ttl_days": given.days("ttl_days"),
    }
    return {name: value for name, value in told.items() if value is not None}


@dataclass(frozen=True, slots=True)
class _Stored:
    """An item as it was stored, and the change that stores it."""

    item: Item
    change: Change

    @property
    def title(self) -> str:
        """What it is called in the answer."""
        return self.item.title or ""


def _stored(here: Here, layer: Layer, item: Item) -> _Stored:
    path = here.path(layer)
    data = here.memory.read(path)
    done = upsert.upsert(path, data, item, here.now, here.settings)
    return _Stored(done.item, upsert.change(path, data, done.data))


def _answered(words: str, done: _Stored, layer: Layer, here: Here) -> ToolResult:
    return ToolResult(True, words, _brief(done.item, layer), (done.change,))


def _ranked(here: Here, query: str, limit: int) -> list[ItemPlace]:
    """The best items for a query, so many of each layer."""
    settings = replace(here.settings, workingTopK=limit, episodicTopK=limit, semanticTopK=limit, proceduralTopK=limit)
    found = scores.ranked(
        here.memory, here.directory, query, here.now, settings, least=here.settings.minRelevance if query else 0.0
    )
    return [ItemPlace(one.path, one.line, one.item) for one in found.chosen]


def _source(here: Here, given: Arguments) -> ItemPlace | None:
    """The item that is to be promoted: never one that nobody named."""
    if given.text("id") or given.text("fingerprint"):
        return next(iter(_named(here, given, None)), None)
    query = given.text("query")
    return next(iter(_ranked(here, query, _ANY)), None) if query else None


def _named(here: Here, given: Arguments, layer: Layer | None) -> Iterator[ItemPlace]:
    """The items of this id, or else of this fingerprint, lasting ones first."""
    own, mark = given.text("id"), given.text("fingerprint")
    every = [one for one in _every(here) if layer is None or _layer(one) == layer]
    if own and (found := [one for one in every if one.item.id == own]):
        return iter(found)
    return iter([one for one in every if mark and one.item.fingerprint == mark])


def _every(here: Here) -> Iterator[ItemPlace]:
    episodes = [path for path in here.memory.paths() if layout.layer_of(path) == layout.EPISODIC]
    for path in (*(here.path(layer) for layer in layout.LASTING), *reversed(episodes)):
        for line in items.lines(here.memory.read(path) or b""):
            if line.item is not None:
                yield ItemPlace(path, line, line.item)


def _copies(here: Here, meant: ItemPlace) -> Iterator[ItemPlace]:
    """The item and its copies: of a promoted one its day has a line too, and the bot's .bak file another."""
    yield meant
    if meant.item.id is None:
        return
    for one in _every(here):
        if one.item.id == meant.item.id and (one.path, one.line.number) != (meant.path, meant.line.number):
            yield one
    for path in (here.path(layer) + layout.BACKUP for layer in layout.LASTING):
        for line in items.lines(here.memory.read(path) or b""):
            if line.item is not None and line.item.id == meant.item.id:
                yield ItemPlace(path, line, line.item)


def _rewritten(here: Here, places: Iterable[ItemPlace], item: Item | None) -> Iterator[Put | Delete]:
    """The files in which these lines say this item, each with its own layer and day, or are gone (None)."""
    by_path: dict[str, dict[int, bytes | None]] = {}
    for one in places:
        own = replace(item, layer=one.item.layer, created=one.item.created) if item else None
        by_path.setdefault(one.path, {})[one.line.number] = items.with_item(one.line, own) if own else None
    for path, lines in by_path.items():
        data = here.memory.read(path) or b""
        after = curate.replaced(data, lines)
        yield Put(path, after, digest(data)) if after.strip() else Delete(path, digest(data))


def _layer(one: ItemPlace) -> Layer:
    return layout.layer_of(one.path) or layout.SEMANTIC


def _shown(item: Item) -> str:
    said = java.cut(item.content or "", SHOWN)
    return f"[{item.layer or 'EPISODIC'}/{item.type or 'ITEM'}] {item.title or ''} - {said}"


def _brief(item: Item, layer: Layer) -> dict[str, Any]:
    return {"id": item.id, "fingerprint": item.fingerprint, "layer": layer}


def _data(item: Item) -> dict[str, Any]:
    row = items.row_of(item)
    names = ("id", "fingerprint", "layer", "type", "title", "content", "tags")
    return {name: row[name] for name in names}
