"""A run is queued."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from memory import jobs, journal
from memory.compaction import runner
from memory.models import Bot, Job

LONGEST_NAME = 200


def start(bot: Bot, scopes: Iterable[str], by: journal.By, **options: Any) -> Job:
    """Queue the consolidation of these scopes ("": the bot's own logs), with options as for `compaction.plan`. One that waits or
    runs for the same scopes is returned instead. Raises BadOption."""
    wanted = runner.queued_scopes(bot, scopes, **options)
    chosen = runner.CHOICES  # of a plan line by line, which this is none
    given = {name: value for name, value in options.items() if value is not None and name not in chosen}
    params = {"scopes": list(wanted), **given}
    return jobs.queue(bot, Job.Kind.CONSOLIDATION, params, by, name=_name(wanted))


def _name(scopes: Iterable[str]) -> str:
    name = "/".join(sorted(scopes))  # no scope has a slash
    if len(name) > LONGEST_NAME:
        return "of many: " + hashlib.sha256(name.encode()).hexdigest()
    return "of " + name
