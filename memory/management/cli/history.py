"""What the history lets go of: versions that the bot's settings do not keep, and a text that must not have been kept."""

from __future__ import annotations

from typing import Any

from memory import journal
from memory.curation import purge as purging
from memory.curation.purge import PurgeMatches
from memory.journal import retention
from memory.management.cli.command import BY, CommandRefused, Invocation, Output, add, lines, plural, read_input

SETTINGS = (
    "history_days, history_versions, history_megabytes and history_undo_days in the bot's settings decide what is kept."
)


def register(commands: Any) -> None:
    words = "show which old versions would be deleted; with --yes delete them for good"
    sure = add(commands, "prune-history", prune_history, words).add_mutually_exclusive_group()
    sure.add_argument("--yes", action="store_true", help="delete them: they can’t be read or undone afterwards")
    sure.add_argument("--dry-run", action="store_true", help="only show them, as without --yes")

    words = "show where a text is kept; with --files remove it from the files, with --yes purge it for good"
    text = add(commands, "purge", purge, words, writes=True)
    text.add_argument(
        "file",
        metavar="FILE",
        help="the file that holds the text; - for standard input, which no other program can see",
    )
    act = text.add_mutually_exclusive_group()
    act.add_argument("--files", action="store_true", help="remove it from the bot's files, as an edit")
    act.add_argument("--yes", action="store_true", help="purge it everywhere; this can’t be undone")


def purge(call: Invocation) -> Output:
    text = _text(read_input(call.options.file))
    if call.options.files:
        _take_out(call, text)
    found = purging.find(call.bot, text)
    done = purging.purge(call.bot, text, BY) if call.options.yes else None
    places, left = (done.places, done.left) if done else (found.places, "")
    rows = [f"{count} {place}" for place, count in places.items()]
    rows += [f"{path} contains it." for path in found.documents]
    rows += [f"{path} contains it, and only the bot writes there." for path in found.records]
    head = "Purged for good:" if done else "It would be purged from:"
    data = {
        "places": {str(place): count for place, count in places.items()},
        "documents": list(found.documents),
        "records": list(found.records),
        "purged": done is not None,
        "left": left,
    }
    head = head if places else "It isn’t kept anywhere."
    return Output(data, lines([head, *rows, left, "" if done else _next(found)]))


def _text(data: bytes) -> str:
    try:
        return data.decode().strip()
    except UnicodeDecodeError:
        raise CommandRefused("The text to purge isn’t valid UTF-8. Nothing was changed.") from None


def _take_out(call: Invocation, text: str) -> None:
    outcome = purging.take_out(call.bot, text, BY)
    if isinstance(outcome, journal.Conflict):
        raise CommandRefused(outcome.reason)


def _next(found: PurgeMatches) -> str:
    if found.documents:
        return "Use --files to remove it from the files first."
    return "Use --yes to purge it." if found.places else ""


def prune_history(call: Invocation) -> Output:
    found = retention.due(call.bot)
    data = {
        "versions": len(found.revisions),
        "documents": found.documents,
        "oldest": found.oldest.isoformat() if found.oldest else None,
        "bytes": found.size,
        "pruned": call.options.yes,
        "freed": retention.prune(call.bot, found) if call.options.yes and found.revisions else 0,
    }
    count = f"{plural(data['versions'], 'version')} of {plural(found.documents, 'file')}"
    if call.options.yes:
        return Output(data, f"Pruned {count}, {plural(data['freed'], 'byte')}.")
    said = f"Dry run: {count} would be pruned. The history takes {plural(found.size, 'byte')}."
    return Output(data, lines([said, SETTINGS if not found.revisions else "Use --yes to delete them."]))
