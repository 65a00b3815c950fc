"""Whose facts are meant, and of which kind, where facts have attributes: --scope, --channel, --chat-id, --sender-id, --kind."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence

from memory.bots import families, open_bot
from memory.curation import pruning
from memory.domain.attributes import EVERY, AttributesAbility, Whose
from memory.management.cli.command import CommandRefused, Invocation
from memory.models import Bot

COLON = "The name of a channel has no colon. Nothing was changed."
NAMED = 5  # bots that a refusal names


def options(parser: ArgumentParser, scope: str | None = EVERY, choices: Sequence[str] = ()) -> None:
    """`scope`: which is meant where none is named; None: nobody asked for one. `choices`: all that any family knows if none."""
    said = "" if scope is None else f"; {scope} if not given"
    known = choices or (EVERY, *_words("sorts"))
    parser.add_argument("--scope", choices=known, default=scope, help=f"whose entries{said}")
    parser.add_argument("--channel", metavar="C", default="", help="such as telegram")
    parser.add_argument("--chat-id", metavar="ID", default="", help="of the channel")
    parser.add_argument("--sender-id", metavar="ID", default="", help="who is writing; the chat itself by default")


def kinds(parser: ArgumentParser) -> None:
    help = "may be given more than once"
    parser.add_argument("--kind", "-k", choices=_words("kinds"), action="append", default=[], help=help)


def named(call: Invocation) -> Whose:
    """What the options say."""
    found = call.options
    return Whose(found.scope or EVERY, found.channel, found.chat_id, found.sender_id)


def names(known: AttributesAbility, whose: Whose, *, reading: bool = False) -> tuple[str, ...]:
    """The names of the scopes that are meant; none for all of them. Raises CommandRefused."""
    try:
        if ":" in whose.channel:  # it would read as another key
            raise ValueError(COLON)
        return known.scopes(whose)
    except ValueError as error:
        raise CommandRefused(str(error).removesuffix(" Nothing was changed.") if reading else str(error)) from None


def ability(call: Invocation) -> AttributesAbility:
    """How the facts of the bot have attributes. Raises CommandRefused, naming bots whose have, where none."""
    try:
        return pruning.ability(call.bot)
    except ValueError as error:
        slugs = [bot.slug for bot in Bot.present.order_by("pk") if open_bot(bot).attributes][:NAMED]
        others = f"A bot that does: --bot {' or '.join(slugs)}." if slugs else ""
        raise CommandRefused(f"{error} {others}") from None


def _words(name: str) -> tuple[str, ...]:
    """What any family calls its kinds, or its sorts of scopes."""
    known = [family.dialect.attributes for family in families.every()]
    return tuple(dict.fromkeys(word for one in known if one for word in getattr(one, name)))
