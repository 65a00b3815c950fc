"""What ranks first, and why: plain arithmetic over the candidates' words, the same for every engine.

A fact's own words are weighed by bm25 (Robertson and Zaragoza 2009, k1 and b below); what stands beside it in its document is
heard at falling weight, because who asks "where?" is answered by the next entry; its whole document counts a little.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

from memory.search.shapes import Candidate, Sought

K1, B = 1.2, 0.5
USUAL = 20.0  # words of a fact, about: what b measures lengths by
UNDER = 0.5  # a word in the heading or of the speaker, beside one of the text
BESIDE = {-2: 0.12, -1: 0.35, 1: 0.35, 2: 0.12}  # what a neighbour so many entries away hears
TOGETHER = 0.08  # of the best of its document
SPEAKS = 1.25  # a fact by somebody whom the question names


@dataclass(frozen=True, slots=True)
class Why:
    """Where a score comes from, each part in the same unit. `words` as typed; `about` those in heading or speaker; `beside`
    those that only a neighbour says."""

    words: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    own: float = 0.0
    neighbours: float = 0.0
    document: float = 0.0
    speaks: bool = False
    alike: float = 0.0  # what a language model's vectors add


@dataclass(frozen=True, slots=True)
class Ranked:
    """A fact with its score; higher is better, and scores of two questions cannot be compared."""

    candidate: Candidate
    score: float
    why: Why


def rank(candidates: Iterable[Candidate], sought: Sequence[Sought], facts: int) -> list[Ranked]:
    """The candidates by score, best first; equal ones as they stand in their documents. `facts`: how many there are in all.
    Candidates without a part of their own or of a neighbour are left out."""
    found = list(candidates)
    worth = {one: _worth(one, facts) for one in sought}
    own = {one.id: _own(one, worth) for one in found}
    places = {(one.document, one.ordinal): one for one in found}
    best: dict[int, float] = defaultdict(float)
    for one in found:
        best[one.document] = max(best[one.document], own[one.id].score)
    ranked = [_ranked(one, own, places, best) for one in found]
    return sorted((one for one in ranked if one.score > 0), key=_order)


def _order(one: Ranked) -> tuple[float, str, int, int]:
    return -round(one.score, 9), one.candidate.day, one.candidate.document, one.candidate.ordinal


@dataclass(frozen=True, slots=True)
class _Own:
    score: float
    words: tuple[Sought, ...]
    about: tuple[Sought, ...]
    speaks: bool


def _worth(sought: Sought, facts: int) -> float:
    """How much a word says: Robertson and Sparck Jones' weight, never below zero."""
    return log(1 + (facts - sought.facts + 0.5) / (sought.facts + 0.5)) if facts >= sought.facts else 0.01


def _own(one: Candidate, worth: Mapping[Sought, float]) -> _Own:
    text, about = one.words.split(" "), one.about.split(" ")
    length = K1 * (1 - B + B * len(text) / USUAL)
    score, said, under = 0.0, [], []
    speakers = set(about[-len(one.speaker.split()) :]) if one.speaker else set()
    speaks = False
    for sought, weight in worth.items():
        times = _times(sought, text)
        if times:
            said.append(sought)
        if _times(sought, about):
            under.append(sought)
            times += UNDER
            speaks = speaks or any(map(sought.is_met_by, speakers))
        score += weight * times * (K1 + 1) / (times + length)
    return _Own(score * (SPEAKS if speaks else 1), tuple(said), tuple(under), speaks)


def _times(sought: Sought, words: Collection[str]) -> float:
    if sought.is_start or sought.is_part:
        return float(sum(map(sought.is_met_by, words)))
    return float(words.count(sought.word)) if isinstance(words, list) else float(sought.word in words)


def _ranked(
    one: Candidate, own: Mapping[int, _Own], places: Mapping[tuple[int, int], Candidate], best: Mapping[int, float]
) -> Ranked:
    mine, heard, beside = own[one.id], 0.0, []
    for away, share in BESIDE.items():
        other = places.get((one.document, one.ordinal + away))
        if other is not None and (theirs := own[other.id]).score:
            heard += share * theirs.score
            beside += [word for word in theirs.words if word not in mine.words]
    document = TOGETHER * best[one.document] if mine.score or heard else 0.0
    why = Why(
        words=_typed(mine.words),
        about=_typed(mine.about),
        beside=_typed(beside),
        own=mine.score,
        neighbours=heard,
        document=document,
        speaks=mine.speaks,
    )
    return Ranked(one, mine.score + heard + document, why)


def _typed(sought: Iterable[Sought]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.typed for one in sought))
