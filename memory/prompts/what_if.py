"""What an edit that is not saved yet would do: to the facts of its document, and to the prompt, the typed bytes laid over the
documents as they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from memory.bots import open_bot
from memory.domain.changes import split_path
from memory.domain.memory import Memory
from memory.models import Bot
from memory.prompts import build
from memory.prompts.build import Priced, PricedLine
from memory.text.markdown.entries import FactAt
from memory.text.merge.diff import match_entries

T = TypeVar("T")


class Overlaid:
    """A memory in which one document reads otherwise (None: is gone), as if it had been written just now."""

    def __init__(self, memory: Memory, path: str, data: bytes | None, now: datetime) -> None:
        self._memory = memory
        self._path = path
        self._data = data
        self._now = now

    def paths(self) -> Iterable[str]:
        """Every document there would be, sorted."""
        others = {path for path in self._memory.paths() if path != self._path}
        return sorted(others if self._data is None else others | {self._path})

    def read(self, path: str) -> bytes | None:
        """A document's bytes as they would be. Raises Unreadable."""
        return self._data if path == self._path else self._memory.read(path)

    def tail(self, path: str, size: int) -> bytes | None:
        """At most the last `size` bytes of a document as it would be. Raises Unreadable."""
        if path != self._path:
            return self._memory.tail(path, size)
        return None if self._data is None else self._data[max(0, len(self._data) - size) :]

    def modified(self, path: str) -> datetime | None:
        """When a document would have been written last. Raises Unreadable."""
        if path != self._path:
            return self._memory.modified(path)
        return None if self._data is None else self._now

    def ask(self, root: str, work: Callable[[Any], T]) -> T | None:
        """What `work` finds; nothing in the root of the document that reads otherwise."""
        return None if split_path(self._path)[0] == root else self._memory.ask(root, work)


@dataclass(frozen=True, slots=True)
class Edited:
    """Facts of one document that say something else in their place, that are new, and that are gone. One that only moved is none
    of them."""

    reworded: Sequence[FactAt]
    added: Sequence[FactAt]
    removed: Sequence[FactAt]
    keys: frozenset[str]  # of all of these, and of those that were reworded as they were


@dataclass(frozen=True, slots=True)
class Effect:
    """The prompt now and after. `entering` and `leaving` are its facts that are new and those that fall out."""

    before: Priced
    after: Priced
    entering: Sequence[PricedLine]
    leaving: Sequence[PricedLine]

    def reads(self, path: str) -> bool:
        """Whether the prompt has anything of a document, now or after."""
        return any(line.path == path for priced in (self.before, self.after) for line in priced.lines)


def edited(before: Sequence[FactAt], after: Sequence[FactAt]) -> Edited:
    """What became of the facts of a document. One that was edited was reworded, however little of it is left."""
    pairs = match_entries([fact.text for fact in before], [fact.text for fact in after])
    left, right = {i for i, _j in pairs}, {j for _i, j in pairs}
    was, now = [before[i] for i in sorted(left)], [after[j] for j in sorted(right)]
    old = [fact for at, fact in enumerate(before) if at not in left]
    new = [fact for at, fact in enumerate(after) if at not in right]
    added, removed = _beyond(new, old), _beyond(old, new)
    return Edited(now, added, removed, frozenset(fact.key for fact in (*was, *now, *added, *removed)))


def _beyond(some: Iterable[FactAt], others: Iterable[FactAt]) -> list[FactAt]:
    """The facts that the others have not, or not as often."""
    there = Counter(fact.key for fact in others)
    found = []
    for fact in some:
        there[fact.key] -= 1
        if there[fact.key] < 0:
            found.append(fact)
    return found


def effect(bot: Bot, chat: str | None, memory: Memory, path: str, data: bytes | None) -> Effect:
    """What the prompt of a chat would be if `path` held `data`. Raises PromptRefused and Unreadable."""
    now = open_bot(bot).now()
    before = build.build(bot, chat, "", now, memory)
    after = build.build(bot, chat, "", now, Overlaid(memory, path, data, now))
    return Effect(before, after, _facts_beyond(after, before), _facts_beyond(before, after))


def _facts_beyond(one: Priced, other: Priced) -> list[PricedLine]:
    """The facts of one prompt that the other has not, or not as often."""
    there = Counter((line.path, line.fact.key) for line in other.lines if line.fact)
    found = []
    for line in one.lines:
        if line.fact:
            name = line.path, line.fact.key
            there[name] -= 1
            if there[name] < 0:
                found.append(line)
    return found
