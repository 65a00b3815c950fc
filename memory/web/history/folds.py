"""An undo and its redo as one row of the history: together they left everything as it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from memory.models import ChangeSet
from memory.web.base.change_rows import Entry


def folded(entries: Sequence[Entry], sets: Sequence[ChangeSet]) -> list[Entry]:
    """The rows of these change sets, each redo with the undo that it took back, where both are among them."""
    rows = {entry.pk: entry for entry in entries}
    pairs = {one.pk: one.undoes for one in sets if one.undoes and one.undoes_id in rows and _is_redo(one)}
    hidden = {undo.pk for undo in pairs.values()}
    return [_with_undo(one, rows, pairs.get(one.pk)) for one in entries if one.pk not in hidden]


def _is_redo(one: ChangeSet) -> bool:
    """Whether a change set took back the undo of what was no undo itself. Asks nothing where `undoes__undoes` was fetched."""
    undo = one.undoes
    return undo is not None and undo.undoes is not None and undo.undoes.kind != ChangeSet.Kind.UNDO


def _with_undo(entry: Entry, rows: dict[int, Entry], undo: ChangeSet | None) -> Entry:
    if undo is None:
        return entry
    first = rows.get(undo.undoes_id or 0)
    words = _("Undone and redone: %(what)s") % {"what": first.headline} if first else entry.headline
    return replace(entry, headline=words, folds=(rows[undo.pk],))
