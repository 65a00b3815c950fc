"""Entries that were forgotten, brought back into a nanobot's database."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from memory import journal
from memory.curation.writing import write
from memory.dialects.nanobot import layout, lines, maintenance
from memory.dialects.nanobot.database import forgotten
from memory.dialects.nanobot.database.forgotten import Gone
from memory.domain.changes import Put, digest
from memory.domain.errors import Refusal
from memory.domain.outcomes import Refused
from memory.models import Bot, ChangeSet
from memory.text.sentences import say

NOT_THERE = say("These entries are no longer forgotten. Nothing was changed.")
SAID_AGAIN = say("An entry already says the same. Nothing was changed.")


def bring_back(bot: Bot, ids: Sequence[str], by: journal.By) -> ChangeSet | Refused | None:
    """The entries with these ids count again, as one change set; one that another says by now stays forgotten."""
    done = write(bot, partial(_restoring, bot, ids), by)
    return done if isinstance(done, Refused) else done.change_set


def _restoring(bot: Bot, ids: Sequence[str]) -> journal.CommitPlan[None]:
    """Raises Refusal where none of them comes back."""
    found = forgotten.named(maintenance.database(bot), ids)
    if not (changes := _changes(bot, found)):
        raise Refusal(SAID_AGAIN if found else NOT_THERE)
    why = say("Restored %(count)s entries", count=len(found)) if len(found) > 1 else say("Restored an entry")
    return journal.CommitPlan(changes, None, why=why)


def _changes(bot: Bot, found: Sequence[Gone]) -> list[Put]:
    vault = maintenance.database(bot)
    by_name: dict[str, list[Gone]] = {}
    for one in found:
        by_name.setdefault(one.name, []).append(one)
    changes = []
    for name, some in by_name.items():
        path = layout.entries_path(name)
        content = vault.read(path.partition("/")[2])
        before = content.data if content else b""
        live = {_says(line) for line in lines.split(before)}
        if added := b"".join(one.line for one in some if _says(one.line) not in live):
            data = vault.as_stored(path.partition("/")[2], before + added)
            changes.append(Put(path, data, digest(before) if content else None))
    return changes


def _says(line: bytes) -> tuple[object, str]:
    row = lines.loose(line)
    return row.get("kind"), lines.normal(str(row.get("content")))
