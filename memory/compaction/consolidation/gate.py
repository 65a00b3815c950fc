"""The gate: the outcome read again before it is written. What a document loses has to be accounted for by what another has."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memory import index
from memory.bots import open_bot
from memory.compaction.consolidation.changes import says
from memory.compaction.consolidation.current_documents import (
    ARCHIVE,
    KEEP,
    MERGE,
    SUPERSEDE,
    CurrentFact,
    CurrentProposal,
)
from memory.domain.dialect import Dialect
from memory.domain.errors import Unreadable
from memory.domain.places import Kind
from memory.models import Bot, Job, Proposal
from memory.text.fidelity.retention import missing_words
from memory.text.markdown.blocks import decode
from memory.text.markdown.entries import FactAt, is_spent, line_counts, remainder
from memory.text.markdown.normal import key, normalise
from memory.text.sentences import say

Results = Mapping[str, bytes | None]


class _Shut(Exception):
    """The gate stays shut; the message says why."""


class Gate:
    """What these proposals promise, looked for in the documents as they will be."""

    def __init__(self, bot: Bot, job: Job, steps: Sequence[CurrentProposal]) -> None:
        self.bot, self.steps = bot, steps
        self.dialect: Dialect = open_bot(bot).dialect
        merges = Proposal.objects.filter(job=job, action=MERGE, state=Proposal.State.APPLIED)
        self.merged = [*merges, *(step.proposal for step in steps if step.proposal.action == MERGE)]
        self.may_go: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
        for step in steps:
            for spot in step.spots:
                self.may_go[spot.path][spot.fact.time, spot.fact.key] += 1

    def __call__(self, before: Results, after: Results) -> str:
        """Why the outcome must not be written, for people; "" if it may be. Both: path -> bytes, None for no document."""
        try:
            now = _Now(self.bot, self.dialect, before, after)
            for path in sorted({*self.may_go, *after}):
                self._stays(path, now)
            for step in self.steps:
                self._holds(step, now)
        except (_Shut, Unreadable) as shut:
            return str(shut)
        return ""

    def _stays(self, path: str, now: _Now) -> None:
        """A document loses only facts that proposals are about; every other line and fact of it is still there."""
        before, after = now.before(path), now.after(path)
        if before == after or before is None:
            return
        left, leaving = Counter(self.may_go[path]), []
        for fact in self.dialect.facts(path, before):
            if left[fact.time, fact.key] > 0:
                left[fact.time, fact.key] -= 1
                leaving.append(fact)
        rest = remainder(decode(before), leaving)
        place = self.dialect.describe(path)
        if after is None:
            if place is None or place.kind is not Kind.DAILY or not is_spent(rest, place.day):
                raise _Shut(say("%(path)s would be removed although facts in it stay.", path=path))
        elif line_counts(rest) - line_counts(decode(after)):
            raise _Shut(say("%(path)s would lose a line that should stay.", path=path))
        elif _keys(self.dialect.facts(path, before)) - _keys(leaving) - _keys(self.dialect.facts(path, after)):
            raise _Shut(say("%(path)s would lose a fact that should stay.", path=path))

    def _holds(self, step: CurrentProposal, now: _Now) -> None:
        """What goes is said where the proposal promises it."""
        proposal = step.proposal
        if proposal.action in (KEEP, ARCHIVE):
            for spot in step.spots:
                self._says(now, proposal.path, spot.said, spot)
        elif proposal.action == MERGE:
            for spot in step.spots:
                if missing_words(spot.fact.text, proposal.text):
                    raise _Shut(say("%(named)s would be missing from its new line.", named=_named(spot)))
            self._says(now, proposal.path, proposal.text, step.spots[0])
        elif proposal.action == SUPERSEDE and not self.stands(proposal.newer, step.scope, now):
            raise _Shut(say("The fact that replaces %(named)s would be missing.", named=_named(step.spots[-1])))

    def _says(self, now: _Now, path: str, text: str, spot: CurrentFact) -> None:
        if not says(now.said(path), text):
            raise _Shut(say("%(named)s would be missing from %(path)s.", named=_named(spot), path=path))

    def stands(self, newer: dict[str, Any], scope: str, now: _Now) -> bool:
        """Whether a newer fact is there: where it was noted, in long-term memory, or in a line that it was merged into."""
        target = self.dialect.path(Kind.LONG_TERM, scope) or ""
        if newer["key"] in now.keys(newer["path"]) or newer["key"] in now.keys(target):
            return True
        holders = [one for one in self.merged if any(source["key"] == newer["key"] for source in one.sources)]
        return any(key(one.text) in now.keys(target) and not missing_words(newer["text"], one.text) for one in holders)


class _Now:
    """Documents before the write and after it, with their facts read once."""

    def __init__(self, bot: Bot, dialect: Dialect, before: Results, after: Results) -> None:
        self._memory, self._dialect, self._results = index.BotMemory(bot), dialect, after
        self._before = dict(before)
        self._said: dict[str, tuple[set[str], set[str]]] = {}

    def before(self, path: str) -> bytes | None:
        if path not in self._before:
            self._before[path] = self._memory.read(path)
        return self._before[path]

    def after(self, path: str) -> bytes | None:
        return self._results[path] if path in self._results else self.before(path)

    def keys(self, path: str) -> set[str]:
        """The keys of the facts that a document has afterwards."""
        return self._facts(path)[0]

    def said(self, path: str) -> set[str]:
        """What the facts of a document say afterwards, normalised."""
        return self._facts(path)[1]

    def _facts(self, path: str) -> tuple[set[str], set[str]]:
        if path not in self._said:
            data = self.after(path)
            facts = self._dialect.facts(path, data) if data else []
            self._said[path] = {fact.key for fact in facts}, {normalise(fact.text) for fact in facts}
        return self._said[path]


def current_state(bot: Bot) -> _Now:
    """The documents as they are."""
    return _Now(bot, open_bot(bot).dialect, {}, {})


def _keys(facts: Iterable[FactAt]) -> Counter[str]:
    return Counter(fact.key for fact in facts)


def _named(spot: CurrentFact) -> str:
    first = spot.fact.text.strip().split("\n", 1)[0]
    return say("“%(text)s” (%(path)s, line %(line)s)", text=first[:60], path=spot.path, line=spot.fact.line)
