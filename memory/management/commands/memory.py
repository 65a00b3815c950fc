"""`python manage.py memory COMMAND`: a bot's memory from the command line."""

from __future__ import annotations

import io
import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from django.core.management.base import BaseCommand, CommandParser, OutputWrapper
from django.db import DatabaseError

from memory import journal
from memory.bots import families
from memory.domain.errors import Refusal, VaultError
from memory.management import cli
from memory.management.cli.command import CommandRefused, Invocation, Output, common
from memory.management.prepare import prepare
from memory.models import Bot
from memory.storage import database

NAMES_OF_FILES = ("path", "file")
NAMED = 5  # bots that a refusal names
# Options before a command that are followed by a value.
VALUED = {"--bot", "--settings", "--pythonpath", "--verbosity", "-v"}


class Command(BaseCommand):
    """Exit 0: done. 1: refused or failed, with one line on stderr. 2: usage."""

    help = "A bot's memory: read it, write it, compact it, undo changes."
    requires_system_checks: list[str] = []  # they cost more time than most commands

    words: Sequence[str] = ()  # what was typed, as far as that is known
    call: Invocation

    def run_from_argv(self, argv: list[str]) -> None:
        self.words = argv[2:]
        super().run_from_argv(argv)

    def add_arguments(self, parser: CommandParser) -> None:
        common(parser)
        commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
        first = _first(self.words)
        asked = [module for module, names in cli.NAMES.items() if first in names]
        for module in asked or cli.NAMES:
            import_module(f"{cli.__name__}.{module}").register(commands)
        if not asked:
            self._add_families(commands)

    def _add_families(self, commands: Any) -> None:
        """What only one family has, and so every family is imported."""
        for family, module in families.commands():
            every = set(commands.choices)
            module.register(commands)
            for name in set(commands.choices) - every:
                commands.choices[name].set_defaults(family=family)

    def handle(self, *args: Any, **options: Any) -> None:
        call = self.call = Invocation(Namespace(**options))
        try:
            _check_text(options)
            if database.server_has_another():  # or an empty one would be made in its place
                raise VaultError(database.ELSEWHERE)
            if options["ready"]:
                prepare()
            if family := options.get("family"):
                _check_family(call, family)
            told: Output = options["act"](call)
            if options["writes"]:
                _tidy(call.bot)
        except CommandRefused as refused:
            self._fail(str(refused), refused.data, options["json"])
        except (VaultError, journal.Busy, Refusal) as error:
            self._fail(str(error), {}, options["json"])
        except UnicodeEncodeError:  # half a character in a name that was looked for where only text can be
            self._fail("The input isn’t valid UTF-8 text.", {}, options["json"])
        except DatabaseError as error:
            self._fail(f"The database refused: {error}", {}, options["json"])
        else:
            self._tell(told, options["json"])

    def _tell(self, told: Output, as_json: bool) -> None:
        if as_json:
            self._print_json(told.data)
        elif told.raw is not None and self._takes_bytes():
            sys.stdout.buffer.write(told.raw)
            sys.stdout.flush()
        elif told.text:
            self.stdout.write(told.text if told.is_secret else self._read(told.text, self.stdout))
        if told.problem:
            self.stderr.write(self._read(_one_line(told.problem), self.stderr))
            raise SystemExit(1)

    def _fail(self, message: str, data: dict[str, Any], as_json: bool) -> None:
        if as_json:
            self._print_json({"error": message, **data})
        self.stderr.write(self._read(_one_line(message), self.stderr))
        raise SystemExit(1)

    def _read(self, text: str, where: OutputWrapper) -> str:
        """A text as it is written there. On a terminal, over whose user's shoulder somebody may look, secrets are told only."""
        if not (where.isatty() and self.call.hides_secrets):
            return text
        from memory.text.secrets import mask  # its patterns take longer than most commands need to begin

        return mask(text)

    def _print_json(self, data: dict[str, Any]) -> None:
        self.stdout.write(json.dumps(data))

    def _takes_bytes(self) -> bool:
        """Whether output goes to a file or pipe as it is: bytes are then exact. A terminal gets text that cannot command it."""
        goes_on = getattr(self.stdout, "_out", None) is sys.stdout
        return goes_on and isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty()


def _first(words: Sequence[str]) -> str:
    """The first word that is no option, nor the value of one: the command; "" for none."""
    pairs = zip(("", *words), words, strict=False)
    return next((word for before, word in pairs if before not in VALUED and not word.startswith("-")), "")


def _check_text(options: dict[str, Any]) -> None:
    """A name in the file system may be any bytes; nothing else that is typed may be half a character. Raises CommandRefused."""
    for name, value in options.items():
        words = value if isinstance(value, list | tuple) else [value]
        if name not in NAMES_OF_FILES and not all(_is_text(word) for word in words if isinstance(word, str)):
            raise CommandRefused(f"The value of {name.replace('_', ' ')} is not valid UTF-8 text. Nothing was done.")


def _check_family(call: Invocation, family: str) -> None:
    """A command that only one family has is for its bots. Raises CommandRefused for any other, and names those."""
    if call.bot.dialect == family:
        return
    slugs = Bot.present.filter(dialect=family).order_by("pk").values_list("slug", flat=True)[:NAMED]
    others = f" One that is: --bot {' or '.join(slugs)}." if slugs else ""
    label = families.dialect(family).label
    raise CommandRefused(
        f"`memory {call.options.command}` is for bots of the type {label}, and this bot isn’t one.{others}"
    )


def _is_text(word: str) -> bool:
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _tidy(bot: Bot) -> None:
    """Look at what was put aside, since no server may run that would. What is busy waits for the next command."""
    with suppress(VaultError, journal.Busy):
        journal.settle(bot, patience=0.5)


def _one_line(message: str) -> str:
    return " ".join(message.split())
