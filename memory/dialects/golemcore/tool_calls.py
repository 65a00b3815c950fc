"""Calls of the memory tool on a bot of the desk: what they write is one change, which can be undone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from memory import index, journal
from memory.bots import open_bot
from memory.curation import writing
from memory.dialects.golemcore import tool
from memory.dialects.golemcore.directory import directory
from memory.dialects.golemcore.tool import Here, ToolResult
from memory.domain.outcomes import Refused
from memory.models import Bot, ChangeSet
from memory.text.sentences import say


def call(bot: Bot, given: Mapping[str, object], by: journal.By) -> tuple[ToolResult, ChangeSet | None] | Refused:
    """What the tool answers, and the change that it made."""
    done = writing.write(bot, partial(_plan, bot, given), by)
    return done if isinstance(done, Refused) else (done.told, done.change_set)


def _plan(bot: Bot, given: Mapping[str, object]) -> journal.CommitPlan[ToolResult]:
    opened, memory = open_bot(bot), index.BotMemory(bot)
    answer = tool.run(Here(memory, directory(bot), opened.now(), opened.settings), given)
    read = [memory.read(change.path) for change in answer.changes]
    why = say("Memory tool: %(answer)s", answer=answer.output.partition("\n")[0][:200])
    return journal.CommitPlan(list(answer.changes), answer, read, why=why)
