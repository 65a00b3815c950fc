"""One fact added, reworded, forgotten or brought back by hand, as the bot itself would find it written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from memory.dialects.discoclaw import durable, entries, javascript, layout, rolling, shortterm
from memory.dialects.discoclaw.durable import ACTIVE, FORGOTTEN, Malformed
from memory.domain.changes import Delete, Put, base_of, digest
from memory.text.markdown.entries import FactAt
from memory.text.markdown.rewrite import tidy
from memory.text.sentences import say

USERS_ONLY = say("Nothing can be added to this file here. Facts are added to a user.")
SAID = say("Another fact of this user already says this. Nothing was changed.")
WOULD_BREAK = say(
    "The bot couldn’t read the file anymore: it is not the JSON the bot expects. It would replace it with an empty "
    "one. Nothing was saved."
)
_BY_HAND = {"type": "manual"}


def is_own(path: str) -> bool:
    """Whether a document is one of the bot's files of JSON."""
    return not path.startswith("@")


def wrote(before: bytes, after: bytes) -> bool:
    """Whether a file has the form in which the bot writes it, and says a later time than before, as each of its writes does."""
    try:
        told = durable.parsed(after)
        return javascript.written(told) == after and _written_at(told) > _written_at(durable.parsed(before or b"{}"))
    except ValueError:
        return False


def _written_at(told: Any) -> float:
    """When the bot wrote this, as far as it tells."""
    if not isinstance(told, dict):
        return 0
    entries = shortterm.entries(told) if isinstance(told.get("entries"), list) else ()
    times = (told.get("updatedAt"), *(entry["timestamp"] for _, entry in entries))
    return max((at for at in times if isinstance(at, int | float)), default=0)


def add(
    path: str, data: bytes | None, told: Iterable[tuple[str, str]], now: int, most: int, *, is_later: bool = False
) -> Put:
    """More facts of a user, each with its kind. Raises ValueError with a sentence."""
    if not path.startswith(f"{layout.DURABLE}/"):
        raise ValueError(USERS_ONLY)
    store = durable.new() if data is None else durable.loaded(data, is_later=is_later)
    for kind, text in told:
        durable.add(store, tidy(text), dict(_BY_HAND), now, most, kind, is_later=is_later)
    return Put(path, javascript.written(store), base_of(data))


def edit(path: str, data: bytes, fact: FactAt, text: str) -> Put:
    """The file with this fact saying `text`; its kind, its times and where it comes from stay. Raises ValueError."""
    found, said, (at,) = _read(path, data), tidy(text), numbers(path, data, [fact])
    if path.startswith(f"{layout.DURABLE}/"):
        _reworded(found, at, said)
    elif path.startswith(f"{layout.ROLLING}/"):
        found["summary"] = said
    else:
        found["entries"][at]["summary"] = said
    return Put(path, javascript.written(found), digest(data))


def _reworded(store: dict[str, Any], at: int, text: str) -> None:
    """The bot tells items by their words, so new words make another id."""
    item = store["items"][at]
    own = durable.item_id(str(item.get("kind")), text)
    if item.get("status") == ACTIVE and any(
        one.get("id") == own for other, one in durable.active(store) if other != at
    ):
        raise ValueError(SAID)
    item |= {"id": own, "text": text}


def forget(path: str, data: bytes, facts: Iterable[FactAt], now: int | None) -> Put | Delete:
    """The file with these facts marked as forgotten, as the bot does it, or without those that are forgotten already; of other
    files they go. `now` None: their times stay. Raises ValueError."""
    if path.startswith(f"{layout.ROLLING}/"):
        return Delete(path, digest(data))
    found, going = _read(path, data), numbers(path, data, facts)
    if path.startswith(f"{layout.SHORT_TERM}/"):
        found["entries"] = [one for at, one in enumerate(found["entries"]) if at not in going]
    else:
        _forgotten(found, going, now)
    return Put(path, javascript.written(found), digest(data))


def _forgotten(store: dict[str, Any], going: Iterable[int], now: int | None) -> None:
    first = [at for at in going if store["items"][at].get("status") != FORGOTTEN]
    again = set(going) - set(first)
    for at in first:
        store["items"][at] |= {"status": FORGOTTEN, **({} if now is None else {"updatedAt": now})}
    if now is not None:
        store["updatedAt"] = now
    store["items"] = [one for at, one in enumerate(store["items"]) if at not in again]


def restored(path: str, data: bytes, facts: Iterable[FactAt], now: int) -> Put:
    """The file with forgotten facts active again; one that another says by now stays forgotten. Raises ValueError."""
    store = durable.read(data)
    said = {_id(one) for _, one in durable.active(store)}
    for at in numbers(path, data, facts):
        item = store["items"][at]
        if _id(item) not in said:
            said.add(_id(item))
            item |= {"status": ACTIVE, "updatedAt": now}
            store["updatedAt"] = now
    return Put(path, javascript.written(store), digest(data))


def _id(item: dict[str, Any]) -> bytes:
    """What an item is told by, whatever stands there."""
    return javascript.written(item.get("id"))


def numbers(path: str, data: bytes, facts: Iterable[FactAt]) -> list[int]:
    """Which items or entries of the file some facts are, by where they stand. Raises ValueError."""
    places = {fact.start: at for at, fact in enumerate(entries.numbered(path, data)) if fact is not None}
    try:
        return [places[fact.start] for fact in facts]
    except KeyError:
        raise Malformed from None


def refused(path: str, before: bytes, after: bytes, *, is_later: bool) -> str:
    """Why nobody may make this of a file: the bot would take it for none; "" if they may. It may go as a whole, and what is
    malformed already may be mended in steps."""
    breaks = after and is_malformed(path, after, is_later=is_later)
    return WOULD_BREAK if breaks and not is_malformed(path, before, is_later=is_later) else ""


def is_malformed(path: str, data: bytes, *, is_later: bool) -> bool:
    """Whether the bot would take a file for none."""
    try:
        if path.startswith(f"{layout.DURABLE}/"):
            durable.loaded(data, is_later=is_later)
        elif path.startswith(f"{layout.SHORT_TERM}/"):
            shortterm.loaded(data, is_later=is_later)
        else:
            rolling.loaded(data, is_later=is_later)
    except Malformed:
        return True
    return False


def _read(path: str, data: bytes) -> dict[str, Any]:
    if path.startswith(f"{layout.DURABLE}/"):
        return durable.read(data)
    return rolling.read(data) if path.startswith(f"{layout.ROLLING}/") else shortterm.read(data)
