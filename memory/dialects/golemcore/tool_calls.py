"""Calls of the memory tool on a bot of the desk: what they write is one change, which can be undone."""

from __future__ import annotations

from collections.abc import Mapping

from memory import index, journal
from memory.bots import open_bot
from memory.dialects.golemcore import GolemCore, layout, tool
from memory.dialects.golemcore.tool import Answer, Here
from memory.domain.errors import VaultError
from memory.domain.outcomes import Refused, refused
from memory.models import Bot, ChangeSet
from memory.text.sentences import say


def call(bot: Bot, given: Mapping[str, object], by: journal.By) -> tuple[Answer, ChangeSet | None] | Refused:
    """What the tool answers, and the change that it made."""
    try:
        wish, outcome = journal.attempt(bot, lambda: _wish(bot, given), by=by)
    except (VaultError, ValueError, journal.Busy) as error:
        return refused(error)
    if isinstance(outcome, journal.Conflict):
        return Refused(say("%(reason)s Nothing was changed.", reason=outcome.reason), outcome.passes)
    index.look_all(bot, [change.path for change in wish.changes])
    return wish.told, outcome.change_set


def _wish(bot: Bot, given: Mapping[str, object]) -> journal.Wish[Answer]:
    opened, memory = open_bot(bot), index.BotMemory(bot)
    directory = opened.dialect.memory if isinstance(opened.dialect, GolemCore) else layout.MEMORY
    answer = tool.run(Here(memory, directory, opened.now(), opened.settings), given)
    read = [memory.read(change.path) for change in answer.changes]
    why = say("Memory tool: %(answer)s", answer=answer.output.partition("\n")[0][:200])
    return journal.Wish(list(answer.changes), answer, read, why=why)
