"""Commit: changes meet the documents as they are, and are written together or not at all."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from memory.bots import open_bot
from memory.domain.changes import By, Change
from memory.journal.execute import carry_out
from memory.journal.lineage import Link
from memory.journal.lock import locked
from memory.journal.no_writes import check_may_write
from memory.journal.reconcile import fit, gate_refusal, normal
from memory.journal.recover import look_after
from memory.journal.shapes import Applied, Beside, Conflict, Gate, OnMove, Staged, untold
from memory.models import Bot, ChangeSet, Job


def commit(
    bot: Bot,
    changes: Sequence[Change],
    *,
    by: By,
    kind: ChangeSet.Kind | str,
    why: str = "",
    note: str = "",
    moved: OnMove = "merge",
    gate: Gate | None = None,
    details: dict[str, Any] | None = None,
    undoes: ChangeSet | None = None,
    job: Job | None = None,
    beside: Beside | None = None,
    links: Sequence[Link] = (),
    staged: Staged = untold,
    looking: Staged = untold,
) -> Applied | Conflict:
    """Write changes of one bot together, or none of them.

    `note` is what History says besides. `gate` looks at the outcome, merges included, and may refuse. `beside` is called with the
    change set in the transaction of its intents, and what it raises ends all with nothing changed. `links` say what becomes of
    facts, as far as the documents alone would not tell. `looking` hears of how many kilobytes the facts are read, `staged` how
    much of what is to be written is on disk; both may raise Withdrawn. Raises that, Busy, WriteFailed and Unreadable, each with
    nothing changed.
    """
    wanted = normal(changes, answered=kind == ChangeSet.Kind.ANSWER)
    if not wanted:
        return Applied(None)
    check_may_write()
    with locked(bot):
        vaults = open_bot(bot).vaults
        look_after(bot, vaults)
        fitted, clashes = fit(bot, vaults, wanted, moved)
        if clashes:
            return Conflict(tuple(clashes), clashes[0].reason, passes=True)
        if reason := gate_refusal(gate, fitted, vaults):
            return Conflict((), reason, passes=True)
        if not fitted:
            return Applied(None)
        change_set = ChangeSet(
            bot=bot,
            token=secrets.token_hex(6),
            kind=kind,
            by=by.name,
            user=by.user,
            why=why,
            note=note,
            details=details or {},
            undoes=undoes,
            job=job,
        )
        return carry_out(change_set, fitted, vaults, moved, gate, beside, links, staged, looking)
