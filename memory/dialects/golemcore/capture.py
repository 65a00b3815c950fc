"""What the bot writes down of a turn: a note of the day, its items, and at once those of them that last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from memory.dialects.golemcore import curate, extraction, items, layout, notes, upsert
from memory.dialects.golemcore.items import Item
from memory.dialects.golemcore.layout import Layer
from memory.dialects.golemcore.settings import OBSERVE, Settings
from memory.domain.abilities import observe
from memory.domain.changes import Change
from memory.domain.memory import Memory
from memory.domain.turns import Captured, Turn
from memory.text.utf16 import prefix

PROMOTED: dict[str, Layer] = {
    **dict.fromkeys(("CONSTRAINT", "PREFERENCE", "PROJECT_FACT", "DECISION"), layout.SEMANTIC),
    **dict.fromkeys(("FAILURE", "FIX", "COMMAND_RESULT"), layout.PROCEDURAL),
}
_LONGEST = 10_000  # units of a message
_AT_ONCE = timedelta(minutes=5)  # within which the same turn is the one that the bot wrote down itself


def capture(turn: Turn, memory: Memory, directory: str, settings: Settings) -> Captured:
    """The changes of a turn; none where the bot writes down what it says. Raises Unreadable."""
    if settings.capture == OBSERVE and not turn.answered:
        return observe(turn)
    if not settings.enabled:
        return _captured(turn, ())
    found = extraction.extracted(extraction.event(prefix(turn.message, _LONGEST), turn.response, turn.at), settings)
    day = f"{turn.at:%Y-%m-%d}"
    path = layout.items_path(layout.EPISODIC, day, directory)
    data = memory.read(path)
    if _stands(data or b"", found, turn):
        return _captured(turn, (), already=1)
    made: list[Change] = []
    if settings.legacyDailyNotesEnabled:
        made.append(_noted(turn, memory, layout.notes_path(day, directory)))
    if found:
        made.append(curate.appended(path, data, [items.dumps(items.row_of(one)) for one in found]))
    promoted = _promoted(found, memory, directory, turn, settings) if settings.promotionEnabled else []
    return _captured(turn, (*made, *promoted), items=len(found), promoted=len(_lasting(found, settings)))


def _captured(turn: Turn, changes: Sequence[Change], **counts: int) -> Captured:
    stored = {"memories": counts.get("items", 0), "documents": [one.path for one in changes]}
    return Captured(turn.response, tuple(changes), {**stored, **counts})


def _stands(data: bytes, found: Iterable[Item], turn: Turn) -> bool:
    """Whether the bot wrote down this very turn before it was reported."""
    names = {one.fingerprint for one in found if one.source == "turn"}
    known = (one for one in items.read(data) if one.fingerprint in names and one.created)
    return any(one.created and abs(turn.at - one.created) <= _AT_ONCE for one in known)


def _noted(turn: Turn, memory: Memory, path: str) -> Change:
    note = notes.noted(turn.at, prefix(turn.message, _LONGEST), turn.response)
    return notes.closed(path, memory.tail(path, 1), note)


def _lasting(found: Iterable[Item], settings: Settings) -> list[Item]:
    if not settings.promotionEnabled:
        return []
    sure = (one for one in found if (one.confidence or 0.0) >= settings.promotionMinConfidence)
    return [one for one in sure if one.type in PROMOTED]


def _promoted(found: Sequence[Item], memory: Memory, directory: str, turn: Turn, settings: Settings) -> list[Change]:
    changes: list[Change] = []
    for layer in layout.LASTING:
        some = [one for one in _lasting(found, settings) if PROMOTED[one.type or ""] == layer]
        path = layout.items_path(layer, memory=directory)
        before = after = memory.read(path) if some else None
        for one in some:
            after = upsert.upsert(path, after, one, turn.at, settings).data
        if after is not None and after != before:
            changes.append(upsert.change(path, before, after))
    return changes
