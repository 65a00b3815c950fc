"""Which entries a message brings back, and why: the bot's own arithmetic, with its parts.

score = 0.65 x (how well it fits, 1 for the best of those found, 0 for the worst) + 0.20 x importance + 0.15 x recency.
How well it fits is what SQLite's bm25() says.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.dialects.nanobot import layout, lines
from memory.dialects.nanobot.database.searched import Match
from memory.dialects.nanobot.entries import Entry
from memory.text.sentences import say
from memory.text.words.days import moment_of

FIT, IMPORTANCE, RECENCY = 0.65, 0.20, 0.15
FADES = 180.0  # days after which recency has fallen to 37 %
ABOUT_THE_USER = ("preference", "fact")
LONGEST = 220  # characters of an entry in the prompt
CUT = "..."  # the end of a text that is longer than it may be
HEADING = "[Retrieved Memory]\nUse these as historical context. Prefer recent/high-score items."  # the bot's own words
_EQUAL = 1e-9
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Layer:
    """Entries that are looked through together: those of these kinds (none: all) of a scope, which has so many `others`. `name`:
    chat, user or global; at most `limit` of them come back."""

    name: str
    scope: str
    kinds: Sequence[str]
    limit: int
    entries: Sequence[Entry]
    others: int = 0

    @property
    def path(self) -> str:
        return layout.entries_path(self.scope)


@dataclass(frozen=True, slots=True)
class RecalledEntry:
    """An entry that was found, with the parts of its score. `bm25` is below 0, the lower the better."""

    entry: Entry
    layer: str
    bm25: float
    fit: float
    recency: float
    found: tuple[str, ...]  # the words of the message that it holds

    @property
    def score(self) -> float:
        return FIT * self.fit + IMPORTANCE * self.entry.importance + RECENCY * self.recency


@dataclass(frozen=True, slots=True)
class Recalled:
    """What a message brings back, best first; the lines that stand in the prompt; what was found and is not there, and why.
    `unsure` says for people what of it the bot may do otherwise."""

    hits: tuple[RecalledEntry, ...] = ()
    shown: tuple[tuple[RecalledEntry, str], ...] = ()
    left_out: tuple[tuple[Entry, str], ...] = ()
    unsure: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Room:
    """How many entries come back at most, and how long they may be together. `ends`: the first that does not fit ends the list, as
    with the bot; else it makes room for the next."""

    results: int
    chars: int
    ends: bool = True


def recall(layers: Sequence[Layer], found: Sequence[Sequence[Match]], now: datetime, room: Room) -> Recalled:
    """What is recalled of what was found in each layer."""
    left_out: list[tuple[Entry, str]] = []
    best: dict[str, tuple[Entry, str, Match]] = {}
    for layer, matches in zip(layers, found, strict=True):
        by_id = {entry.id: entry for entry in layer.entries}
        met = [(by_id[match.id], match) for match in matches if match.id in by_id]
        left_out += [(entry, TOO_MANY) for entry, _ in met[layer.limit :]]
        for entry, match in met[: layer.limit]:
            if entry.id not in best or match.bm25 < best[entry.id][2].bm25:
                best[entry.id] = (entry, layer.name, match)
    hits = sorted(_weighed(list(best.values()), now), key=lambda hit: -hit.score)
    left_out += [(hit.entry, TOO_MANY) for hit in hits[room.results :]]
    hits = hits[: room.results]
    return Recalled(tuple(hits), _fitting(hits, room, left_out), tuple(left_out))


TOO_MANY = say("Other entries fit the message better.")
TOO_LONG = say("No room left in the prompt.")


def line_of(hit: RecalledEntry) -> str:
    """How an entry stands in the prompt."""
    entry, text = hit.entry, shortened(hit.entry.text, LONGEST)
    return f"- ({entry.kind}/{entry.about.whose} score={hit.score:.2f} updated={entry.updated[:10]}) {text}"


def shortened(text: str, most: int) -> str:
    """A text on one line, of at most `most` characters."""
    flat = lines.collapsed(text)
    return flat if len(flat) <= most else flat[: most - len(CUT)] + CUT


def _weighed(found: Sequence[tuple[Entry, str, Match]], now: datetime) -> list[RecalledEntry]:
    if not found:
        return []
    scores = [match.bm25 for _, _, match in found]
    worst, best = max(scores), min(scores)
    spread = worst - best
    hits = []
    for entry, layer, match in found:
        fit = 1.0 if spread < _EQUAL else min(max((worst - match.bm25) / spread, 0.0), 1.0)
        hits.append(RecalledEntry(entry, layer, match.bm25, fit, _recency(entry.updated, now), match.words))
    return hits


def _recency(updated: str, now: datetime) -> float:
    at = moment_of(updated)
    return math.exp(-max((now - at) / _DAY, 0.0) / FADES) if at else 0.0


def _fitting(
    hits: Sequence[RecalledEntry], room: Room, left_out: list[tuple[Entry, str]]
) -> tuple[tuple[RecalledEntry, str], ...]:
    left = room.chars - len(HEADING)
    shown: list[tuple[RecalledEntry, str]] = []
    is_full = False
    for hit in hits:
        line = line_of(hit)
        if is_full or 1 + len(line) > left:  # one for the end of the line before
            is_full = is_full or room.ends
            left_out.append((hit.entry, TOO_LONG))
            continue
        left -= 1 + len(line)
        shown.append((hit, line))
    return tuple(shown)
