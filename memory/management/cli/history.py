"""The command `prune-history`: versions that the bot's settings do not keep, shown first and let go of with --yes."""

from __future__ import annotations

from typing import Any

from memory.journal import retention
from memory.management.cli.command import Call, Told, add, lines, plural

SETTINGS = (
    "history_days, history_versions, history_megabytes and history_undo_days of the bot's settings say what is kept."
)


def register(commands: Any) -> None:
    words = "show which old versions would be let go of; with --yes let them go for good"
    sure = add(commands, "prune-history", prune_history, words).add_mutually_exclusive_group()
    sure.add_argument("--yes", action="store_true", help="let them go: they can be neither read nor undone then")
    sure.add_argument("--dry-run", action="store_true", help="only show them, as without --yes")


def prune_history(call: Call) -> Told:
    found = retention.due(call.bot)
    data = {
        "versions": len(found.revisions),
        "documents": found.documents,
        "oldest": found.oldest.isoformat() if found.oldest else None,
        "bytes": found.size,
        "pruned": call.options.yes,
        "freed": retention.prune(call.bot, found) if call.options.yes and found.revisions else 0,
    }
    count = f"{plural(data['versions'], 'version')} of {plural(found.documents, 'document')}"
    if call.options.yes:
        return Told(data, f"Pruned {count}, {plural(data['freed'], 'byte')}.")
    said = f"Dry run: {count} would be pruned. The history takes {plural(found.size, 'byte')}."
    return Told(data, lines([said, SETTINGS if not found.revisions else "With --yes they are."]))
