"""What ranks first, and why: plain arithmetic over the words of the candidates, the same for every engine.

A fact's own words are weighed as bm25 weighs them (Robertson and Zaragoza 2009) and as shares of the question: one that holds every
word of it once has about 1. In a log what stands beside a fact is heard at falling weight, because who asks "where?" is answered
by the next entry; the document as a whole counts a little; then who says it, when, and what sort of sentence it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache, partial
from itertools import pairwise
from math import exp, log
from operator import mul
from typing import NamedTuple

from memory.search.shapes import Candidate, Sought
from memory.search.time_asked import TimeAsked
from memory.search.weights import WEIGHTS
from memory.text.words.days import date_of
from memory.text.words.terms import is_common, is_filler, words
from memory.text.words.traits import TELLING, Trait

REACH = 3  # facts on either side that are heard
APART = 60  # minutes: entries of a log that are further apart belong to different talks
BEGINS = 5  # letters that two words have to begin with to be alike
# As plain numbers, for an enumeration's own are slow to ask.
ASKS, TIMED, TELLS = int(Trait.ASKS), int(Trait.TIMED), sum(TELLING)
NOTHING_MORE = TimeAsked()


@dataclass(frozen=True, slots=True)
class Why:
    """Where a score comes from. `words` are those of the question that the fact says, as typed; `about` those of its heading;
    `beside` those that only its neighbours say; `speaks`: the question names who says it. The numbers sum to the score."""

    words: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    speaks: bool = False
    own: float = 0.0
    neighbours: float = 0.0
    document: float = 0.0
    speaker: float = 0.0
    date: float = 0.0
    recent: float = 0.0
    alike: float = 0.0  # what vectors of meaning add


class Ranked(NamedTuple):
    """A fact with its score; higher is better, and scores of two questions cannot be compared. `explain` says why, which costs more
    than the score itself and is wanted only of what is shown. `is_near`: it only stands beside one that was found."""

    candidate: Candidate
    score: float
    explain: Callable[[], Why]
    is_near: bool = False

    @property
    def why(self) -> Why:
        """Where the score comes from."""
        return self.explain()


def rank(
    candidates: Sequence[Candidate],
    held: Collection[int],
    sought: Sequence[Sought],
    facts: int,
    time: TimeAsked = NOTHING_MORE,
    today: str = "",
) -> list[Ranked]:
    """The candidates by score, best first; equal ones as they stand. `held`: those (ids) that were found themselves; `facts`: how
    many there are in all; `today` (YYYY-MM-DD): the day that "recent" means. What neither says a word of the question nor stands
    beside one that does is left out."""
    asked = _Asked.of(candidates, sought, facts, time, today)
    scored = ((_score(asked, at), candidates[at], at) for at in asked.beside)
    found = sorted((-round(score, 9), fact.document, fact.ordinal, at) for score, fact, at in scored if score > 0)
    ordered = ((candidates[at], -score, at) for score, _document, _ordinal, at in found)
    return [Ranked(fact, score, partial(_why, asked, at), fact.id not in held) for fact, score, at in ordered]


# ---- what the words of the question count in each fact, and beside it

Counts = list[float]  # a number for each word of the question


class _Said(NamedTuple):
    """What a fact says of the question: how much of each word, which of them itself (not only one like it) and which in the
    heading only, and how many pairs."""

    counts: Counts
    itself: frozenset[int]
    about: frozenset[int]
    pairs: int  # words of the question that follow each other as they do there


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with all that could answer it, by place among the candidates."""

    facts: Sequence[Candidate]
    sought: Sequence[Sought]
    share: Counts  # of the question, for each of its words
    said: Mapping[int, _Said]
    beside: Mapping[int, Counts]
    documents: Mapping[int, float]
    named: str  # the one speaker whom the question names, "" for none or several
    follows: frozenset[tuple[int, int]]  # places after a question
    fits: Mapping[str, float]  # how well each day does
    recent: Mapping[str, float]  # and what it counts for being near
    time: TimeAsked
    nothing: Counts  # what a fact holds that says no word of the question

    def speaks(self, fact: Candidate) -> int:
        """1 for a fact by the one whom the question names, -1 by another, 0 where it names none or several."""
        return 0 if not self.named else 1 if fact.speaker == self.named else -1

    @classmethod
    def of(
        cls,
        facts: Sequence[Candidate],
        sought: Sequence[Sought],
        number: int,
        time: TimeAsked,
        today: str,
    ) -> _Asked:
        names = {word: fact.speaker for fact in facts if fact.speaker for word in _name(fact.speaker)}
        share = _shares(sought, names, number)
        meaning = _Meaning(sought, names)
        said = {at: one for at, fact in enumerate(facts) if (one := _say(fact, meaning, len(sought)))}
        days = {fact.day for fact in facts}
        named = {names[one.word] for one in sought if one.word in names}
        return cls(
            facts=facts,
            sought=sought,
            share=share,
            said=said,
            beside=_beside(facts, said, len(sought)),
            documents=_documents(facts, said, share),
            named=named.pop() if len(named) == 1 else "",
            follows=frozenset((fact.document, fact.ordinal + 1) for fact in facts if fact.traits & ASKS),
            fits={day: time.fits(day) for day in days},
            recent={day: _recent(date_of(day), date_of(today)) for day in days},
            time=time,
            nothing=[0.0] * len(sought),
        )


