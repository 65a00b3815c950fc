"""Which change each line of a document came with: its revisions are gone through backwards, a bounded number of them, and what was
moved here is followed to where it came from. What was undone is as if it was never done."""

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
    undone: int | None  # the change set that it takes back
    offset: int | None
    size: int | None


def blame(bot: Bot, path: str, data: bytes, first: int, count: int) -> list[Origin]:
    """The origins of some lines of a document that reads so now, from line `first` on, counted from 0."""
    walk = _Walk(data, first, count)
    rows = Revision.objects.filter(bot=bot, path=path, done=True, pruned=None).order_by("-pk")
    told = rows.values_list("change_set", "action", "before", "change_set__undoes", "offset", Length("added"))[:MOST]
    left = walk.through(bot, [_Row(*row) for row in told])
    facts = _facts_at(bot, path, first, count)
    steps, start, found = _steps(bot, path, facts.values()), _start(left), walk.found
    for at in walk.left:
        if key := facts.get(first + at):
            found[at] = steps[key].change_set_id if key in steps else start
    sets = ChangeSet.objects.in_bulk({pk for pk in found if pk is not None})
    began = {key: _began(bot, step) for key, step in list(_moved(steps, set(found)).items())[:FOLLOWED]}
    return [
        Origin(sets.get(pk or 0), *began.get(facts.get(first + line, ""), (None, ""))) for line, pk in enumerate(found)
    ]


class _Walk:
    """Lines on their way back through the versions: `live` are those whose change is not found yet, each as (where it stands in the
    version that is looked at, which one it is). What an undo brought back waits for the change set that had taken it: it stands in
    the version before that one."""

    def __init__(self, data: bytes, first: int, count: int) -> None:
        self.text = data
        self.found: list[int | None] = [None] * count
        self.live = [(first + at, at) for at in range(count)]
        self.waiting: dict[int, list[tuple[int, int]]] = {}

    @property
    def left(self) -> list[int]:
        """Which lines are not found."""
        return [at for some in (self.live, *self.waiting.values()) for _line, at in some]

    def through(self, bot: Bot, rows: Sequence[_Row]) -> Sequence[_Row]:
        """Go back as far as it takes, or as the history and the time go; returns the revisions that are left."""
        until, left = time.monotonic() + SECONDS, list(rows)
        taken = {row.change: row.before for row in rows if row.action != Revision.Action.APPEND}
        for is_append, some in groupby(rows, key=lambda row: row.action == Revision.Action.APPEND):
            if is_append:
                left = left[self._appended(list(some)) :]
                continue
            for row in some:
                before = _version(bot, row.before)
                if before is None or not self.left or time.monotonic() > until:
                    return left
                had = _version(bot, taken[row.undone]) if row.undone in taken else None
                self._replaced(before, row, had)
                left = left[1:]
                if not row.before and not self.waiting:
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

    def _replaced(self, before: bytes, row: _Row, had: bytes | None) -> None:
        """What was there before stands somewhere else in that version; the rest came with this change, or came back with it: that
        stands in the version that was `had` before what it undoes, as far as the history has it."""
        stayed = _places(before, self.text, [line for line, _at in self.live])
        came = [(line, at) for line, at in self.live if line not in stayed]
        if row.undone is not None and came:
            lines = [line for line, _at in came]
            back = dict.fromkeys(lines, 0) if had is None else _places(had, self.text, lines)
            self.waiting[row.undone] = [(back[line], at) for line, at in came if line in back]
            came = [(line, at) for line, at in came if line not in back]
        self.live = [(stayed[line], at) for line, at in self.live if line in stayed]
        self.live += self.waiting.pop(row.change, [])
        self.text = before
        for _line, at in came:
            self.found[at] = row.change

    def _take(self, lines: Iterable[tuple[int, int]], change: int) -> None:
        taken = set()
        for _line, at in lines:
            self.found[at] = change
            taken.add(at)
        if taken:
            self.live = [one for one in self.live if one[1] not in taken]


def _version(bot: Bot, name: str) -> bytes | None:
    return versions.bytes_of_all(bot, [name]).get(name) if name else b""


def _places(old: bytes, new: bytes, lines: Iterable[int]) -> dict[int, int]:
    """Where these lines of a version stand in an older one, those that do."""
    start = same_start(old, new)
    end = same_end(old, new, start)
    first = new.count(b"\n", 0, start)
    had, has = (_lines(text[start : len(text) - end]) for text in (old, new))
    behind = first + len(has)
    found = {line: line if line < first else line + len(had) - len(has) for line in lines}
    within = {line for line in found if first <= line < behind}
    runs = match(had, has) if within else []
    stayed = {first + run.new + at: first + run.old + at for run in runs for at in range(run.size)}
    return {line: stayed.get(line, at) for line, at in found.items() if line not in within or line in stayed}


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
    """The newest step that brought each of these facts here, and was no undo."""
    found: dict[str, Lineage] = {}
    for some in versions.batches(sorted(set(keys))):
        rows = Lineage.objects.filter(bot=bot, to_path=path, to_key__in=some, change_set__undoes=None)
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
    return lineage.origin_change(bot, step), step.from_path
