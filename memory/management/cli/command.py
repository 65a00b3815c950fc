"""What every command gets and gives: the bot, the options; one JSON object or text for people."""

from __future__ import annotations

import sys
from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from memory import bots, journal
from memory.bots import privacy
from memory.domain.outcomes import Refused
from memory.models import Bot
from memory.text.storable import as_utf8

BY = journal.By("command line")
WIDEST = 60  # letters to which a column is filled up

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Output:
    """What a command has to say. `raw` is written as it is where the output takes bytes; `problem` makes it exit 1; `is_secret`: a
    secret is what was asked for."""

    data: dict[str, Any]
    text: str = ""
    raw: bytes | None = None
    problem: str = ""
    is_secret: bool = False


class CommandRefused(Exception):
    """A command that did not do what was asked; the message is for people. `data` goes out with `--json`."""

    def __init__(self, message: str, data: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.data = data or {}


@dataclass(slots=True)
class Invocation:
    """One call of a command: its options, and the bot they name."""

    options: Namespace
    _bot: list[Bot] = field(default_factory=list)

    @property
    def bot(self) -> Bot:
        """The bot of `--bot`, else the first. Raises CommandRefused."""
        if not self._bot:
            self._bot.append(_named(self.options.bot))
        return self._bot[0]

    @property
    def hides_secrets(self) -> bool:
        """Whether secrets are hidden from people: as the bot is set that was asked about, and where it was none."""
        return all(map(privacy.hides_secrets, self._bot))


Act = Callable[[Invocation], Output]


def add(commands: Any, name: str, act: Act, words: str, *, ready: bool = True, writes: bool = False) -> ArgumentParser:
    """A command's parser. `--bot` and `--json` are taken before and after its name. `ready`: it needs the database; `writes`:
    it may leave files put aside, which are looked at once more before the command ends."""
    parser: ArgumentParser = commands.add_parser(name, help=words, description=words)
    common(parser, again=True)
    parser.set_defaults(act=act, ready=ready, writes=writes)
    return parser


def common(parser: ArgumentParser, *, again: bool = False) -> None:
    """The options of every command. `again`: a later parser must not reset what an earlier one has read."""
    none: Any = SUPPRESS if again else None
    no: Any = SUPPRESS if again else False
    parser.add_argument("--bot", metavar="SLUG", default=none, help="the bot; the first one by default")
    parser.add_argument("--json", action="store_true", default=no, help="print one JSON object")


def granted(outcome: T | Refused) -> T:
    """What was done. Raises CommandRefused where it was refused."""
    if isinstance(outcome, Refused):
        raise CommandRefused(outcome.reason)
    return outcome


def read_input(name: str) -> bytes:
    """The bytes of a file, or of standard input for `-`. Raises CommandRefused."""
    if name == "-":
        return sys.stdin.buffer.read() if sys.stdin else b""
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise CommandRefused(f"{name} cannot be read: {error.strerror}.") from None


def table(rows: Sequence[Sequence[object]], heads: Sequence[str] = ()) -> str:
    """Rows as aligned columns; numbers to the right, the last column as long as it is. A cell that is far longer than most moves
    the others of its own row only."""
    cells = [[plain(str(cell)) for cell in row] for row in ([heads] if heads else []) + list(rows)]
    if not cells:
        return ""
    numeric = [all(isinstance(row[at], int) for row in rows) and bool(rows) for at in range(len(cells[0]))]
    widths = [min(max(len(row[at]) for row in cells), WIDEST) for at in range(len(cells[0]))]
    lines = []
    for row in cells:
        parts = [cell.rjust(w) if right else cell.ljust(w) for cell, w, right in zip(row, widths, numeric, strict=True)]
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines)


def one_line(text: str, length: int = 100) -> str:
    """The start of a text on one line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= length else flat[: length - 1] + "…"


def plain(text: str) -> str:
    """Text that a terminal can show and that cannot command it: what is no UTF-8 or a control character is replaced."""
    valid = as_utf8(text)
    return "".join(one if one in "\n\t" or one.isprintable() or ord(one) > 159 else "\ufffd" for one in valid)


def plural(count: int, word: str, words: str = "") -> str:
    """A number with its word; `words` where more of it are called otherwise than with an s."""
    return f"{count} {word if count == 1 else words or f'{word}s'}"


def lines(parts: Iterable[str]) -> str:
    return "\n".join(part for part in parts if part)


def _named(slug: str | None) -> Bot:
    if slug:
        bot = Bot.present.filter(slug=slug).first()
        if bot is None:
            raise CommandRefused(f"There is no bot called {slug}. `memory bots` lists them.")
        return bot
    first = bots.default_bot()
    if first is None:
        raise CommandRefused("There is no bot yet. Add one with `memory add-bot PATH`.")
    return first
