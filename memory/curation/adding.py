"""A fact with attributes that somebody adds by hand: a new one, or one that is said again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from memory import index, journal
from memory.bots import open_bot
from memory.curation import pruning
from memory.domain.attributes import Addition, Draft
from memory.domain.errors import Overtaken, VaultError
from memory.domain.outcomes import Refused, refused
from memory.models import Bot, ChangeSet
from memory.text.sentences import say


@dataclass(frozen=True, slots=True)
class Added:
    """The document has it, as it was planned."""

    plan: Addition
    change_set: ChangeSet | None


def add(bot: Bot, scope: str, draft: Draft, by: journal.By) -> Added | Refused:
    """Add a fact to a scope, by its name. Where the bot was faster, look again: it may be there now."""
    try:
        wish, outcome = journal.attempt(bot, partial(_adding, bot, scope, draft), by=by, passing=(Overtaken,))
    except (VaultError, ValueError, journal.Busy) as error:
        return refused(error)
    if isinstance(outcome, journal.Conflict):
        return Refused(say("%(reason)s Nothing was changed.", reason=outcome.reason), outcome.passes)
    index.look_all(bot, [change.path for change in wish.changes])
    return Added(wish.told, outcome.change_set)


def _adding(bot: Bot, scope: str, draft: Draft) -> journal.Wish[Addition]:
    plan = _plan(bot, scope, draft)
    return journal.Wish(plan.changes, plan, [plan.before], why=plan.why)


def _plan(bot: Bot, scope: str, draft: Draft) -> Addition:
    memory, settings = index.BotMemory(bot), open_bot(bot).settings
    return pruning.ability(bot).addition(memory, scope, draft, open_bot(bot).now(), settings)
