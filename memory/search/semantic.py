"""Facts that mean something alike come into a ranking by words: those near a question are lifted by how near they stand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from memory.models import Bot
from memory.search.embedders import NoVectors, embedder, vector_of
from memory.search.nearest import nearest
from memory.search.rank import Ranked, Why
from memory.search.shapes import Bounds, Candidate
from memory.text.sentences import say

NEAR = 100  # facts that are lifted
# Of the best score: what the nearest fact gets. On LoCoMo more than this costs more of what the words had right than it finds.
LIFT = 0.25
FALL = 10.0  # places after which half of that is left
ALONE = 1.0  # what the nearest gets where no fact says a word of the question


def add_similar(
    bot: Bot,
    question: str,
    ranked: Sequence[Ranked],
    within: Bounds,
    candidates: Callable[[Collection[int], Bounds], Sequence[Candidate]],
    *,
    typing: bool,
) -> tuple[list[Ranked], tuple[str, ...]]:
    """The ranking with what means something alike in it, and what has to be said about it, for people. `typing`: an embedder
    elsewhere is not asked for words that are not finished."""
    try:
        model = embedder()
        if model is None or (typing and model.is_remote):
            return list(ranked), ()
        near = nearest(bot, model.name, vector_of(model, question), within, NEAR)
    except NoVectors as error:
        return list(ranked), (say("%(error)s Results match words only.", error=str(error)),)
    known = {one.candidate.id for one in ranked}
    others = candidates([pk for pk in near if pk not in known], within)
    return _fused([*ranked, *(Ranked(one, 0.0, Why) for one in others)], near), ()


def _fused(ranked: Sequence[Ranked], near: Sequence[int]) -> list[Ranked]:
    """By rank among the near ones, not by how near: what a model calls near is another number for each model."""
    best = max((one.score for one in ranked), default=0.0)
    lift = LIFT * best or ALONE
    lifts = {pk: lift * FALL / (FALL + place) for place, pk in enumerate(near)}
    lifted = [_lifted(one, lifts.get(one.candidate.id, 0.0)) for one in ranked]
    return sorted(
        lifted, key=lambda one: (-round(one.score, 9), one.candidate.day, one.candidate.document, one.candidate.ordinal)
    )


def _lifted(one: Ranked, lift: float) -> Ranked:
    if not lift:
        return one
    return one._replace(score=one.score + lift, explain=lambda: replace(one.why, alike=lift), is_near=False)
