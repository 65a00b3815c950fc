"""Lasting items as the bot stores them: what says the same is merged, what is too old goes, all else keeps its line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memory.dialects.golemcore import curate, items, java, layout
from memory.dialects.golemcore.items import Item, ItemLine
from memory.dialects.golemcore.layout import Layer
from memory.dialects.golemcore.settings import Settings
from memory.domain.changes import Append, Put, base_of
from memory.text.sentences import say
from memory.text.utf16 import count_units

CONFIDENCE, SALIENCE = 0.75, 0.70  # of an item that says none
EXPIRED = say("Its own time is over.")
DECAYED = say("It hasn’t been repeated for longer than the bot keeps items.")


@dataclass(frozen=True, slots=True)
class Upserted:
    """How an item was stored: `data` is the file now, `item` as it stands there. `dropped` are the lines that went because they
    were too old."""

    data: bytes
    item: Item
    is_new: bool
    dropped: tuple[ItemLine, ...] = ()


def upsert(path: str, data: bytes | None, candidate: Item, now: datetime, settings: Settings) -> Upserted:
    """Store an item in a file of lasting ones. Lines that nobody can read stay."""
    before, layer = data or b"", layout.layer_of(path) or layout.SEMANTIC
    lines = [one for one in items.lines(before) if one.item and one.is_read]
    item = completed(candidate, layer, now)
    same = next((one for one in lines if one.item and _is_same(one.item, item)), None)
    stands = merged(same.item, item, now) if same and same.item else item
    dropped = tuple(one for one in lines if one is not same and one.item and drops(one.item, layer, now, settings))
    instead: dict[int, bytes | None] = {one.number: None for one in dropped}
    if same is not None:
        after = curate.replaced(before, instead | {same.number: items.with_item(same, stands)})
    else:
        after = curate.replaced(before, instead)
        after += curate.appended(path, after, [items.dumps(items.row_of(stands))]).data
    return Upserted(after, stands, same is None, dropped)


def moved(layer: Layer, path: str, data: bytes | None, going: Iterable[Item], now: datetime) -> Append:
    """Items of another file behind those of this one."""
    return curate.appended(path, data, [items.dumps(items.row_of(completed(item, layer, now))) for item in going])


def change(path: str, before: bytes | None, after: bytes) -> Put | Append:
    """What makes a file say this: lines at its end where no other changed."""
    if after.startswith(before or b""):
        return Append(path, after[len(before or b"") :])
    return Put(path, after, base_of(before))


def completed(item: Item, layer: str, now: datetime) -> Item:
    """An item with all that the bot gives to one that lacks it."""
    content = item.content or ""
    return replace(
        item,
        id=item.id or curate.own_id(layer, item.type, content, now),
        layer=layer.upper(),
        confidence=CONFIDENCE if item.confidence is None else item.confidence,
        salience=SALIENCE if item.salience is None else item.salience,
        fingerprint=item.fingerprint or items.fingerprint(item.type, content),
        created=item.created or now,
        updated=now,
    )


def merged(old: Item, new: Item, now: datetime) -> Item:
    """A stored item that is said again: a longer content counts, the higher scores, and the tags and references of both."""
    longer = not java.is_blank(new.content) and count_units(new.content or "") > count_units(old.content or "")
    return replace(
        old,
        updated=now,
        content=new.content if longer else old.content,
        title=old.title if java.is_blank(new.title) else new.title,
        confidence=_most(old.confidence, new.confidence),
        salience=_most(old.salience, new.salience),
        type=new.type or old.type,
        source=new.source if new.source is not None else old.source,
        ttl_days=old.ttl_days if new.ttl_days is None else new.ttl_days,
        accessed=new.accessed or old.accessed,
        tags=tuple(dict.fromkeys((*old.tags, *new.tags))),
        references=tuple(dict.fromkeys((*old.references, *new.references))),
    )


def drops(item: Item, layer: str, now: datetime, settings: Settings) -> str:
    """Why Kenoweb drops an item when it writes its file, for people; "" if it stays."""
    why = too_old(item, now, settings)
    return "" if why == DECAYED and layer == layout.SEMANTIC and not settings.durableDecay else why


def too_old(item: Item, now: datetime, settings: Settings) -> str:
    """Why the bot drops an item at its next rewrite of the file, for people; "" if it stays."""
    if not settings.decayEnabled:
        return ""
    if is_expired(item, now):
        return EXPIRED
    return DECAYED if is_stale(item, now, settings.decayDays) else ""


def is_expired(item: Item, now: datetime) -> bool:
    """Whether an item's own time is over."""
    return item.ends is not None and now > item.ends


def is_stale(item: Item, now: datetime, days: int) -> bool:
    """Whether an item was not said for so many days."""
    return item.at is not None and item.at < now - timedelta(days=days)


def _is_same(stored: Item, new: Item) -> bool:
    return stored.fingerprint == new.fingerprint or (stored.id is not None and stored.id == new.id)


def _most(one: float | None, other: float | None) -> float | None:
    known = [value for value in (one, other) if value is not None]
    return max(known) if known else None
