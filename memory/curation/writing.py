"""Acts that write what they plan: tried again where a file changed meanwhile, and looked at afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from memory import index, journal
from memory.curation.joined import Joined, combine, find_joined
from memory.domain.changes import Put
from memory.domain.errors import Refusal, VaultError
from memory.domain.outcomes import Refused, refusal_of
from memory.models import Bot, ChangeSet
from memory.text.secrets import holds_more_masks
from memory.text.sentences import say

T = TypeVar("T")
LOOKED_AT = 50  # documents whose rows are brought in step at once; more are left to the walk
MASKED = say(
    "This text holds dots that stand for a hidden secret, not the secret. Nothing was saved. Show the secret, then copy it."
)


@dataclass(frozen=True, slots=True)
class Written(Generic[T]):
    """It stands in the files: what was `told` of the plan, and its change, None where nothing was to change. `joined`: what others
    had added meanwhile."""

    told: T
    change_set: ChangeSet | None
    joined: Joined | None = None


def write(bot: Bot, make: Callable[[], journal.CommitPlan[T]], by: journal.By, **more: Any) -> Written[T] | Refused:
    """Write what `make` plans, as one change; what stands in the way is a value. `more` is what `journal.attempt` is told."""
    try:
        plan, outcome = journal.attempt(bot, make, by=by, **more)
    except (Refusal, ValueError, VaultError, journal.Busy) as error:
        return refusal_of(error)
    if isinstance(outcome, journal.Conflict):
        return Refused(say("%(reason)s Nothing was changed.", reason=outcome.reason), outcome.passes)
    index.look_all(bot, [change.path for change in plan.changes[:LOOKED_AT]])
    joined = [find_joined(bot, outcome, change) for change in plan.changes if isinstance(change, Put)]
    return Written(plan.told, outcome.change_set, combine(joined))


def mask_problem(new: str, old: str = "") -> str:
    """Why a text is not written that somebody typed or copied: it would put a mask in a secret's place. "" if it would not."""
    return MASKED if holds_more_masks(new, old) else ""


def check_unmasked(new: str, old: str = "") -> str:
    """The new text, if it may be written. Raises Refusal."""
    if why := mask_problem(new, old):
        raise Refusal(why)
    return new
