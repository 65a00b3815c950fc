"""Look, plan, commit, and look again: for changes made from files to which others write all the while."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from memory.bots import reopen
from memory.domain.changes import By, Change
from memory.domain.errors import VaultError
from memory.journal import versions
from memory.journal.commit import commit
from memory.journal.lineage import Link
from memory.journal.shapes import Applied, Conflict, Gate
from memory.models import Bot, ChangeSet
from memory.text.sentences import join_sentences, say

TRIES = 5
AGAIN = say("Others keep writing there. Try again in a moment.")

T = TypeVar("T")
Write = Callable[["CommitPlan[T]"], Applied | Conflict]


@dataclass(frozen=True, slots=True)
class CommitPlan(Generic[T]):
    """What is to be written, and `told`, what the act has to say of it. `made_from`: documents as they were read (None: none),
    which nobody but the act may have seen so; a merge needs them. The rest as in `commit`."""

    changes: Sequence[Change]
    told: T
    made_from: Sequence[bytes | None] = ()
    kind: ChangeSet.Kind = ChangeSet.Kind.EDIT
    why: str = ""
    note: str = ""
    gate: Gate | None = None
    details: dict[str, Any] = field(default_factory=dict)
    links: Sequence[Link] = ()


def attempt(
    bot: Bot,
    make: Callable[[], CommitPlan[T]],
    *,
    by: By,
    write: Write[T] | None = None,
    passing: tuple[type[VaultError], ...] = (),
    **more: Any,
) -> tuple[CommitPlan[T], Applied | Conflict]:
    """Commit what `make` plans; where somebody else was faster, it looks again and plans anew, a few times. A plan of the
    very same is not tried again. `write` commits instead of the journal, `more` is what the journal is told besides, `passing`
    are errors after which it looks again too. Raises what `make` and `commit` raise."""
    before: CommitPlan[T] | None = None
    ended: Conflict | VaultError | None = None
    for _ in range(TRIES):
        reopen(bot)
        plan = make()
        if before is not None:
            if plan.changes == before.changes:
                return plan, _last_conflict(ended, again=False)
            versions.remember_all(bot, [data for data in plan.made_from if data is not None])
        try:
            outcome = write(plan) if write else commit_plan(bot, plan, by=by, **more)
        except passing as error:
            before, ended = plan, error
            continue
        if isinstance(outcome, Applied) or not outcome.passes:
            return plan, outcome
        before, ended = plan, outcome
    return plan, _last_conflict(ended, again=True)


def commit_plan(bot: Bot, plan: CommitPlan[Any], *, by: By, **more: Any) -> Applied | Conflict:
    """Commit what a plan says, and what is said besides."""
    told = {name: getattr(plan, name) for name in ("kind", "why", "note", "gate", "details", "links")}
    return commit(bot, plan.changes, by=by, **{**told, **more})


def _last_conflict(ended: Conflict | VaultError | None, *, again: bool) -> Conflict:
    """What the last try ended with. Raises the error that it did."""
    if isinstance(ended, VaultError):
        raise ended
    assert ended is not None  # noqa: S101 - a try came before
    return replace(ended, reason=join_sentences(ended.reason, AGAIN)) if again else replace(ended, passes=False)
