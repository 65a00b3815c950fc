"""Commands about single entries of a database, as nanobot has them: add one; why a message recalls which."""

from __future__ import annotations

from typing import Any

from memory import index
from memory.bots import open_bot
from memory.curation import adding
from memory.dialects.nanobot import scopes
from memory.dialects.nanobot.commands import here
from memory.dialects.nanobot.lines import KINDS
from memory.dialects.nanobot.picking import UNSAFE, is_unsafe
from memory.dialects.nanobot.prompt import recalled
from memory.domain.attributes import Draft, Whose
from memory.domain.outcomes import Refused
from memory.management.cli import scope_options
from memory.management.cli.command import BY, CommandRefused, Invocation, Output, add, lines, one_line, plain, table

NO_TEXT = "There is no text to add. Nothing was changed."
WEIGHTS = "Importance and confidence go from 0 to 1. Nothing was changed."
ANYWAY = "Nothing was changed; Use --anyway to add it all the same."


def register(commands: Any) -> None:
    new = add(commands, "add", add_entry, "add an entry to a nanobot's database", writes=True)
    new.add_argument("--text", "-t", required=True, metavar="TEXT")
    new.add_argument("--kind", "-k", required=True, choices=KINDS)
    scope_options.options(new, scopes.CHAT, (scopes.CHAT, scopes.USER, scopes.GLOBAL))
    new.add_argument("--importance", metavar="N", type=float, default=0.8, help="0 to 1; 0.8 by default")
    new.add_argument("--confidence", metavar="N", type=float, default=1.0, help="0 to 1; 1 by default")
    new.add_argument("--anyway", action="store_true", help="add it even if it could mislead a model")
    asked = add(commands, "why", why, "show what a message recalls in a nanobot's chat, with the parts of each score")
    asked.add_argument("query", metavar="QUERY", nargs="+")
    scope_options.options(asked)


def add_entry(call: Invocation) -> Output:
    options, meant = call.options, here.meant(call)
    vault = here.database(call)
    if not options.text.strip():
        raise CommandRefused(NO_TEXT)
    if not (0 <= options.importance <= 1 and 0 <= options.confidence <= 1):
        raise CommandRefused(WEIGHTS)
    if is_unsafe(options.text) and not options.anyway:
        raise CommandRefused(f"{UNSAFE} {ANYWAY}")
    scope = here.one(meant)
    one = Draft(options.kind, options.text, options.importance, options.confidence, _noted(meant))
    outcome = adding.add(call.bot, scope, one, BY)
    if isinstance(outcome, Refused):
        raise CommandRefused(outcome.reason)
    plan = outcome.told
    data = {
        "change_set": outcome.change_set.pk if outcome.change_set else None,
        "path": plan.path,
        "kind": options.kind,
        "id": plan.id,
        "inserted": plan.is_new,
        "scope": f"{options.scope}:{here.key_of(meant, vault.workspace)}",
        "mirror": plan.mirror or None,
    }
    return Output(data, _added(data))


def why(call: Invocation) -> Output:
    options, bot, meant = call.options, call.bot, here.meant(call)
    here.database(call)
    if not meant.chat_id.strip():
        raise CommandRefused("Say in which chat: --channel and --chat-id.")
    chat = scopes.name_of(scopes.chat_key(meant.channel.strip(), meant.chat_id.strip()), "")
    memory = index.BotMemory(bot)
    found = recalled(
        memory, chat, " ".join(options.query), open_bot(bot).now(), open_bot(bot).settings, meant.sender_id
    )
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
    return Output({"hits": hits, "left_out": left}, table(rows, heads) if rows else plain(_nothing(meant)))


def _nothing(meant: Whose) -> str:
    """Where nothing was found, since with no chat named it is the one of the bot's command line."""
    chat = meant.chat_id.strip()
    where = f"channel {meant.channel.strip()}, chat {chat}, sender {meant.sender_id.strip() or chat}"
    return f"Nothing is recalled in {where}. --channel, --chat-id and --sender-id say where else."


def _noted(meant: Whose) -> dict[str, str | None]:
    """What the bot notes beside an entry of a chat or user; nothing beside one of the whole workspace."""
    if meant.sort == scopes.GLOBAL:
        return {}
    said = {"channel": meant.channel, "chat_id": meant.chat_id, "sender_id": meant.sender_id}
    return {name: value.strip() or None for name, value in said.items()}


def _added(data: dict[str, Any]) -> str:
    deed = "Inserted" if data["inserted"] else "Merged"
    mirror = f"mirror={data['mirror']}" if data["mirror"] else ""
    return plain(lines([f"{deed} memory entry: {data['id']}", f"scope={data['scope']}", mirror]))