def _shares(sought: Sequence[Sought], names: Mapping[str, str], facts: int) -> Counts:
    """How much of the question each of its words is: rare ones most (Robertson and Sparck Jones' weight), names and filler less."""
    worth = []
    for one in sought:
        known = min(max(one.facts, 1), facts)
        weight = log(1 + (facts - known + 0.5) / (known + 0.5))
        weight *= WEIGHTS.filler if is_filler(one.typed) else 1
        worth.append(weight * (WEIGHTS.name if one.word in names else 1))
    whole = sum(worth) or 1
    return [one / whole for one in worth]


class _Meaning(dict[str, int]):
    """What a word of a fact is to the question: 0 nothing, n its n-th word, -n another form of it or one that begins like it,
    FUNCTION a function word."""

    NOTHING, FUNCTION = 0, 1 << 20

    def __init__(self, sought: Sequence[Sought], names: Mapping[str, str]) -> None:
        whole = [(at, one) for at, one in enumerate(sought, 1) if not (one.is_start or one.is_part)]
        super().__init__((one.word, at) for at, one in whole)
        self.open = [(at, one) for at, one in enumerate(sought, 1) if one.is_start or one.is_part]
        self.forms = {form.word: at for at, one in enumerate(sought, 1) if one.word not in names for form in one.forms}
        self.begins = {one.word[:BEGINS]: (at, one.word) for at, one in whole if _may_be_alike(one.word, names)}
        parts = [one.word for _at, one in self.open if one.is_part]
        heads = sorted(" " + word for word in (*self, *self.forms, *self.begins, *(one.word for _at, one in self.open)))
        shortest = (one for before, one in pairwise(["-", *heads]) if not one.startswith(before))
        self.letters = (*parts, *shortest)  # a fact that says any of it holds some of these

    def __missing__(self, word: str) -> int:
        self[word] = found = self._found(word)
        return found

    def _found(self, word: str) -> int:
        for at, one in self.open:
            if one.is_it(word):
                return at
        if word in self.forms:
            return -self.forms[word]
        if like := self.begins.get(word[:BEGINS]):
            at, whole = like
            if 2 * _same(whole, word) >= max(len(whole), len(word)):
                return -at
        return self.FUNCTION if is_common(word) else self.NOTHING


