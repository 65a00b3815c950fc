"""Facts that were forgotten, by the bot or by people, made active again."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from memory import index, journal
from memory.bots import open_bot
from memory.curation import writing
from memory.dialects.discoclaw import curate, entries
from memory.dialects.discoclaw.durable import FORGOTTEN
from memory.dialects.discoclaw.prompt import milliseconds
from memory.domain.errors import Refusal
from memory.domain.fact_ref import FactRef
from memory.domain.outcomes import Refused
from memory.models import Bot, ChangeSet
from memory.text.markdown.entries import FactAt
from memory.text.sentences import say

NOT_THERE = say("These facts are no longer forgotten. Nothing was changed.")
GONE = say("This fact has changed since. Nothing was changed.")


def restore(bot: Bot, wanted: Iterable[FactRef], by: journal.By) -> ChangeSet | Refused | None:
    """These facts count again, as one change set; one that another says by now stays forgotten."""
    meant = set(wanted)
    done = writing.write(bot, partial(_restoring, bot, meant), by)
    return done if isinstance(done, Refused) else done.change_set


def _restoring(bot: Bot, meant: set[FactRef]) -> journal.CommitPlan[None]:
    changes, read = [], []
    for path, (data, facts) in _forgotten(bot, meant).items():
        change = curate.restored(path, data, facts, milliseconds(open_bot(bot).now()))
        if change.data != data:
            changes.append(change)
            read.append(data)
    if not changes:
        raise Refusal(curate.SAID)
    why = say("Restored %(count)s facts", count=len(meant)) if len(meant) > 1 else say("Restored a fact")
    return journal.CommitPlan(changes, None, read, why=why)


def _forgotten(bot: Bot, meant: set[FactRef]) -> dict[str, tuple[bytes, list[FactAt]]]:
    """The facts that are meant and are still forgotten, by their files. Raises Refusal where there is none."""
    memory, found = index.BotMemory(bot), {}
    for path in sorted({path for path, _, _ in meant if _is_durable(bot, path)}):
        data = memory.read(path) or b""
        facts = [one for one in entries.facts(path, data) if (path, one.key, one.nth) in meant and _is_gone(one)]
        if facts:
            found[path] = data, facts
    if not found:
        raise Refusal(NOT_THERE)
    return found


def _is_durable(bot: Bot, path: str) -> bool:
    place = open_bot(bot).dialect.describe(path)
    return place is not None and place.has_attributes


def _is_gone(fact: FactAt) -> bool:
    return fact.attributes is not None and fact.attributes.status == FORGOTTEN
