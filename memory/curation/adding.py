"""A fact with attributes that somebody adds by hand: a new one, or one that is said again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from memory import index, journal
from memory.bots import open_bot
from memory.curation import pruning
from memory.curation.writing import unmasked, write
from memory.domain.attributes import Addition, Draft
from memory.domain.errors import Overtaken
from memory.domain.outcomes import Refused
from memory.models import Bot, ChangeSet


@dataclass(frozen=True, slots=True)
class Added:
    """The document has it, as it was planned."""

    plan: Addition
    change_set: ChangeSet | None


def add(bot: Bot, scope: str, draft: Draft, by: journal.By) -> Added | Refused:
    """Add a fact to a scope, by its name. Where the bot was faster, look again: it may be there now."""
    done = write(bot, partial(_adding, bot, scope, draft), by, passing=(Overtaken,))
    return done if isinstance(done, Refused) else Added(done.told, done.change_set)


def _adding(bot: Bot, scope: str, draft: Draft) -> journal.Wish[Addition]:
    unmasked(draft.text)
    memory, settings = index.BotMemory(bot), open_bot(bot).settings
    plan = pruning.ability(bot).addition(memory, scope, draft, open_bot(bot).now(), settings)
    return journal.Wish(plan.changes, plan, [plan.before], why=plan.why)
