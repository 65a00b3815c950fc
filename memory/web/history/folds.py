"""What was undone and redone, any number of times, as one row of the history: it left everything as it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from memory.journal.undone import redoes, root_of
from memory.models import ChangeSet
from memory.web.base.change_rows import Entry


def folded(entries: Sequence[Entry], sets: Sequence[ChangeSet]) -> list[Entry]:
    """The rows of these change sets, newest first, each undo and redo with those before it that came to nothing."""
    rows, ones = {entry.pk: entry for entry in entries}, {one.pk: one for one in sets}
    below: dict[int, list[Entry]] = {}
    tops = dict[int, int]()  # the newest row about a change, by the change
    hidden = set[int]()
    for entry in entries:
        one = ones[entry.pk]
        if one.kind != ChangeSet.Kind.UNDO or entry.pk in hidden:
            continue
        steps = list(_taken_back(one, rows, ones))
        hidden |= {step.pk for step in steps}
        below[entry.pk] = steps
        about = root_of(one)[0].pk
        if about in tops and steps and not redoes(one):  # undone, redone, and then undone anew
            below[tops[about]] += [entry, *steps]
            hidden.add(entry.pk)
        else:
            tops[about] = entry.pk
    return [_with_steps(one, below.get(one.pk, []), rows, ones) for one in entries if one.pk not in hidden]


def _taken_back(one: ChangeSet, rows: Mapping[int, Entry], ones: Mapping[int, ChangeSet]) -> Iterator[Entry]:
    """The undo that a change set took back whole, the one that this took back, and so on, as far as they are rows here."""
    while (before := ones.get(one.undoes_id or 0)) and before.kind == ChangeSet.Kind.UNDO:
        if rows[before.pk].files != rows[one.pk].files:  # a part of it, which leaves the rest as it was
            return
        yield rows[before.pk]
        one = before


def _with_steps(
    entry: Entry, steps: Sequence[Entry], rows: Mapping[int, Entry], ones: Mapping[int, ChangeSet]
) -> Entry:
    if not steps:
        return entry
    first = rows.get(root_of(ones[entry.pk])[0].pk)
    words = (
        _("Undone and redone: %(what)s") % {"what": first.headline} if first and not entry.redoes else entry.headline
    )
    return replace(entry, headline=words, folds=tuple(steps))
