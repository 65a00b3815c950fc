"""Which entries a message brings back, and why: the bot's own arithmetic, with its parts.

score = 0.65 x (how well it fits, 1 for the best of those found, 0 for the worst) + 0.20 x importance + 0.15 x recency.
How well it fits is what SQLite's bm25() says; what the bot does and we do otherwise are settings.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from memory.dialects.nanobot import lines, words
from memory.dialects.nanobot.corpus import Corpus
from memory.dialects.nanobot.entries import Entry
from memory.dialects.nanobot.settings import ASCII, SKIP, Settings
from memory.text.attributes import instant
from memory.text.sentences import say

FIT, IMPORTANCE, RECENCY = 0.65, 0.20, 0.15
FADES = 180.0  # days after which recency has fallen to 37 %
ABOUT_THE_USER = ("preference", "fact")
LONGEST = 220  # characters of an entry in the prompt
CUT = "..."  # the end of a text that is longer than it may be
HEADING = "[Retrieved Memory]\nUse these as historical context. Prefer recent/high-score items."  # the bot's own words
_K1, _B, _LEAST = 1.2, 0.75, 1e-6  # of bm25, as SQLite has them
_EQUAL = 1e-9
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Layer:
    """Entries that are looked through together: `name` chat, user or global; at most `limit` of them come back."""

    name: str
    corpus: Corpus
    limit: int


@dataclass(frozen=True, slots=True)
class Hit:
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
    """What a message brings back, best first; the lines that stand in the prompt; what was found and is not there, and why."""

    hits: tuple[Hit, ...]
    shown: tuple[tuple[Hit, str], ...]
    left_out: tuple[tuple[Entry, str], ...]


def recall(
    layers: Sequence[Layer],
    query: str,
    now: datetime,
    settings: Settings,
    everything: Callable[[], Iterable[Entry]] | None = None,
) -> Recalled:
    """What the bot recalls for a message. `everything`: the entries of all scopes, for the bot's own measure of rareness.

    It may ask its database again with LIKE if a search fails. What it searches for never fails, so that is not done here."""
    wanted = words.asked(lines.collapsed(query), ascii_only=settings.query_words == ASCII)
    left_out: list[tuple[Entry, str]] = []
    if not wanted:
        return Recalled((), (), ())
    barred = _Bar(instant(now), settings)
    if everything is None:
        measure = _Measure([layer.corpus for layer in layers], wanted, barred)
    else:
        measure = _Measure([Corpus(list(everything()), pairs=pairs(settings))], wanted, None)
    found: dict[str, tuple[Entry, str, float]] = {}
    for layer in layers:
        for entry, bm25 in _best(layer, measure, barred, left_out):
            if entry.id not in found or bm25 < found[entry.id][2]:
                found[entry.id] = (entry, layer.name, bm25)
    hits = sorted(_weighed(list(found.values()), measure, now), key=lambda hit: -hit.score)
    left_out += [(hit.entry, TOO_MANY) for hit in hits[settings.max_results :]]
    hits = hits[: settings.max_results]
    return Recalled(tuple(hits), _fitting(hits, settings, left_out), tuple(left_out))


EXPIRED = say("It has expired, so it is not recalled any more.")
UNSAFE = say("It holds words that could lead a model astray, so it is not recalled.")
TOO_MANY = say("Other entries fit the message better.")
TOO_LONG = say("There is no room left for it in the prompt.")


def line_of(hit: Hit) -> str:
    """How an entry stands in the prompt."""
    entry, text = hit.entry, shortened(hit.entry.text, LONGEST)
    return f"- ({entry.kind}/{entry.about.whose} score={hit.score:.2f} updated={entry.updated[:10]}) {text}"


def shortened(text: str, most: int) -> str:
    """A text on one line, of at most `most` characters."""
    flat = lines.collapsed(text)
    return flat if len(flat) <= most else flat[: most - len(CUT)] + CUT


def pairs(settings: Settings) -> bool:
    """Whether words of scripts without spaces are looked for in twos."""
    return settings.query_words != ASCII


class _Bar:
    """What is not recalled, however well it fits."""

    def __init__(self, now: str, settings: Settings) -> None:
        self.now = now
        self.expired = settings.expired != SKIP
        self.unsafe = settings.unsafe != SKIP

    def why(self, corpus: Corpus, at: int) -> str:
        """Why an entry is not recalled; "" if it may be."""
        if not self.expired and corpus.entries[at].about.is_expired(self.now):
            return EXPIRED
        return UNSAFE if not self.unsafe and corpus.is_unsafe(at) else ""

    def left(self, corpus: Corpus) -> tuple[int, int]:
        """How many entries may be recalled, and how many words are in them."""
        return corpus.size(now=self.now, expired=self.expired, unsafe=self.unsafe)


def _best(
    layer: Layer, measure: _Measure, barred: _Bar, left_out: list[tuple[Entry, str]]
) -> list[tuple[Entry, float]]:
    scored: list[tuple[Entry, float]] = []
    for at in layer.corpus.holding(measure.begins):
        entry, score = layer.corpus.entries[at], measure.of(layer.corpus.said[at])
        if score is not None and (why := barred.why(layer.corpus, at)):
            left_out.append((entry, why))
        elif score is not None:
            scored.append((entry, score))
    scored.sort(key=lambda one: one[0].updated, reverse=True)
    scored.sort(key=lambda one: one[1])
    left_out += [(entry, TOO_MANY) for entry, _ in scored[layer.limit :]]
    return scored[: layer.limit]


def _weighed(found: Sequence[tuple[Entry, str, float]], measure: _Measure, now: datetime) -> list[Hit]:
    if not found:
        return []
    scores = [bm25 for _, _, bm25 in found]
    worst, best = max(scores), min(scores)
    spread = worst - best
    hits = []
    for entry, layer, bm25 in found:
        fit = 1.0 if spread < _EQUAL else min(max((worst - bm25) / spread, 0.0), 1.0)
        hits.append(Hit(entry, layer, bm25, fit, _recency(entry.updated, now), measure.found(entry.text)))
    return hits


def _recency(updated: str, now: datetime) -> float:
    try:
        at = datetime.fromisoformat(updated)
    except ValueError:
        return 0.0
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return math.exp(-max((now - at) / _DAY, 0.0) / FADES)


def _fitting(hits: Sequence[Hit], settings: Settings, left_out: list[tuple[Entry, str]]) -> tuple[tuple[Hit, str], ...]:
    room = settings.max_prompt_chars - len(HEADING)
    shown: list[tuple[Hit, str]] = []
    is_full = False
    for hit in hits:
        line = line_of(hit)
        if is_full or 1 + len(line) > room:  # one for the end of the line before
            is_full = is_full or settings.too_long != SKIP
            left_out.append((hit.entry, TOO_LONG))
            continue
        room -= 1 + len(line)
        shown.append((hit, line))
    return tuple(shown)


class _Measure:
    """SQLite's bm25() of a message's words over some entries, but for those that are barred: how often a word stands in each, and
    in how many."""

    def __init__(self, corpora: Sequence[Corpus], wanted: Sequence[words.Phrase], barred: _Bar | None) -> None:
        self.wanted = wanted
        self.pairs = corpora[0].pairs
        self.begins = frozenset(phrase[0] for phrase in wanted)
        length, count = 0, 0
        holding: Counter[words.Phrase] = Counter()
        for corpus in corpora:
            some, long = barred.left(corpus) if barred else (len(corpus.entries), sum(map(len, corpus.said)))
            length, count = length + long, count + some
            for at in corpus.holding(self.begins):
                if not (barred and barred.why(corpus, at)):
                    holding.update(phrase for phrase in wanted if _times(phrase, corpus.said[at]))
        self.average = length / count if count else 1.0
        self.rareness = {
            phrase: max(math.log((count - holding[phrase] + 0.5) / (holding[phrase] + 0.5)), 0.0) or _LEAST
            for phrase in wanted
        }

    def of(self, said: Sequence[str]) -> float | None:
        """Of an entry's words: the lower the better; None for an entry with none of those that are wanted."""
        times = [(phrase, _times(phrase, said)) for phrase in self.wanted]
        if not any(count for _, count in times):
            return None
        long = _K1 * (1 - _B + _B * len(said) / self.average)
        return -sum(self.rareness[phrase] * count * (_K1 + 1) / (count + long) for phrase, count in times)

    def found(self, text: str) -> tuple[str, ...]:
        """Which of the words stand in a text."""
        said = words.index(text, pairs=self.pairs)
        return tuple(" ".join(phrase) for phrase in self.wanted if _times(phrase, said))


def _times(phrase: words.Phrase, said: Sequence[str]) -> int:
    if len(phrase) == 1:
        return said.count(phrase[0])
    return sum(tuple(said[at : at + len(phrase)]) == phrase for at in range(len(said) - len(phrase) + 1))
