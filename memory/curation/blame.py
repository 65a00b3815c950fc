"""Which change each line of a document came with: its revisions are gone through backwards, a bounded number of them, and what was
moved here is followed to where it came from."""

from __future__ import annotations

import re
import time
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from django.db.models.functions import Length

from memory.curation import lineage
from memory.journal import versions
from memory.models import Bot, ChangeSet, Fact, Lineage, Revision
from memory.text.merge.common_ends import same_end, same_start
from memory.text.merge.lines import match

MOST = 5000  # revisions of a document that are gone through
SECONDS = 0.6  # that it may take
FOLLOWED = 100  # facts of a page that are followed to other documents

_NEW_LINE = re.compile(b"\n")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a line came from: `change` wrote it here, None where that is not known; `began` wrote it in another document, at
    `path`, from which it was moved here."""

    change: ChangeSet | None = None
    began: ChangeSet | None = None
    path: str = ""


class _Row(NamedTuple):
    change: int
    action: str
    before: str
    offset: int | None
    size: int | None


def blame(bot: Bot, path: str, data: bytes, first: int, count: int) -> list[Origin]:
    """The origins of some lines of a document that reads so now, from line `first` on, counted from 0."""
    walk = _Walk(data, first, count)
    rows = Revision.objects.filter(bot=bot, path=path, done=True, pruned=None).order_by("-pk")
    told = rows.values_list("change_set", "action", "before", "offset", Length("added"))[:MOST]
    left = walk.through(bot, [_Row(*row) for row in told])
    facts = _facts_at(bot, path, first, count)
    steps, start, found = _steps(bot, path, facts.values()), _start(left), walk.found
    for _line, at in walk.live:
        if key := facts.get(first + at):
            found[at] = steps[key].change_set_id if key in steps else start
    sets = ChangeSet.objects.in_bulk({pk for pk in found if pk is not None})
    began = {key: _began(bot, step) for key, step in list(_moved(steps, set(found)).items())[:FOLLOWED]}
    return [
        Origin(sets.get(pk or 0), *began.get(facts.get(first + line, ""), (None, ""))) for line, pk in enumerate(found)
    ]


class _Walk:
    """Lines on their way back through the versions: `live` are those whose change is not found yet, each as (where it stands in the
    version that is looked at, which one it is)."""

    def __init__(self, data: bytes, first: int, count: int) -> None:
        self.text = data
        self.found: list[int | None] = [None] * count
        self.live = [(first + at, at) for at in range(count)]

    def through(self, bot: Bot, rows: Sequence[_Row]) -> Sequence[_Row]:
        """Go back as far as it takes, or as the history and the time go; returns the revisions that are left."""
        until, left = time.monotonic() + SECONDS, list(rows)
        for is_append, some in groupby(rows, key=lambda row: row.action == Revision.Action.APPEND):
            if is_append:
                left = left[self._appended(list(some)) :]
                continue
            for row in some:
                before = versions.bytes_of_all(bot, [row.before]).get(row.before) if row.before else b""
                if before is None or not self.live or time.monotonic() > until:
                    return left
                self._replaced(before, row.change)
                left = left[1:]
                if not row.before:
                    return []
        return left

    def _appended(self, rows: Sequence[_Row]) -> int:
        """Between two replacements every append stands where it was written. How many there are."""
        starts = [0, *(one.end() for one in _NEW_LINE.finditer(self.text))]
        known = [(row, row.offset) for row in rows if row.offset is not None and row.size]
        for row, offset in known:
            lo, hi = bisect_right(starts, offset) - 1, bisect_left(starts, offset + (row.size or 0))
            self._take(((line, at) for line, at in self.live if lo <= line < hi), row.change)
        self.text = self.text[: min((offset for _row, offset in known), default=len(self.text))]
        return len(rows)

    def _replaced(self, before: bytes, change: int) -> None:
        """What was there before stands somewhere else in that version; the rest came with this change."""
        start = same_start(before, self.text)
        end = same_end(before, self.text, start)
        first = self.text.count(b"\n", 0, start)
        old, new = (_lines(text[start : len(text) - end]) for text in (before, self.text))
        within = [(line, at) for line, at in self.live if first <= line < first + len(new)]
        stayed: dict[int, int] = {}
        if within:
            for run in match(old, new):
                stayed |= {first + run.new + at: first + run.old + at for at in range(run.size)}
        self._take(((line, at) for line, at in within if line not in stayed), change)
        behind, moved = first + len(new), len(old) - len(new)
        self.live = [
            (line if line < first else line + moved if line >= behind else stayed[line], at) for line, at in self.live
        ]
        self.text = before

    def _take(self, lines: Iterable[tuple[int, int]], change: int) -> None:
        taken = set()
        for _line, at in lines:
            self.found[at] = change
            taken.add(at)
        if taken:
            self.live = [one for one in self.live if one[1] not in taken]


def _lines(text: bytes) -> list[bytes]:
    found = text.split(b"\n")
    return found if found[-1] else found[:-1]


def _facts_at(bot: Bot, path: str, first: int, count: int) -> dict[int, str]:
    """The key of the fact in each of these lines that belongs to one."""
    rows = Fact.objects.filter(bot=bot, document__path=path, line__lte=first + count, end_line__gt=first)
    return {
        line - 1: key
        for start, end, key in rows.values_list("line", "end_line", "key")
        for line in range(max(start, first + 1), min(end, first + count) + 1)
    }


def _steps(bot: Bot, path: str, keys: Iterable[str]) -> dict[str, Lineage]:
    """The newest step that brought each of these facts here."""
    found: dict[str, Lineage] = {}
    for some in versions.batches(sorted(set(keys))):
        rows = Lineage.objects.filter(bot=bot, to_path=path, to_key__in=some)
        found |= {row.to_key: row for row in rows.order_by("pk")}
    return found


def _start(left: Sequence[_Row]) -> int | None:
    """The change that a fact came with of which no step tells, if it can only be the one that made its document."""
    made = left[-1] if left and not left[-1].before and left[-1].action == Revision.Action.PUT else None
    return made.change if made and not any(row.action == Revision.Action.APPEND for row in left) else None


def _moved(steps: dict[str, Lineage], changes: set[int | None]) -> dict[str, Lineage]:
    """Those facts that one of these changes moved here as they were."""
    return {
        key: step
        for key, step in steps.items()
        if step.change_set_id in changes and step.from_key == key and step.from_path != step.to_path
    }


def _began(bot: Bot, step: Lineage) -> tuple[ChangeSet | None, str]:
    """The change that wrote a fact where it stood before it was moved, and the document where that was."""
    return lineage.began(bot, step), step.from_path
