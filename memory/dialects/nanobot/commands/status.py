"""What `status`, `search` and `reindex` say of a nanobot beside what they say of every bot."""

from __future__ import annotations

from argparse import ArgumentParser
from functools import partial
from typing import Any

from memory.bots import open_bot
from memory.dialects.nanobot import home, layout, maintenance, recall, recalling
from memory.dialects.nanobot.commands import here
from memory.dialects.nanobot.database.searched import Among, Match, in_database
from memory.dialects.nanobot.database.whole import Holding
from memory.dialects.nanobot.recall import Layer, RecalledEntry, Room
from memory.dialects.nanobot.words import bots
from memory.domain.attributes import EVERY
from memory.domain.errors import VaultError
from memory.domain.places import Kind
from memory.management.cli import scope_options
from memory.management.cli.command import BY, CommandRefused, Invocation, Output, lines, plain, plural, table
from memory.management.cli.search import words
from memory.models import Bot, Document
from memory.text.attributes import instant

FEW, MOST = 8, 100  # hits, as the bot's own command has them
CUT = 120  # characters of an entry
ANY_LENGTH = 1 << 40  # of all of them together
NO_HITS = "No memory hits."
NEWER = "This database is from a newer nanobot. Kenoweb reads it but doesn’t write to it."


def is_one(bot: Bot) -> bool:
    return bot.dialect == layout.NAME


def status(bot: Bot) -> tuple[dict[str, Any], str, str]:
    """What nanobot's own `memory status` says, the same for people, and what keeps it from saying all ("" for nothing)."""
    data, stopped = _status(bot)
    return data, _status_text(data), stopped


def _status(bot: Bot) -> tuple[dict[str, Any], str]:
    settings = open_bot(bot).settings
    states = Document.objects.filter(bot=bot, kind=Kind.TRANSCRIPT).count()
    file = bot.directories.get(layout.DATABASE, "")
    data: dict[str, Any] = {
        "enabled": settings.enabled,
        "backend": home.backend(open_bot(bot).memory_path),
        "wal_enabled": settings.notes_sessions,
        "db_path": file or None,
        "state_dir": settings.state_dir,
        **dict.fromkeys(("total_active", "total_deleted"), None),
        "wal_files": states,
        **dict.fromkeys(("backfill_marker", "by_kind", "by_scope", "elsewhere", "writable"), None),
    }
    try:
        return data | _held(maintenance.holding(bot)), ""
    except (VaultError, ValueError) as error:
        return data, str(error)


def _held(found: Holding) -> dict[str, Any]:
    return {
        "total_active": found.active,
        "total_deleted": found.deleted,
        "backfill_marker": found.marker or None,
        "by_kind": found.kinds,
        "by_scope": found.scopes,
        "elsewhere": found.elsewhere,
        "writable": found.is_writable,
    }


def _status_text(data: dict[str, Any]) -> str:
    """What the command says, for people."""
    said = {name: value for name, value in data.items() if not isinstance(value, dict)}
    other, writable = said.pop("elsewhere"), said.pop("writable")
    rows = [f"{name}: {_word(value)}" for name, value in said.items() if value is not None or name == "backfill_marker"]
    parts = [["Memory Status", *rows]]
    for name, head in (("by_kind", "By Kind"), ("by_scope", "By Scope")):
        parts.append([head, table(list(data[name].items()))] if data[name] else [])
    parts.append([f"{plural(other, 'entry', 'entries')} of other workspaces in the same database"] if other else [])
    parts.append([NEWER] if writable is False else [])
    return "\n\n".join(lines(part) for part in parts if part)


def is_asked(options: Any) -> bool:
    """Whether a search names whose or which entries, and so is the bot's own."""
    named = options.scope, options.channel, options.chat_id, options.sender_id, options.kind
    return any(named)


def search_options(parser: ArgumentParser) -> None:
    """Whose and which entries a search may name."""
    scope_options.options(parser, None)
    scope_options.kinds(parser)


