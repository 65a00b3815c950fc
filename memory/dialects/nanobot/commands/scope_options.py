"""Whose entries are meant, by nanobot's own options: --scope, --channel, --chat-id, --sender-id; and of which kind."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence

from memory.dialects.nanobot import layout, maintenance, scopes
from memory.dialects.nanobot.choice import EVERY, SCOPES, Whose
from memory.dialects.nanobot.database.vault import RowsVault
from memory.dialects.nanobot.lines import KINDS
from memory.management.cli.command import Call, Refused
from memory.models import Root

COLON = "The name of a channel has no colon. Nothing was changed."
NAMED = 5  # bots that a refusal names
CLI, DIRECT = "cli", "direct"  # the chat of somebody who talks to the bot on the command line


def options(parser: ArgumentParser, scope: str | None = EVERY, choices: Sequence[str] = SCOPES) -> None:
    """`scope`: which is meant where none is named; None: nobody asked for one."""
    said = "" if scope is None else f"; {scope} if not given"
    parser.add_argument("--scope", choices=choices, default=scope, help=f"whose entries, of a nanobot{said}")
    parser.add_argument("--channel", metavar="C", default="", help="such as telegram")
    parser.add_argument("--chat-id", metavar="ID", default="", help="of the channel")
    parser.add_argument("--sender-id", metavar="ID", default="", help="who writes there; the chat itself if not given")


def kinds(parser: ArgumentParser) -> None:
    parser.add_argument("--kind", "-k", choices=KINDS, action="append", default=[], help="may be given more than once")


def named(call: Call) -> Whose:
    """What the options say."""
    found = call.options
    return Whose(found.scope or EVERY, found.channel, found.chat_id, found.sender_id)


def here(call: Call) -> Whose:
    """The same where one chat or user is meant: with no channel named, it is the bot's command line. Raises Refused."""
    found = named(call)
    if not (found.channel.strip() or found.chat_id.strip() or found.sender_id.strip()):
        return Whose(found.scope, CLI, DIRECT)
    if found.channel.strip() == CLI and not found.chat_id.strip():
        return Whose(found.scope, CLI, DIRECT, found.sender_id)
    return found


def names(whose: Whose, *, reading: bool = False) -> tuple[str, ...]:
    """The names of the scopes that are meant; none for all of them. Raises Refused."""
    try:
        if ":" in whose.channel:  # it would read as another key
            raise ValueError(COLON)
        return whose.names()
    except ValueError as error:
        raise Refused(str(error).removesuffix(" Nothing was changed.") if reading else str(error)) from None


def one(whose: Whose) -> str:
    """The name of the one scope that is meant. Raises Refused."""
    (found,) = names(whose)
    return found


def key_of(whose: Whose, workspace: str) -> str:
    """The bot's own key of the one scope that is meant."""
    chat_id = whose.chat_id.strip()
    if whose.scope == scopes.GLOBAL:
        return scopes.global_key(workspace)
    if whose.scope == scopes.CHAT:
        return scopes.chat_key(whose.channel.strip(), chat_id)
    return scopes.user_key(whose.channel.strip(), whose.sender_id, chat_id)


def database(call: Call) -> RowsVault:
    """The bot's database. Raises Refused for a bot that has none, and names those that have one."""
    try:
        return maintenance.database(call.bot)
    except ValueError as error:
        roots = Root.objects.filter(name=layout.DATABASE, bot__removed=None).order_by("bot")
        slugs = roots.values_list("bot__slug", flat=True)[:NAMED]
        others = f"A bot that does: --bot {' or '.join(slugs)}." if slugs else ""
        raise Refused(f"{error} {others}") from None
