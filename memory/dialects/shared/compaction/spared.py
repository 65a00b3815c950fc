"""What stays in its log because somebody pinned it or leaves it there, and what must not be lost because nobody has decided about
it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory.domain.plan import Choice, Decision, Fate
from memory.text.markdown.entries import FactAt
from memory.text.sentences import say

PINNED = say("It is pinned, so it stays.")
DOUBTED = say("It contradicts another fact.")
PINNED_LOG = say("A pinned fact keeps this log where it is.")
LEFT = say("You leave it, so its whole log stays.")
LEFT_LOG = say("A fact that you leave keeps this log where it is.")


def as_it_is(path: str, fact: FactAt) -> Decision:
    """A fact that stays, until something else is decided."""
    return Decision(path, fact.line, fact.end_line, fact.text, Fate.KEEP, "", True, "", fact.key, fact.time)


def kept_whole(path: str, facts: Sequence[FactAt], choice: Choice) -> list[Decision]:
    """The facts of a log that would go as a whole and stays, as one of them is pinned or left; none if none is."""
    why = [_why(path, fact, choice) for fact in facts]
    if not any(why):
        return []
    beside = PINNED_LOG if PINNED in why else LEFT_LOG
    return [replace(as_it_is(path, fact), note=note or beside) for fact, note in zip(facts, why, strict=True)]


def _why(path: str, fact: FactAt, choice: Choice) -> str:
    if fact.key in choice.pinned:
        return PINNED
    return LEFT if choice.leaves(path, fact.key, fact.time) else ""


def is_doubted(path: str, fact: FactAt, choice: Choice) -> bool:
    """Whether a fact waits for somebody to decide which of several is so, and nobody said that it moves."""
    return (path, fact.key) in choice.doubted and not choice.moves(path, fact.key, fact.time)


def would_be_lost(day: str, decisions: Sequence[Decision], choice: Choice) -> bool:
    """Whether a log goes to the archive because the bot would delete what nobody decided about."""
    return (
        day < choice.deleted_before
        and any(one.doubted for one in decisions)
        and not any(one.key in choice.pinned for one in decisions)
    )


def archived(decisions: Sequence[Decision], where: str) -> list[Decision]:
    """The decisions of such a log: what would have stayed in it lies in the archive."""
    return [
        replace(one, fate=Fate.ARCHIVE, target=where, said="") if one.fate is Fate.KEEP else one for one in decisions
    ]
