"""What was saved last of long documents whose facts have attributes: of the next version only what differs is compared with rows.

It is only ever a shortcut: it holds where the document's row names the very version that is remembered here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from django.db.models import Q

from memory.domain.changes import digest
from memory.domain.places import Place
from memory.models import Bot, Document
from memory.text.byte_cache import ByteCache
from memory.text.markdown.entries import FactAt
from memory.text.markdown.repeats import likeness
from memory.text.merge.common_ends import same_end, same_start
from memory.text.tokens.estimate import cost

ROOM = 64 << 20  # bytes of all that is remembered in a process
TIMES = 4  # the bytes of a version that it takes with its facts
LONG = 500  # facts of a document that is worth it
NEAR = 64 * 1024  # bytes that differ from what is remembered, so that a page need not wait for the rest

Key = tuple[int, float, str]


class FactRange(NamedTuple):
    """Which facts are compared with their rows: those from `first` on, but for so many `behind` them. `had` is how many rows
    there are."""

    first: int = 0
    behind: int = 0
    had: int = 0

    def end(self, compared: int) -> int:
        """How many facts there are, of which so many are compared."""
        return self.first + compared + self.behind


ALL = FactRange()


def compared(spans: Mapping[int, FactRange]) -> Q:
    """The rows of facts of some documents, by their keys, that are compared."""
    found = Q(document_id__in=[document for document, span in spans.items() if span == ALL])
    for document, span in spans.items():
        if span != ALL:
            found |= Q(document_id=document, ordinal__gte=span.first, ordinal__lt=span.had - span.behind)
    return found


@dataclass(frozen=True, slots=True)
class Saved:
    """A version as it was saved; `cost` is its own in hundredths of a token."""

    sha256: str
    data: bytes
    facts: Sequence[FactAt]
    headings: Sequence[str]
    cost: int


_saved: ByteCache[Key, Saved] = ByteCache(ROOM)


def remember(bot: Bot, path: str, place: Place, data: bytes, facts: Sequence[FactAt], headings: Sequence[str]) -> None:
    """Keep a version that was saved, if it is long."""
    if is_long(place, facts):
        tokens = hundredths(bot, path, data)
        _saved.put(_key(bot, path), Saved(digest(data), data, facts, headings, tokens), TIMES * len(data))


def is_long(place: Place, facts: Sequence[FactAt]) -> bool:
    """Whether a document is worth it."""
    return len(facts) >= LONG and place.has_attributes


def knows(bot: Bot, before: Document) -> bool:
    """Whether the version that a document's row names is remembered."""
    last = _saved.get(_key(bot, before.path))
    return last is not None and last.sha256 == before.sha256


def is_near(bot: Bot, path: str, data: bytes) -> bool:
    """Whether little of a document differs from what was saved of it."""
    last = _saved.get(_key(bot, path))
    if last is None:
        return False
    start = same_start(last.data, data)
    return max(len(data), len(last.data)) - start - same_end(last.data, data, start) <= NEAR


def hundredths(bot: Bot, path: str, data: bytes) -> int:
    """What a document costs in hundredths of a token: the sum of what its lines do."""
    last = _saved.get(_key(bot, path))
    if last is None:
        return cost(data.decode("utf-8", "replace"))
    start = same_start(last.data, data)
    end = same_end(last.data, data, start)
    was, now = (one[start : len(one) - end].decode("utf-8", "replace") for one in (last.data, data))
    return last.cost - cost(was) + cost(now)


def span(bot: Bot, before: Document, data: bytes, facts: Sequence[FactAt], above: Sequence[str]) -> FactRange:
    """Which facts of a version may differ from their rows; `before` is the document's row, `above` what each fact stands under."""
    last = _saved.get(_key(bot, before.path))
    if last is None or before.error or not before.ctime_ns or before.sha256 != last.sha256:
        return ALL
    start = same_start(last.data, data)
    first = _run_start(facts, bisect_right(facts, data.count(b"\n", 0, start), key=_line))
    if last.facts[:first] != facts[:first] or last.headings[:first] != above[:first]:
        return ALL
    behind = _behind(last, data, facts, above, first, same_end(last.data, data, start))
    return FactRange(first, behind, len(last.facts))


def _behind(last: Saved, data: bytes, facts: Sequence[FactAt], above: Sequence[str], first: int, end: int) -> int:
    """How many facts at the end have the very rows that they had: those of the same lines, where nothing before them moved them."""
    number = data.count(b"\n") - data.count(b"\n", len(data) - end)
    at = _run_end(facts, max(bisect_right(facts, number, key=_line), first))
    behind = len(facts) - at
    if len(last.facts) != len(facts) or last.headings[at:] != above[at:]:
        return 0
    is_same = all(_columns(old) == _columns(new) for old, new in zip(last.facts[at:], facts[at:], strict=True))
    return (
        behind
        if is_same and [_keys(one) for one in last.facts[first:at]] == [_keys(one) for one in facts[first:at]]
        else 0
    )


def _run_start(facts: Sequence[FactAt], at: int) -> int:
    """Where the run of alike facts begins that ends before this one: what comes behind it may make it longer."""
    if not at:
        return 0
    alike = likeness(facts[at - 1].text)
    return at - sum(1 for _ in takewhile(lambda one: likeness(facts[one].text) == alike, range(at - 1, -1, -1)))


def _run_end(facts: Sequence[FactAt], at: int) -> int:
    """Where the run ends that begins with this one."""
    if at == len(facts):
        return at
    alike = likeness(facts[at].text)
    return at + sum(1 for _ in takewhile(lambda one: likeness(facts[one].text) == alike, range(at, len(facts))))


def _line(fact: FactAt) -> int:
    return fact.line


def _keys(fact: FactAt) -> tuple[str, int]:
    return fact.key, fact.nth


def _columns(fact: FactAt) -> tuple[object, ...]:
    return fact.line, fact.end_line, fact.time, fact.text, fact.key, fact.nth, fact.attributes


def _key(bot: Bot, path: str) -> Key:
    return bot.pk, bot.created.timestamp(), path