def _same(one: str, other: str) -> int:
    """How many letters two words begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _may_be_alike(word: str, names: Mapping[str, str]) -> bool:
    return len(word) >= BEGINS and word.isascii() and not word.isdigit() and word not in names


def _say(fact: Candidate, meaning: _Meaning, terms: int) -> _Said | None:
    """What a fact says of the question, None for nothing: of most that stand beside one that is all, and soon told."""
    if not any(map(f" {fact.words} {fact.about}".__contains__, meaning.letters)):
        return None
    text = [found for word in fact.words.split() if (found := meaning[word]) != meaning.FUNCTION]
    heading = fact.about.split()
    heading = heading[: len(heading) - len(_name(fact.speaker))]  # who speaks stands in the text already
    about = [found for word in heading if (found := meaning[word]) != meaning.FUNCTION]
    own, above = set(text), set(about)
    held = own | above
    if not any(held):
        return None
    length = WEIGHTS.k1 * (1 - WEIGHTS.b + WEIGHTS.b * (len(text) + WEIGHTS.about * len(about)) / WEIGHTS.usual)
    counts = []
    for term in range(1, terms + 1):
        count = text.count(term) + WEIGHTS.about * about.count(term) or (WEIGHTS.alike if -term in held else 0.0)
        counts.append(count and count / (count + length) * (1 + WEIGHTS.k1))
    itself = frozenset(found - 1 for found in held if found > 0)
    under = frozenset(at for at in itself if at + 1 not in own)
    pairs = sum(one > 0 and other == one + 1 for one, other in pairwise(text)) if len(itself) > 1 else 0
    return _Said(counts, itself, under, pairs)


def _beside(facts: Sequence[Candidate], said: Mapping[int, _Said], terms: int) -> dict[int, Counts]:
    """For each fact that says something or stands beside one: how much of each word is said beside it. Logs only: what stands
    above or below in a long-term memory has nothing to do with it. What a question says counts for its answer."""
    places = {(fact.document, fact.ordinal): at for at, fact in enumerate(facts)}
    reach = [(-away, WEIGHTS.after * WEIGHTS.after_step ** (away - 1)) for away in range(1, REACH + 1)]
    reach += [(away, WEIGHTS.before * WEIGHTS.before_step ** (away - 1)) for away in range(1, REACH + 1)]
    beside = {at: [0.0] * terms for at in said}
    for at, one in said.items():
        fact = facts[at]
        if not fact.is_log:
            continue
        held = [(term, count) for term, count in enumerate(one.counts) if count]
        for step, part in reach:
            there = places.get((fact.document, fact.ordinal + step))
            if there is None or not _are_near(fact.time, facts[there].time):
                continue
            heard = beside.setdefault(there, [0.0] * terms)
            part += WEIGHTS.answer if step == 1 and fact.traits & ASKS else 0
            for term, count in held:
                heard[term] += part * count
    return beside


def _are_near(one: str, other: str) -> bool:
    """Whether two times of a day (HH:MM, "" for unknown) are of one talk."""
    return one == other or not one or not other or abs(_minute(one) - _minute(other)) <= APART


@lru_cache(24 * 60)
def _minute(time: str) -> int:
    return int(time[:2]) * 60 + int(time[3:5])


def _documents(facts: Sequence[Candidate], said: Mapping[int, _Said], share: Counts) -> dict[int, float]:
    """How much of the question each document holds, wherever in it."""
    best: dict[int, Counts] = {}
    for at, one in said.items():
        held = best.setdefault(facts[at].document, [0.0] * len(share))
        for term, count in enumerate(one.counts):
            held[term] = max(held[term], min(count, 1.0))
    return {document: WEIGHTS.document * _weighed(share, held) for document, held in best.items()}


# ---- one fact's score


def _score(asked: _Asked, at: int) -> float:
    """The sum of what `_why` takes apart."""
    fact, said = asked.facts[at], asked.said.get(at)
    whole = covered = 0.0
    for part, own, near in zip(asked.share, said.counts if said else asked.nothing, asked.beside[at], strict=True):
        if both := own + near:
            whole += part * both
            covered += part * both if both < 1 else part
    held = whole + WEIGHTS.coverage * covered + _whole(asked, said, fact) + asked.documents.get(fact.document, 0.0)
    speaks, fit = asked.speaks(fact), asked.fits[fact.day]
    about = WEIGHTS.speaker * speaks + WEIGHTS.date * fit + asked.recent[fact.day]
    return held * _factor(asked, fact, said, speaks, fit) + about


def _why(asked: _Asked, at: int) -> Why:
    fact, said, beside = asked.facts[at], asked.said.get(at), asked.beside[at]
    counts = said.counts if said else asked.nothing
    own = _weighed(asked.share, counts) + WEIGHTS.coverage * _weighed(asked.share, [min(1, one) for one in counts])
    own += _whole(asked, said, fact)
    both = [min(1, one + other) - min(1, one) for one, other in zip(counts, beside, strict=True)]
    near = _weighed(asked.share, beside) + WEIGHTS.coverage * _weighed(asked.share, both)
    speaks, fit = asked.speaks(fact), asked.fits[fact.day]
    factor = _factor(asked, fact, said, speaks, fit)
    under = said.about if said else frozenset[int]()
    return Why(
        words=_typed(asked.sought, (term for term, one in enumerate(counts) if one and term not in under)),
        about=_typed(asked.sought, under),
        beside=_typed(asked.sought, (term for term, one in enumerate(beside) if one and not counts[term])),
        speaks=speaks > 0,
        own=own * factor,
        neighbours=near * factor,
        document=asked.documents.get(fact.document, 0.0) * factor,
        speaker=WEIGHTS.speaker * speaks,
        date=WEIGHTS.date * fit,
        recent=asked.recent[fact.day],
    )


def _whole(asked: _Asked, said: _Said | None, fact: Candidate) -> float:
    """What it counts that a fact holds the question itself, word by word: who types three words of it means this one, and no
    neighbour of it. Who speaks counts as said."""
    if said is None:
        return 0.0
    name = _name(fact.speaker)
    share = zip(asked.share, asked.sought, strict=True)
    held = sum(part for at, (part, one) in enumerate(share) if at in said.itself or one.word in name)
    power: float = min(held, 1.0) ** WEIGHTS.whole_power
    return WEIGHTS.whole * power


def _factor(asked: _Asked, fact: Candidate, said: _Said | None, speaks: int, fit: float) -> float:
    """What sort of sentence it is: one that tells something, asks, or follows a question; one with words side by side; by whom
    and when."""
    traits = fact.traits
    factor = 1 + WEIGHTS.telling * (traits & TELLS).bit_count() / len(TELLING)
    if traits & ASKS:
        factor -= WEIGHTS.asks
    if asked.time.when and traits & TIMED:
        factor += WEIGHTS.when
    if (fact.document, fact.ordinal) in asked.follows:
        factor += WEIGHTS.answers
    if said:
        factor += WEIGHTS.pair * min(2, said.pairs)
    return max(0.05, factor + WEIGHTS.speaker_factor * speaks + WEIGHTS.date_factor * fit)


def _recent(day: date | None, today: date | None) -> float:
    if day is None or today is None:
        return 0.0
    return WEIGHTS.recent * exp(-max((today - day).days, 0) / WEIGHTS.fades)


def _weighed(share: Counts, counts: Counts) -> float:
    whole: float = sum(map(mul, share, counts))
    return whole


def _typed(sought: Sequence[Sought], terms: Iterable[int]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sought[term].typed for term in terms))


def _name(speaker: str) -> tuple[str, ...]:
    return tuple(words(speaker)) if speaker else ()
