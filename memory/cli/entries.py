"""Commands about the entries of a database, named as nanobot names them: add, prune, backfill, and why an entry is recalled."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from memory import bots, journal, keeping, library
from memory.changes import Append
from memory.cli.shape import BY, Call, Refused, Told, add, lines, one_line, plural, table
from memory.curation import Done
from memory.dialects.nanobot import curate, layout
from memory.dialects.nanobot.choice import EVERY, SCOPES, Choice, Whose
from memory.dialects.nanobot.lines import KINDS
from memory.dialects.nanobot.prompt import recalled
from memory.dialects.nanobot.scopes import CHAT, chat_key, name_of
from memory.models import ChangeSet

SHOWN = 20


def register(commands: Any) -> None:
    new = add(commands, "add", add_entry, "add an entry to a bot's database", writes=True)
    new.add_argument("--text", "-t", required=True, metavar="TEXT")
    new.add_argument("--kind", "-k", required=True, choices=KINDS)
    _whose(new, scope=CHAT, channel="cli", chat_id="direct")
    new.add_argument("--importance", metavar="N", type=float, default=0.8, help="0 to 1, 0.8 if not given")
    new.add_argument("--confidence", metavar="N", type=float, default=1.0, help="0 to 1, 1 if not given")
    old = add(commands, "prune", prune, "show which entries would be forgotten; with --yes forget them", writes=True)
    old.add_argument("--older-than-days", metavar="N", type=int, help="not said again for so many days")
    old.add_argument("--kind", "-k", choices=KINDS, action="append", default=[], help="may be given more than once")
    _whose(old)
    sure = old.add_mutually_exclusive_group()
    sure.add_argument("--yes", action="store_true", help="forget them; undo brings them back")
    sure.add_argument("--dry-run", action="store_true", help="only show them, as without --yes")
    add(commands, "backfill", backfill, "take in what the files of the workspace say, a line an entry", writes=True)
    asked = add(commands, "why", why, "what a message brings back in a chat, with the parts of each score")
    asked.add_argument("query", metavar="QUERY", nargs="+")
    _whose(asked, channel="cli", chat_id="direct")


def _whose(parser: ArgumentParser, *, scope: str = EVERY, channel: str = "", chat_id: str = "") -> None:
    parser.add_argument("--scope", choices=SCOPES, default=scope, help=f"{scope} if not given")
    parser.add_argument("--channel", metavar="C", default=channel, help=f"{channel or 'none'} if not given")
    parser.add_argument("--chat-id", metavar="ID", default=chat_id)
    parser.add_argument("--sender-id", metavar="ID", default="")


def add_entry(call: Call) -> Told:
    options, bot = call.options, call.bot
    _has_database(call)
    if not (0 <= options.importance <= 1 and 0 <= options.confidence <= 1):
        raise Refused("Importance and confidence go from 0 to 1. Nothing was changed.")
    names = _names(call)
    if len(names) != 1:
        raise Refused("Name one scope to add to: chat, user or global. Nothing was changed.")
    path, about = layout.entries_path(names[0]), curate.by_hand(options.kind, options.importance, options.confidence)
    try:
        line = curate.entry(names[0], options.text, bots.now(bot), about)
    except ValueError as error:
        raise Refused(str(error)) from None
    outcome = journal.commit(bot, [Append(path, line)], by=BY, kind=ChangeSet.Kind.EDIT, why="Added an entry")
    if isinstance(outcome, journal.Conflict):
        raise Refused(outcome.reason)
    library.look(bot, path)
    made = outcome.change_set.pk if outcome.change_set else None
    return Told({"change_set": made, "path": path, "kind": options.kind}, f"Added to {path}, change {made}.")


def prune(call: Call) -> Told:
    options, bot = call.options, call.bot
    _has_database(call)
    try:
        found = keeping.chosen(bot, Choice(_names(call), tuple(options.kind), options.older_than_days))
    except ValueError as error:
        raise Refused(str(error)) from None
    some = [(path, entry) for path, of_path in found.items() for entry in of_path]
    rows = [(entry.kind, path, entry.updated[:10], one_line(entry.text, 60)) for path, entry in some[:SHOWN]]
    data: dict[str, Any] = {"entries": len(some), "change_set": None}
    if not options.yes:
        words = f"Dry run: {plural(len(some), 'entry').replace('entrys', 'entries')} would be forgotten."
        return Told(data, lines([table(rows), words, "With --yes they are." if some else ""]))
    if not some:
        return Told(data, "No entry is meant by this.")
    outcome = keeping.prune(bot, found, BY)
    if not isinstance(outcome, Done):
        raise Refused(outcome.reason)
    data["change_set"] = outcome.change_set.pk if outcome.change_set else None
    return Told(data, f"Forgot {len(some)}, change {data['change_set']}.")


def backfill(call: Call) -> Told:
    _has_database(call)
    outcome = keeping.take_in(call.bot, BY)
    if not isinstance(outcome, keeping.Added):
        raise Refused(outcome.reason)
    made = outcome.change_set.pk if outcome.change_set else None
    return Told({"imported": outcome.count, "change_set": made}, f"Took in {plural(outcome.count, 'line')}.")


def why(call: Call) -> Told:
    options, bot = call.options, call.bot
    _has_database(call)
    chat = name_of(chat_key(options.channel, options.chat_id), "")
    memory = library.BotMemory(bot)
    found = recalled(memory, chat, " ".join(options.query), bots.now(bot), bots.settings(bot), options.sender_id)
    hits = [
        {
            **{"path": hit.entry.path, "line": hit.entry.fact.line, "text": hit.entry.text, "kind": hit.entry.kind},
            **{"score": round(hit.score, 4), "fit": round(hit.fit, 4), "importance": hit.entry.importance},
            **{"recency": round(hit.recency, 4), "layer": hit.layer, "words": list(hit.found)},
        }
        for hit in found.hits
    ]
    left = [{"path": entry.path, "text": entry.text, "why": reason} for entry, reason in found.left_out]
    rows = [
        (
            *(f"{part:.2f}" for part in (hit.score, hit.fit, hit.entry.importance, hit.recency)),
            *(hit.entry.kind, hit.layer, one_line(hit.entry.text, 60)),
        )
        for hit in found.hits
    ]
    heads = ("SCORE", "FIT", "IMPORTANCE", "RECENCY", "KIND", "LAYER", "ENTRY")
    return Told({"hits": hits, "left_out": left}, table(rows, heads) if rows else "Nothing is recalled.")


def _names(call: Call) -> tuple[str, ...]:
    options = call.options
    try:
        return Whose(options.scope, options.channel, options.chat_id, options.sender_id).names()
    except ValueError as error:
        raise Refused(str(error)) from None


def _has_database(call: Call) -> None:
    if layout.DATABASE not in call.bot.directories:
        raise Refused(keeping.NO_DATABASE)