def search(call: Invocation) -> Output | None:
    """A search that names whose or which entries is the bot's own; None for any other. Raises CommandRefused."""
    if is_one(call.bot) and (call.options.limit or FEW) > MOST:
        raise CommandRefused(f"--limit is 1 to {MOST} for a nanobot.")
    return find(call) if is_asked(call.options) else None


def find(call: Invocation) -> Output:
    """The entries of the named scopes that a query means, all looked through at once and ranked as the bot ranks them."""
    options, bot = call.options, call.bot
    limit = options.limit or FEW
    if options.chat or options.tier:
        raise CommandRefused(
            "--chat and --tier can’t be combined with --scope, --channel, --chat-id, --sender-id and --kind."
        )
    among = Among(_names(call), options.kind, limit)
    found = recall.recall(*_searched(call, among), open_bot(bot).now(), Room(limit, ANY_LENGTH))
    now = instant(open_bot(bot).now())
    hits = [_hit(hit, now) for hit in found.hits]
    rows = [
        (f"{hit.score:.2f}", hit.entry.kind, hit.entry.about.whose, hit.entry.updated[:19], _cut(hit.entry.text))
        for hit in found.hits
    ]
    data = {"hits": hits, "found": len(hits) + len(found.left_out), "more": False, "nowhere": [], "notes": []}
    return Output(data, table(rows, ("SCORE", "KIND", "SCOPE", "UPDATED", "CONTENT")) if rows else NO_HITS)


def reindex(bot: Bot) -> tuple[dict[str, Any], str, str]:
    """(numbers, for people, what stopped it) of the bot's own search index, filled anew."""
    try:
        done = maintenance.refill(bot, BY)
    except (VaultError, ValueError) as error:
        return (
            {"entries": None, "mended": None, "was_damaged": None},
            "",
            f"The bot's own search index was left. {error}",
        )
    said = f"The bot's search index holds {plural(done.entries, 'entry', 'entries')}; {done.mended or 'none'} had to be repaired."
    damaged = "It was damaged and has been rebuilt." if done.was_damaged else ""
    numbers = {"entries": done.entries, "mended": done.mended, "was_damaged": done.was_damaged}
    return numbers, lines([said, damaged]), ""


def _searched(call: Invocation, among: Among) -> tuple[list[Layer], list[list[Match]]]:
    """The entries that are meant, as one layer, and what the bot's own search finds of them."""
    of_document = maintenance.every(call.bot, among.scopes or ())
    some = [entry for _, every in of_document for entry in every if not among.kinds or entry.kind in among.kinds]
    layer = Layer(call.options.scope or EVERY, "", among.kinds, among.limit, some)
    asked = bots(words(call))
    found = here.database(call).ask(partial(in_database, asked=asked, some=[among]))
    return [layer], found if found is not None else recalling.in_layers([layer], asked)


def _names(call: Invocation) -> tuple[str, ...] | None:
    """The scopes that are named, None for all: `all` of a chat are its own, its user's and that of the whole workspace. Raises
    CommandRefused for half of a name, and for a scope of nobody in particular."""
    return scope_options.names(scope_options.ability(call), scope_options.named(call), reading=True) or None


def _hit(hit: RecalledEntry, now: str) -> dict[str, Any]:
    entry, place = hit.entry, layout.describe(hit.entry.path)
    tier, scope = (place.tier.value, place.scope) if place else ("", "")
    return {
        **{"path": entry.path, "line": entry.fact.line, "end_line": entry.fact.end_line, "time": None},
        **{"text": entry.text, "tier": tier, "scope": scope, "day": None, "heading": entry.kind},
        **{"score": round(hit.score, 4), "why": {"words": list(hit.found), "said": f"says {', '.join(hit.found)}"}},
        **{"kind": entry.kind, "scope_type": entry.about.whose, "updated": entry.updated, "fit": round(hit.fit, 4)},
        **{"importance": entry.importance, "recency": round(hit.recency, 4), "expired": entry.about.is_expired(now)},
    }


def _cut(text: str) -> str:
    return text if len(text) <= CUT else text[: CUT - 3] + "..."


def _word(value: object) -> str:
    if value is None:
        return "(not set)"
    return str(value).lower() if isinstance(value, bool) else plain(str(value))
