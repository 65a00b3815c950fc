"""How the bot ranks its items for a message: which it looks at, the parts of each score, and how many of a layer it takes."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.dialects.golemcore import items, java, layout, upsert
from memory.dialects.golemcore.items import Item, ItemLine
from memory.dialects.golemcore.settings import Settings
from memory.domain.memory import Memory
from memory.text.sentences import say

RELEVANCE, RECENCY, SALIENCE, CONFIDENCE = 0.40, 0.20, 0.20, 0.20  # what each part weighs
BY_TYPE = {
    **dict.fromkeys(("FAILURE", "FIX", "CONSTRAINT"), 0.12),
    **dict.fromkeys(("DECISION", "PROJECT_FACT", "PREFERENCE"), 0.08),
    **dict.fromkeys(("TASK_STATE", "COMMAND_RESULT"), 0.05),
}
BLANK = say("It has no content.")
OVER = say("Its own time is over.")
OLD = say("It is older than the bot keeps items.")
BELOW = say("Enough items of its layer have higher scores.")
DOUBLE = say("An item with a higher score says the same.")

_LASTS = 30  # days until an item is no longer recent
_NO_WORDS, _NO_TIME = 0.20, 0.30  # relevance without a message, recency without a date
_NO_SALIENCE, _NO_CONFIDENCE = 0.50, 0.55
_SHORTEST = 3
_BETWEEN = re.compile(r"[^a-zа-я0-9_./#-]+")


@dataclass(frozen=True, slots=True)
class Score:
    """The parts of a score, each as it counts."""

    relevance: float
    recency: float
    salience: float
    confidence: float
    type: float
    words: tuple[str, ...] = ()  # of the message that the item contains

    @property
    def total(self) -> float:
        """Their sum."""
        return self.relevance + self.recency + self.salience + self.confidence + self.type


@dataclass(frozen=True, slots=True)
class ScoredItem:
    """An item of a file with its score."""

    path: str
    line: ItemLine
    item: Item
    score: Score

    @property
    def layer(self) -> str:
        """The layer that it counts for."""
        return self.item.layer or "EPISODIC"


@dataclass(frozen=True, slots=True)
class Out:
    """An item that isn't selected, and why."""

    path: str
    line: ItemLine
    why: str
    score: Score | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """What is selected of the items, best first, and what is not; `count` are those that were scored."""

    chosen: Sequence[ScoredItem]
    out: Sequence[Out]
    count: int


def ranked(memory: Memory, directory: str, query: str, now: datetime, settings: Settings, least: float = 0.0) -> Ranked:
    """The items for a message, as the bot selects them. `least`: the share of its words that an item must contain; a message
    without words that the bot compares, such as one in Chinese, must stand in the item as it is."""
    asked, out, found = tokens(query), list[Out](), list[ScoredItem]()
    for path, line in looked_at(memory, directory, now, settings.recentDays):
        if line.item is None or not line.is_read:
            out.append(Out(path, line, line.why))
        elif why := kept_out(line.item, now, settings):
            out.append(Out(path, line, why))
        else:
            found.append(ScoredItem(path, line, line.item, score(line.item, asked, now)))
    if least:
        found = [one for one in found if _is_meant(one, asked, query, least)]
    chosen, passed = _chosen(in_order(found), settings)
    return Ranked(chosen, [*out, *passed], len(found))


def _is_meant(one: ScoredItem, asked: frozenset[str], query: str, least: float) -> bool:
    if asked:
        return len(one.score.words) >= least * len(asked)
    return query.casefold() in _searched(one.item).casefold()


def _searched(item: Item) -> str:
    return " ".join((item.title or "", item.content or "", *item.tags))


def looked_at(memory: Memory, directory: str, now: datetime, days: int) -> Iterator[tuple[str, ItemLine]]:
    """The lines that the bot looks at: today's and those of so many days before, then the lasting ones."""
    dates = ((now - timedelta(days=ago)).date().isoformat() for ago in range(days + 1))
    paths = [layout.items_path(layout.EPISODIC, day, directory) for day in dates]
    for path in (*paths, *(layout.items_path(layer, memory=directory) for layer in layout.LASTING)):
        for line in items.lines(memory.read(path) or b""):
            yield path, line


def kept_out(item: Item, now: datetime, settings: Settings) -> str:
    """Why an item isn't scored at all, for people; "" if it is."""
    if java.is_blank(item.content):
        return BLANK
    if upsert.is_expired(item, now):
        return OVER
    return OLD if settings.decayEnabled and upsert.is_stale(item, now, settings.decayDays) else ""


def score(item: Item, asked: frozenset[str], now: datetime) -> Score:
    """The score of an item for a message of these words."""
    said = tokens(_searched(item)) if asked else frozenset()
    met = asked & said
    return Score(
        relevance=RELEVANCE * (len(met) / len(asked) if asked else _NO_WORDS),
        recency=RECENCY * recency(item.at, now),
        salience=SALIENCE * _clamped(item.salience, _NO_SALIENCE),
        confidence=CONFIDENCE * _clamped(item.confidence, _NO_CONFIDENCE),
        type=BY_TYPE.get(item.type or "", 0.0),
        words=tuple(sorted(met)),
    )


def tokens(text: str) -> frozenset[str]:
    """The words that the bot compares."""
    return frozenset(word for word in _BETWEEN.split(text.lower()) if len(word) >= _SHORTEST)


def recency(at: datetime | None, now: datetime) -> float:
    """How recent something is, from 1 today to 0 after a month."""
    if at is None:
        return _NO_TIME
    days = (now - at).days
    return 1.0 if days <= 0 else max(0.0, 1 - days / _LASTS)


def in_order(found: Iterable[ScoredItem]) -> list[ScoredItem]:
    """The best first; of the same score the newest, of the same time as they were found."""
    return sorted(found, key=_rank)


def _rank(one: ScoredItem) -> tuple[float, float]:
    total, at = one.score.total, one.item.at
    return -math.inf if math.isnan(total) else -total, -at.timestamp() if at else math.inf


def _chosen(found: Iterable[ScoredItem], settings: Settings) -> tuple[list[ScoredItem], list[Out]]:
    """Those within the limit of their layer, each once: what says the same uses up a place all the same."""
    most, taken, seen = limits(settings), Counter[str](), set[str]()
    chosen, out = [], []
    for one in found:
        taken[one.layer] += 1
        name = one.item.fingerprint or one.item.id
        if taken[one.layer] > most[one.layer]:
            out.append(Out(one.path, one.line, BELOW, one.score))
        elif name and name in seen:
            out.append(Out(one.path, one.line, DOUBLE, one.score))
        else:
            chosen.append(one)
            seen |= {name} if name else set()
    return chosen, out


def limits(settings: Settings) -> dict[str, int]:
    """How many items of each layer are selected at most."""
    return {
        "WORKING": settings.workingTopK,
        "EPISODIC": settings.episodicTopK,
        "SEMANTIC": settings.semanticTopK,
        "PROCEDURAL": settings.proceduralTopK,
    }


def _clamped(value: float | None, missing: float) -> float:
    if value is None:
        return missing
    return value if math.isnan(value) else min(max(value, 0.0), 1.0)
