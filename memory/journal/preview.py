"""What taking revisions back would do to the documents as they are now. Nothing is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.bots import open_bot
from memory.domain.changes import Append, Delete, Put
from memory.domain.errors import Refusal
from memory.journal import versions
from memory.journal.inverse import inverses, possible
from memory.journal.reconcile import fit_one, vault_of
from memory.journal.shapes import Clash, Conflict
from memory.models import Bot, Revision
from memory.text.sentences import join_sentences


@dataclass(frozen=True, slots=True)
class UndoPreview:
    """One document of an undo: what would be written, what is there now (None: no document), whether others' text stays."""

    change: Put | Delete
    now: bytes | None
    joined: bool


def foresee(bot: Bot, revisions: Sequence[Revision]) -> list[UndoPreview] | Conflict:
    """What an undo of these revisions would write, or what stands in its way. Raises what the vault raises."""
    vaults = open_bot(bot).vaults
    found: list[UndoPreview] = []
    try:
        changes, _left = possible(bot, inverses(bot, revisions, vaults), vaults)
    except (Refusal, versions.Forgotten) as error:
        return Conflict((), str(error))
    for change in changes:
        vault, below = vault_of(vaults, change.path)
        content = vault.read(below)
        outcome = None if isinstance(change, Append) else fit_one(bot, change, content, "merge")
        if isinstance(outcome, Clash):
            return Conflict((outcome,), join_sentences(change.path, outcome.reason, by=": "))
        if outcome is not None and not isinstance(outcome.change, Append):
            found.append(UndoPreview(outcome.change, content.data if content else None, outcome.joined))
    return found
