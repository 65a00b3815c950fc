"""The rows of a nanobot's database that were forgotten: the bot only marks them, so they are there to be brought back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from memory.dialects.nanobot import lines, scopes
from memory.dialects.nanobot.database.table import ENTRIES, Table
from memory.dialects.nanobot.database.vault import RowsVault

_SAID = ", ".join(lines.COLUMNS)
_GONE = f"FROM {ENTRIES} WHERE workspace_id = ? AND is_deleted <> 0"


@dataclass(frozen=True, slots=True)
class Gone:
    """A forgotten row. `name` is its scope's; `at` when it was forgotten, as the bot writes times; `line` how it would stand in its
    scope's document."""

    id: str
    name: str
    kind: str
    text: str
    at: str
    line: bytes


def newest(vault: RowsVault, most: int, start: int = 0) -> list[Gone]:
    """Those that were forgotten last, first. Raises RootGone and Unreadable."""
    return vault.ask(partial(_listed, more=" ORDER BY updated_at DESC, id LIMIT ? OFFSET ?", values=(most, start)))


def named(vault: RowsVault, ids: Sequence[str]) -> list[Gone]:
    """Those with these ids that are still forgotten. Raises RootGone and Unreadable."""
    more = " AND id IN (SELECT value FROM json_each(?)) ORDER BY created_at, id"
    return vault.ask(partial(_listed, more=more, values=(json.dumps(list(ids)),)))


def _listed(table: Table, more: str, values: Sequence[object]) -> list[Gone]:
    if not table.is_writable:
        return []
    found = table.db.execute(f"SELECT scope_key, {_SAID} {_GONE}{more}", [table.workspace, *values])
    return [_gone(dict(row), table.workspace) for row in found]


def _gone(row: dict[str, object], workspace: str) -> Gone:
    name = scopes.name_of(str(row.pop("scope_key")), workspace)
    return Gone(str(row["id"]), name, str(row["kind"]), str(row["content"]), str(row["updated_at"]), lines.line(row))
