"""What the files of a workspace say and its database does not: a line an entry, with the line's own date."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from memory.dialects.base import Kind
from memory.dialects.nanobot import curate, layout, lines
from memory.text.blocks import decode
from memory.text.entries import FactAt, log_facts, memory_facts

SHORTEST, LONGEST = 12, 500  # characters of an entry: what is shorter is left out, what is longer is cut

_DATED = re.compile(r"\[(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}) UTC\] (.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Found:
    """Something that a file says: what kind of entry it would be, and since when it stands there."""

    path: str
    kind: str
    text: str
    at: datetime


def found(path: str, data: bytes, written: datetime) -> list[Found]:
    """What a file of the workspace says; `written` is when it was last written, for lines that tell no date."""
    kind = kind_of(path)
    if not kind:
        return []
    place = layout.describe(path)
    text = decode(data)
    facts = log_facts(text) if place and place.kind is Kind.DAILY and path.count("/") == 1 else memory_facts(text)
    return [one for fact in facts if (one := _found(path, kind, fact, _day(place.day if place else "", written)))]


def kind_of(path: str) -> str:
    """The kind of entry that a file's lines are; "" for a file that is not imported."""
    place = layout.describe(path)
    if place is None or path.startswith("@"):
        return ""
    match path.split("/"):
        case ["memory", "MEMORY.md"]:
            return "fact"
        case ["memory", layout.SEMANTIC, name]:
            return next((kind for kind in ("preference", "decision") if kind in name.lower()), "fact")
        case ["memory", layout.EPISODIC, _]:
            return "episodic"
        case ["memory", layout.PROCEDURAL, _]:
            return "decision"
    return "episodic" if place.kind is Kind.DAILY else ""


def fresh(told: Iterable[Found], known: Iterable[tuple[str, str]]) -> Iterator[Found]:
    """What is not among the (kind, content) of live entries, whosever they are, and each thing once."""
    seen = {(kind, lines.normal(content)) for kind, content in known}
    for one in told:
        name = (one.kind, lines.normal(one.text))
        if name not in seen:
            seen.add(name)
            yield one


def line(one: Found, scope: str, expires: str | None) -> bytes:
    """The row of an imported line in a scope, by its name. Raises ValueError."""
    about = {
        **{"kind": one.kind, "importance": 0.7, "confidence": 0.85, "source": "import", "source_role": "user"},
        **{"meta_json": f'{{"file": {lines.quoted(one.path)}}}', "expires_at": expires},
    }
    return curate.entry(scope, one.text, one.at, about)


def _found(path: str, kind: str, fact: FactAt, at: datetime) -> Found | None:
    dated = _DATED.fullmatch(fact.text)
    text = lines.collapsed(dated[2] if dated else fact.text)
    if len(text) < SHORTEST:
        return None
    if len(text) > LONGEST:
        text = text[:LONGEST] + "..."
    return Found(path, kind, text, _moment(dated[1]) or at if dated else at)


def _moment(said: str) -> datetime | None:
    try:
        return datetime.strptime(said, "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)
    except ValueError:
        return None


def _day(day: str, written: datetime) -> datetime:
    return _moment(f"{day} 00:00:00") or written
