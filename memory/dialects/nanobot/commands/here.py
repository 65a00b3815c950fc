"""Whose entry is meant, as nanobot's own commands read it: where no chat is named, the one of its command line."""

from __future__ import annotations

from memory.dialects.nanobot import Nanobot, maintenance, scopes
from memory.dialects.nanobot.database.vault import RowsVault
from memory.domain.attributes import Whose
from memory.management.cli import scope_options
from memory.management.cli.command import CommandRefused, Invocation

CLI, DIRECT = "cli", "direct"  # the chat of somebody who talks to the bot on the command line


def meant(call: Invocation) -> Whose:
    """The same where one chat or user is meant: with no channel named, it is the bot's command line. Raises CommandRefused."""
    found = scope_options.named(call)
    if not (found.channel.strip() or found.chat_id.strip() or found.sender_id.strip()):
        return Whose(found.sort, CLI, DIRECT)
    if found.channel.strip() == CLI and not found.chat_id.strip():
        return Whose(found.sort, CLI, DIRECT, found.sender_id)
    return found


def one(whose: Whose) -> str:
    """The name of the one scope that is meant. Raises CommandRefused."""
    (found,) = scope_options.names(Nanobot.attributes, whose)
    return found


def key_of(whose: Whose, workspace: str) -> str:
    """The bot's own key of the one scope that is meant."""
    chat_id = whose.chat_id.strip()
    if whose.sort == scopes.GLOBAL:
        return scopes.global_key(workspace)
    if whose.sort == scopes.CHAT:
        return scopes.chat_key(whose.channel.strip(), chat_id)
    return scopes.user_key(whose.channel.strip(), whose.sender_id, chat_id)


def database(call: Invocation) -> RowsVault:
    """The bot's database. Raises CommandRefused for a bot that has none, and names those that have one."""
    scope_options.ability(call)
    try:
        return maintenance.database(call.bot)
    except ValueError as error:
        raise CommandRefused(str(error)) from None
