"""What the files of a workspace say and its database does not: a line an entry, with the line's own date."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from memory.dialects.nanobot import curate, layout, lines, notes
from memory.dialects.nanobot.notes import LONGEST, SHORTEST
from memory.domain.places import Kind
from memory.text.markdown.blocks import decode
from memory.text.sentences import say

SHORT = say("Shorter than %(limit)s characters.", limit=SHORTEST)
LONG = say("A sentence longer than %(limit)s characters.", limit=LONGEST)
ODD = say("A table or code.")

Says = tuple[str, str]  # kind and content, as the bot compares them


@dataclass(frozen=True, slots=True)
class BackfillItem:
    """Something that a file says, or a part of it, `whole`: what kind of entry it would be, and since when it stands there."""

    path: str
    line: int
    kind: str
    text: str
    at: datetime
    whole: str

    @property
    def says(self) -> set[Says]:
        """What an entry says that says this."""
        return {(self.kind, lines.normal(self.text)), (self.kind, lines.normal(self.whole))}


@dataclass(frozen=True, slots=True)
class Left:
    """Something that a file says and that cannot be an entry, and why, for people."""

    path: str
    line: int
    why: str
    says: Says


def found(path: str, data: bytes, written: datetime) -> Iterator[BackfillItem | Left]:
    """What a file of the workspace says, in its order; `written` is when it was last written, for lines that tell no date."""
    kind, place = kind_of(path), layout.describe(path)
    day = place.day if place else ""
    for one in notes.said(decode(data), dated=bool(day)) if kind else ():
        if why := _unfit(one.text, 1 if one.was_entry else SHORTEST):
            yield Left(path, one.line, why, (kind, lines.normal(one.text)))
        else:
            yield BackfillItem(path, one.line, kind, one.text, _at(day, one.time) or written, one.whole)


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


def fresh(told: Iterable[BackfillItem], known: Iterable[tuple[str, str]]) -> Iterator[BackfillItem]:
    """What is not among the (kind, content) of live entries, whosever they are, and each thing once."""
    seen = {(kind, lines.normal(content)) for kind, content in known}
    for one in told:
        if not one.says & seen:
            seen.add((one.kind, lines.normal(one.text)))
            yield one


def line(one: BackfillItem, scope: str, expires: str | None) -> bytes:
    """The row of an imported line in a scope, by its name. Raises ValueError."""
    about = {
        **{"kind": one.kind, "importance": 0.7, "confidence": 0.85, "source": "import", "source_role": "user"},
        **{"meta_json": f'{{"file": {lines.quoted(one.path)}}}', "expires_at": expires},
    }
    return curate.entry(scope, one.text, one.at, about)


def _unfit(text: str, least: int) -> str:
    """Why a text cannot be an entry; "" if it can."""
    if not text:
        return ODD
    if len(text) > LONGEST:
        return LONG
    return SHORT if len(text) < least else ""


def _at(day: str, time: str) -> datetime | None:
    """When something was said; None where nothing tells."""
    return moment(time) or moment(f"{day} {time if len(time) == len('HH:MM') else '00:00'}:00")


def moment(said: str) -> datetime | None:
    """A time as the bot's files tell it; None for one that no calendar has."""
    try:
        return datetime.strptime(said, "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)
    except ValueError:
        return None
