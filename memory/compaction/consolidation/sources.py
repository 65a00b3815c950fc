"""The facts that a run is about: those of a scope's old logs, and what that scope's own long-term memory has beside them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from memory import index
from memory.bots import open_bot
from memory.compaction import runner
from memory.curation import pins
from memory.domain.abilities import Compacting
from memory.domain.changes import digest
from memory.domain.errors import RootGone, Unreadable
from memory.domain.places import Kind
from memory.models import Bot
from memory.text.fidelity.operations import Fact
from memory.text.markdown.entries import FactAt
from memory.text.sentences import say
from memory.text.storable import ODD_NAME, is_keepable, keepable

LONGEST = 8000  # characters of a fact that a model is asked about; a longer one stays in its log
TOO_LONG = say("One of its facts is too long for the language model. It stays.")


@dataclass(frozen=True, slots=True)
class FactSource:
    """One fact where it stands. `day` and `time` are "" in long-term memory."""

    path: str
    line: int
    key: str
    nth: int
    text: str
    day: str = ""
    time: str = ""

    def row(self) -> dict[str, Any]:
        """As a proposal keeps it."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Item:
    """What is asked about: one fact, however often it was noted. The last source is the newest of them."""

    sources: tuple[FactSource, ...]
    lasting: bool = False  # long-term memory says it

    @property
    def text(self) -> str:
        return self.sources[-1].text

    @property
    def fact(self) -> Fact:
        newest = self.sources[-1]
        return Fact(newest.text, newest.day, newest.time, self.lasting)


@dataclass(slots=True)
class ScopeFacts:
    """What there is to ask in one scope. `noted` are in logs, oldest first; `lasting` only in long-term memory, in its order;
    `documents` are the versions that were read: path -> sha256."""

    scope: str
    noted: list[Item] = field(default_factory=list)
    lasting: list[Item] = field(default_factory=list)
    documents: dict[str, str] = field(default_factory=dict)
    unread: list[tuple[str, str]] = field(default_factory=list)  # (path, why) of logs left as they are
    stopped: str = ""  # why nothing can be done here, for people


def sources(bot: Bot, question: runner.PlanRequest) -> list[ScopeFacts]:
    """The facts of each scope that is asked for. No scope sees another's. Raises Unreadable."""
    rule, memory = open_bot(bot).dialect.compacting, index.BotMemory(bot, index.notes(bot, question.scopes))
    if rule is None:
        return []
    paths = memory.paths()
    found = []
    for scope in question.scopes:
        logs = rule.old_logs(paths, question.day, [scope], question.settings)
        if logs:
            found.append(_of_scope(bot, rule, memory, scope, logs))
    return found


def _of_scope(bot: Bot, rule: Compacting, memory: index.BotMemory, scope: str, logs: Iterable[str]) -> ScopeFacts:
    dialect, found, pinned = open_bot(bot).dialect, ScopeFacts(scope), pins.keys(bot)
    noted: dict[str, list[FactSource]] = {}
    for path in logs:
        if not is_keepable(path):
            found.unread.append((keepable(path), ODD_NAME))
            continue
        try:
            place, data = dialect.describe(path), memory.read(path)
            if place is None or data is None:
                continue
            facts = rule.entries(path, data)
        except RootGone:
            raise
        except (ValueError, Unreadable) as reason:
            found.unread.append((path, str(reason)))
            continue
        found.documents[path] = digest(data)
        for fact in facts:
            if fact.key in pinned:
                continue
            if len(fact.text) > LONGEST:
                found.unread.append((path, TOO_LONG))
            else:
                noted.setdefault(fact.key, []).append(_source(path, fact, place.day))
    lasting = _lasting(bot, rule, memory, found)
    if found.stopped:
        return found
    for name, some in noted.items():
        twins = lasting.pop(name, [])
        some.sort(key=lambda one: (one.day, one.time))
        found.noted.append(Item((*twins, *some), lasting=bool(twins)))
    found.noted.sort(key=lambda item: (item.fact.day, item.fact.time))
    found.lasting = [Item(tuple(some), lasting=True) for some in lasting.values()]
    return found


def _lasting(bot: Bot, rule: Compacting, memory: index.BotMemory, found: ScopeFacts) -> dict[str, list[FactSource]]:
    """The facts of the scope's own long-term memory by their keys."""
    dialect, pinned = open_bot(bot).dialect, pins.keys(bot)
    path = dialect.path(Kind.LONG_TERM, found.scope)
    data = memory.read(path) if path else None
    known: dict[str, list[FactSource]] = {}
    if path and data is not None:
        found.documents[path] = digest(data)
        try:
            rule.extended(path, data, ())
        except ValueError as reason:
            found.stopped = str(reason)
            return {}
        for fact in dialect.facts(path, data):
            if len(fact.text) <= LONGEST and fact.key not in pinned:
                known.setdefault(fact.key, []).append(_source(path, fact, ""))
    return known


def _source(path: str, fact: FactAt, day: str) -> FactSource:
    return FactSource(path, fact.line, fact.key, fact.nth, fact.text, day, fact.time if day else "")
