"""What says a fact of a log already, so that it need not move."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from memory.dialects.shared.compaction.layout import SUBSTRING
from memory.domain.plan import Decision, Fate
from memory.text.markdown.entries import FactAt, memory_facts
from memory.text.markdown.normal import key, normalise
from memory.text.sentences import say

SUBSTRING_NOTE = say(
    "Its text is part of a longer line there; it counts as a duplicate because substring matching is on."
)


class KnownFacts:
    """What says a fact already: long-term memory as it stands, and what moves there in this run. The same words at another time are
    another event, unless somebody says that words alone count; words of no time say it at any."""

    def __init__(self, path: str, text: str, dedupe: str, *, by_words: bool) -> None:
        self.path, self.by_words = path, by_words
        self.places: dict[str, str] = {}
        for fact in memory_facts(text):
            self.learn(fact.text, f"{path}:{fact.line}")
        self.lower = text.lower() if dedupe == SUBSTRING else ""
        self.starts = [0, *(at + 1 for at, sign in enumerate(self.lower) if sign == "\n")]

    def says(self, fact: FactAt, said: str) -> tuple[str, str]:
        """(PATH:LINE, note) of what says this fact already, or ("", ""). `said`: with its day and its clock."""
        place = self.places.get(self._name(said)) or self.places.get(self._name(fact.text))
        if place is not None:
            return place, ""
        words = fact.text.strip().lower()
        at = self.lower.find(words) if self.lower and words else -1
        return ("", "") if at < 0 else (f"{self.path}:{bisect_right(self.starts, at)}", SUBSTRING_NOTE)

    def learn(self, said: str, place: str) -> None:
        self.places.setdefault(self._name(said), place)

    def forget(self, decisions: Iterable[Decision]) -> None:
        """Take back what was learned of facts that do not move after all."""
        for one in decisions:
            if one.fate is Fate.MOVE and self.places.get(name := self._name(one.said)) == one.place:
                del self.places[name]

    def _name(self, said: str) -> str:
        """What a text is known by."""
        return key(said) if self.by_words else normalise(said)
