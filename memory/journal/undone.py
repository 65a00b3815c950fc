"""What an undo is about in the end, and what of a change is undone now: an undo can be undone, which is a redo."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memory.journal.reconcile import is_record
from memory.journal.versions import batches
from memory.models import Bot, ChangeSet, Revision
from memory.text.sentences import say

NO_FILE = ""  # the part of a change that touched none
NEVER_WRITTEN = {
    ChangeSet.State.ABANDONED: say("This was never written. Nothing to undo."),
    ChangeSet.State.FAILED: say("This was never written. Nothing to undo."),
}


@dataclass(frozen=True, slots=True)
class Undone:
    """What of a change is undone now: in which documents, whether that is all of it, and by which change last."""

    by: int
    paths: frozenset[str]
    wholly: bool


def undone(bot: Bot, sets: Iterable[int]) -> dict[int, Undone]:
    """What is undone now of these change sets, of those of which anything is; a fixed number of statements."""
    gone, last, parts = _taken_back(sets)
    return {
        pk: Undone(last[pk], frozenset(paths), all(path in paths or is_record(bot, path) for path in parts[pk]))
        for pk, paths in gone.items()
    }


def taken_back(one: ChangeSet) -> set[str]:
    """The documents in which a set is undone already. Taken back once more, an append would cost an equal text its place."""
    return _taken_back([one.pk])[0].get(one.pk, set())


def _taken_back(sets: Iterable[int]) -> tuple[dict[int, set[str]], Mapping[int, int], Mapping[int, set[str]]]:
    """The parts of each that are undone now, the change that last saw to that, and all its parts."""
    links = _links(wanted := set(sets))
    parts = _parts({pk for link in links for pk in link})
    gone, last, again = defaultdict[int, set[str]](set), defaultdict[int, int](int), defaultdict[int, int](int)
    for pk, of in reversed(links):  # what undid this one is newer
        if standing := (parts[pk] - gone[pk]) & parts[of]:
            gone[of] |= standing
            last[of] = max(last[of], pk, again[pk])
        again[of] = max(again[of], last[pk])
    return {pk: gone[pk] for pk in wanted if gone[pk]}, last, parts


def _links(sets: set[int]) -> list[tuple[int, int]]:
    """What undid these, what undid that, and so on, oldest first: (the undo, what it undid)."""
    found, there = list[tuple[int, int]](), set(sets)
    undoing = ChangeSet.objects.filter(undoes__gte=min(sets, default=0)).exclude(state__in=NEVER_WRITTEN)
    for pk, of in undoing.order_by("pk").values_list("pk", "undoes_id") if sets else ():
        if of in there:
            there.add(pk)
            found.append((pk, of))
    return found


def _parts(sets: set[int]) -> dict[int, set[str]]:
    """The documents that each of these wrote."""
    parts = {pk: set[str]() for pk in sets}
    for some in batches(sorted(sets)):
        written = Revision.objects.filter(change_set__in=some, done=True).order_by()
        for pk, path in written.values_list("change_set_id", "path"):
            parts[pk].add(path)
    return {pk: paths or {NO_FILE} for pk, paths in parts.items()}


def root_of(one: ChangeSet) -> tuple[ChangeSet, bool]:
    """The change set that an undo, or the undo of one, is about in the end; and whether what it did is there again."""
    links = 0
    while one.kind == ChangeSet.Kind.UNDO and (before := _undid(one)):
        one, links = before, links + 1
    return one, links > 0 and links % 2 == 0


def _undid(one: ChangeSet) -> ChangeSet | None:
    """What a change set took back, without its details: there may be many, and links in any number."""
    if one.undoes_id and not ChangeSet.undoes.is_cached(one):
        one.undoes = ChangeSet.objects.defer("details").get(pk=one.undoes_id)
    return one.undoes


def chain(sets: Sequence[ChangeSet]) -> None:
    """Lead those that undo one another to one another, so that what they are about is looked for once, and not once for each."""
    known = {one.pk: one for one in sets}
    for one in sets:
        if one.undoes_id in known:
            one.undoes = known[one.undoes_id]


def redoes(one: ChangeSet) -> bool:
    """Whether taking this change set back does again what it undid."""
    return one.kind == ChangeSet.Kind.UNDO and not root_of(one)[1]
