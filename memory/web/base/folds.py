"""What was undone and redone, any number of times, as one row: it left everything as it was."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from django.db.models import Count

from memory.journal.undone import chain, redoes, root_of
from memory.models import ChangeSet, Revision


def folded(sets: Sequence[ChangeSet]) -> dict[int, list[int]]:
    """Those of these change sets, newest first, that are rows of their own, each with the undos and redos before it that came to
    nothing; one statement at most."""
    chain(sets)
    ones = {one.pk: one for one in sets}
    undos = [one for one in sets if one.kind == ChangeSet.Kind.UNDO]
    files = _files(undos)
    rows: dict[int, list[int]] = {pk: [] for pk in ones}
    tops = dict[int, int]()  # the newest row about a change, by the change
    for one in undos:
        if one.pk not in rows:
            continue
        rows[one.pk] = steps = [before.pk for before in _taken_back(one, ones, files, rows)]
        about = root_of(one)[0].pk
        if about in tops and steps and not redoes(one):  # undone, redone, and then undone anew
            rows[tops[about]] += [one.pk, *steps]
            del rows[one.pk]
        else:
            tops[about] = one.pk
        for pk in steps:
            del rows[pk]
    return rows


def _files(undos: Sequence[ChangeSet]) -> Mapping[int, int]:
    """How many files each of these wrote."""
    if not undos:
        return {}
    written = Revision.objects.filter(change_set__in=[one.pk for one in undos], done=True).order_by()
    return dict(written.values_list("change_set").annotate(Count("path", distinct=True)))


def _taken_back(
    one: ChangeSet, ones: Mapping[int, ChangeSet], files: Mapping[int, int], rows: Collection[int]
) -> Iterator[ChangeSet]:
    """The undo that a change set took back whole, the one that this took back, and so on, as far as they are rows here."""
    while (before := ones.get(one.undoes_id or 0)) and before.kind == ChangeSet.Kind.UNDO and before.pk in rows:
        if files.get(before.pk) != files.get(one.pk):  # a part of it, which leaves the rest as it was
            return
        yield before
        one = before
