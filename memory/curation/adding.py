"""A fact with attributes that somebody adds by hand: a new one, or one that is said again."""

from __future__ import annotations

from dataclasses import dataclass

from memory import bots, index, journal
from memory.curation import pruning
from memory.domain.attributes import Addition, Draft
from memory.domain.outcomes import Refused
from memory.journal import versions
from memory.models import Bot, ChangeSet
from memory.storage import Overtaken, VaultError
from memory.text.sentences import say

TRIES = 3


@dataclass(frozen=True, slots=True)
class Added:
    """The document has it, as it was planned."""

    plan: Addition
    change_set: ChangeSet | None


def add(bot: Bot, scope: str, draft: Draft, by: journal.By) -> Added | Refused:
    """Add a fact to a scope, by its name. Where the bot was faster, look again: it may be there now."""
    reason = ""
    for attempt in range(TRIES):
        try:
            plan = _plan(bot, scope, draft)
            if attempt and plan.before is not None:
                versions.remember(bot, plan.before)
            outcome = journal.commit(bot, plan.changes, by=by, kind=ChangeSet.Kind.EDIT, why=plan.why)
        except Overtaken as error:
            reason = str(error)
        except (VaultError, ValueError, journal.Busy) as error:
            return Refused(str(error))
        else:
            if isinstance(outcome, journal.Applied):
                index.look_all(bot, [change.path for change in plan.changes])
                return Added(plan, outcome.change_set)
            reason = say("%(reason)s Nothing was changed.", reason=outcome.reason)
    return Refused(reason)


def _plan(bot: Bot, scope: str, draft: Draft) -> Addition:
    memory, settings = index.BotMemory(bot), bots.settings(bot)
    return pruning.ability(bot).addition(memory, scope, draft, bots.now(bot), settings)
