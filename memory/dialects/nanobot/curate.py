"""One entry of a nanobot added, reworded or forgotten, as lines of its scope's document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta

from memory.dialects.nanobot import layout, lines, scopes
from memory.dialects.shared.ids import id_of
from memory.domain.changes import Append, Change, Delete, Put, base_of, digest
from memory.domain.places import Place
from memory.text.attributes import instant
from memory.text.markdown.blocks import decode, encode
from memory.text.markdown.entries import FactAt, memory_facts
from memory.text.markdown.rewrite import append_bullets, remove_facts, replace_fact, tidy
from memory.text.sentences import say

UNKNOWN = say("This bot has no file with that name.")
ELSEWHERE = say("Nothing can be added to this file here. Edit the whole file.")
NO_KEY = say("Kenoweb can’t tell which chat or user this belongs to. Nothing was added.")
# What the bot notes of an entry that somebody adds by hand.
_BY_HAND = {"kind": "fact", "importance": 0.8, "confidence": 1.0, "source": "manual", "source_role": "user"}
_OF_ITSELF = [
    name for name in lines.COLUMNS if name not in ("id", "content", "scope_type", "channel", "chat_id", "sender_id")
]


def add(path: str, data: bytes | None, texts: list[str], now: datetime, days: int) -> Change:
    """More entries of a scope, which last so many days (0: for ever), or more list items of MEMORY.md. Raises ValueError with a
    sentence."""
    if is_rows(path):
        return Append(path, by_hand(path, texts, now, days))
    if _place(path) and path != layout.LEGACY:
        raise ValueError(ELSEWHERE)
    after = append_bullets(decode(data or b""), texts, memory_facts)
    return Put(path, encode(after), base_of(data))


def by_hand(target: str, texts: Iterable[str], now: datetime, days: int) -> bytes:
    """These texts as lines of a scope, as entries that somebody adds. Raises ValueError."""
    scope, about = _place(target).scope, {**_BY_HAND, "expires_at": expiry(now, days)}
    return b"".join(entry(scope, text, now, about) for text in texts)


def moved(data: bytes, facts: Iterable[FactAt], target: str, now: datetime) -> bytes:
    """Entries of one scope as lines of another, each with all that it says of itself but whose it is. Raises ValueError."""
    rows, scope = data.split(b"\n"), _place(target).scope
    told = ((fact.text, lines.loose(rows[fact.line - 1])) for fact in facts)
    return b"".join(
        entry(scope, text, now, {**_BY_HAND, **{name: row[name] for name in _OF_ITSELF if name in row}})
        for text, row in told
    )


def entry(scope: str, text: str, now: datetime, about: Mapping[str, object]) -> bytes:
    """The line of a new entry in a scope. `about`: its kind, importance, confidence and source, and what else is known.
    Raises ValueError."""
    content = lines.collapsed(tidy(text))
    at = now.astimezone(UTC)
    row = {"content": content, "created_at": at.isoformat(), "updated_at": at.isoformat(), **_whose(scope), **about}
    row["id"] = id_of(f"{scope}\n{row['kind']}\n{content}\n{row['created_at']}")
    return lines.line({**lines.LEFT_OUT, **row})


def expiry(at: datetime, days: int) -> str | None:
    """When an entry expires that lasts so many days; None for one that lasts for ever, as those of 0 days do."""
    return instant(at + timedelta(days=days)) if days > 0 else None


def edit(path: str, data: bytes, fact: FactAt, text: str) -> Put:
    """The document with this entry saying `text`; all else about it stays, its times too. Raises ValueError."""
    _place(path)
    if not is_rows(path):
        return Put(path, encode(replace_fact(decode(data), fact, text, memory_facts)), digest(data))
    content = lines.collapsed(tidy(text))
    rows = data.split(b"\n")
    line = lines.line({**lines.loose(rows[fact.line - 1]), "content": content})
    try:
        lines.check(line)
    except ValueError as error:
        raise ValueError(
            say("This entry can’t be reworded: %(error)s. Nothing was changed.", error=str(error))
        ) from None
    rows[fact.line - 1] = line.rstrip(b"\n")
    return Put(path, b"\n".join(rows), digest(data))


def forget(path: str, data: bytes, facts: Iterable[FactAt]) -> Put | Delete:
    """The document without these entries. Raises ValueError."""
    _place(path)
    if not is_rows(path):
        return Put(path, encode(remove_facts(decode(data), facts, memory_facts)), digest(data))
    numbers = {fact.line for fact in facts}
    left = [line for number, line in enumerate(data.split(b"\n"), 1) if number not in numbers]
    whole = b"\n".join(left)
    return Put(path, whole, digest(data)) if whole.strip() else Delete(path, digest(data))


def _place(path: str) -> Place:
    place = layout.describe(path)
    if place is None or not place.holds_facts:
        raise ValueError(UNKNOWN if place is None else ELSEWHERE)
    return place


def is_rows(path: str) -> bool:
    """Whether a document is a scope of the database."""
    return path.startswith(f"@{layout.DATABASE}/")


def _whose(scope: str) -> dict[str, object]:
    """The columns that say whose an entry is, by the name of its scope. Raises ValueError."""
    if scope == scopes.GLOBAL:
        return {"scope_type": scopes.GLOBAL}
    key = scopes.key_of(scope, "")
    found = scopes.parts(key) if key else scopes.Scope("")
    if not found.sort or not found.who.strip():
        raise ValueError(NO_KEY)
    who = {"chat_id": found.who} if found.sort == scopes.CHAT else {"sender_id": found.who}
    return {"scope_type": found.sort, "channel": found.channel, **who}
