"""The documents as they are now, and the facts that proposals mean found in them again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from memory import index
from memory.bots import open_bot
from memory.domain.dialect import Dialect
from memory.domain.places import Place
from memory.models import Bot, Proposal
from memory.text.markdown.blocks import decode
from memory.text.markdown.entries import FactAt
from memory.text.markdown.stamps import stamped_text
from memory.text.sentences import say

KEEP, MERGE = Proposal.Action.KEEP, Proposal.Action.MERGE
SUPERSEDE, ARCHIVE = Proposal.Action.SUPERSEDE, Proposal.Action.ARCHIVE


class Gone(Exception):
    """What a proposal means is not there any more; the message is for people."""


@dataclass(frozen=True, slots=True)
class CurrentFact:
    """A fact where it stands now, with what its proposal knew of it. `said` is what it says away from there: of a log's fact with
    its day and its clock."""

    path: str
    fact: FactAt
    source: dict[str, Any]
    said: str

    @property
    def is_noted(self) -> bool:
        """Whether it stands in a log."""
        return bool(self.source["day"])


@dataclass(frozen=True, slots=True)
class CurrentProposal:
    """One proposal that can be applied, with its facts as they are now."""

    proposal: Proposal
    scope: str
    spots: tuple[CurrentFact, ...]

    @property
    def lasting(self) -> list[CurrentFact]:
        """Its facts in long-term memory, in the order of the document."""
        return sorted((spot for spot in self.spots if not spot.is_noted), key=lambda spot: spot.fact.start)


class CurrentDocuments:
    """Documents read once. Reading raises Unreadable."""

    def __init__(self, bot: Bot) -> None:
        self.dialect: Dialect = open_bot(bot).dialect
        self._memory = index.BotMemory(bot)
        self._data: dict[str, bytes | None] = {}
        self._facts: dict[str, Sequence[FactAt]] = {}
        self._alike: dict[str, dict[str, list[FactAt]]] = {}

    def data(self, path: str) -> bytes | None:
        if path not in self._data:
            self._data[path] = self._memory.read(path)
        return self._data[path]

    def extended(self, path: str, data: bytes | None, facts: Iterable[str]) -> bytes:
        """What a document says with these facts at its end. Raises ValueError, with a sentence, where they would not read so."""
        if self.dialect.compacting is None:
            raise ValueError(self.dialect.no_logs)
        return self.dialect.compacting.extended(path, data, facts).data

    def facts(self, path: str) -> Sequence[FactAt]:
        if path not in self._facts:
            data = self.data(path)
            self._facts[path] = self.dialect.facts(path, data) if data else ()
        return self._facts[path]

    def alike(self, path: str, key: str) -> list[FactAt]:
        """The facts of a document that have this key."""
        if path not in self._alike:
            found = self._alike[path] = {}
            for fact in self.facts(path):
                found.setdefault(fact.key, []).append(fact)
        return self._alike[path].get(key, [])

    def place(self, path: str) -> Place:
        place = self.dialect.describe(path)
        if place is None:
            raise Gone(say("It refers to a file this bot doesn’t have."))
        return place

    def step(self, proposal: Proposal, taken: set[tuple[str, int]]) -> CurrentProposal:
        """The proposal with its facts as they stand now. `taken` are those that others mean: (path, start); what this one means
        is added. Raises Gone."""
        scopes = {self.place(source["path"]).scope for source in proposal.sources}
        if proposal.path:
            scopes.add(self.place(proposal.path).scope)
        if len(scopes) != 1:
            raise Gone(say("It would merge facts of different chats."))
        # A fact that is kept need not be in long-term memory any more: then it goes there again.
        meant = [one for one in proposal.sources if one["day"] or proposal.action != KEEP]
        free = set(taken)
        spots = tuple(self._spot(source, free) for source in meant)
        taken |= free
        return CurrentProposal(proposal, scopes.pop(), spots)

    def _spot(self, source: dict[str, Any], taken: set[tuple[str, int]]) -> CurrentFact:
        """The very fact, else one that says the same in the same document: it has another number after others went."""
        path = source["path"]
        alike = [fact for fact in self.alike(path, source["key"]) if (path, fact.start) not in taken]
        if not alike:
            raise Gone(say("A fact in %(path)s changed or no longer exists.", path=path))
        fact = min(alike, key=lambda one: (one.nth != source["nth"], one.time != source["time"], one.nth))
        taken.add((path, fact.start))
        said = stamped_text(decode(self.data(path) or b""), fact, source["day"]) if source["day"] else fact.text
        return CurrentFact(path, fact, source, said)
