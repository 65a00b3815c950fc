"""A fact with attributes that somebody adds by hand: a new one, or one that is said again."""

from __future__ import annotations

from functools import partial

from memory import index, journal
from memory.bots import open_bot
from memory.curation import pruning
from memory.curation.writing import Written, check_unmasked, write
from memory.domain.attributes import Addition, Draft
from memory.domain.errors import Overtaken
from memory.domain.outcomes import Refused
from memory.models import Bot


def add(bot: Bot, scope: str, draft: Draft, by: journal.By) -> Written[Addition] | Refused:
    """Add a fact to a scope, by its name. Where the bot was faster, look again: it may be there now."""
    return write(bot, partial(_adding, bot, scope, draft), by, passing=(Overtaken,))


def _adding(bot: Bot, scope: str, draft: Draft) -> journal.CommitPlan[Addition]:
    check_unmasked(draft.text)
    memory, settings = index.BotMemory(bot), open_bot(bot).settings
    plan = pruning.ability(bot).addition(memory, scope, draft, open_bot(bot).now(), settings)
    return journal.CommitPlan(plan.changes, plan, [plan.before], why=plan.why)
