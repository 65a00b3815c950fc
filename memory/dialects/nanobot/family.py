"""nanobot with its database as a plug-in: its home and configuration, the database as a vault, its mirrors, pages and commands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path, PurePosixPath

from django.utils.translation import gettext as _, gettext_lazy

from memory.bots import open_bot
from memory.bots.directories import resolved
from memory.bots.family import BY_ITS_OWN, Family
from memory.dialects.nanobot import DIALECT, Nanobot, home, mirror_sync, sample, states
from memory.dialects.nanobot.database.table import READ_ONLY
from memory.dialects.nanobot.database.vault import RowsVault
from memory.dialects.nanobot.layout import DATABASE, STATES, states_of
from memory.dialects.nanobot.scopes import chat_of, workspace_id
from memory.dialects.nanobot.settings import FACT_DAYS
from memory.domain.changes import MEMORY_ROOT, split_path
from memory.domain.dialect import Dialect
from memory.domain.errors import VaultError
from memory.domain.fields import Configured
from memory.models import Bot
from memory.storage import Vault
from memory.text.sentences import say

OWN = say("It has turn logs or mirrors, which only nanobot with a database creates.")
NO_DATABASE_FOUND = say(
    "No database found for this workspace, beside it or in ~/.nanobot. Its files are shown without entries."
)
NO_DATABASE = say("This nanobot has no database yet. Start the bot once, then send it again.")
OTHERS_TOO = say("Its database also contains entries of other workspaces. They are left alone.")
SHOWN_ONLY = say("Its database is from a newer nanobot. It can be read but not changed here.")
HEAD = 2048  # bytes in which a state file says whose it is


class NanobotFamily(Family):
    """The family."""

    name = DIALECT.name
    dialect = DIALECT
    recognised_by = (OWN, BY_ITS_OWN)
    usual = (".nanobot/workspace",)
    roots_words = {DATABASE: gettext_lazy("Database")}
    checks = (mirror_sync.MIRRORS,)
    places = {
        "memory": (
            ("mirrors", gettext_lazy("Mirrors")),
            ("sessions", gettext_lazy("Turn log")),
            ("counters", gettext_lazy("Counters")),
        ),
        "prompt": (("recalled", gettext_lazy("Why it remembers")),),
        "tidy": (("upkeep", gettext_lazy("Upkeep")),),
    }
    pages = "memory.dialects.nanobot.pages.urls"
    commands = ("memory.dialects.nanobot.commands.entries", "memory.dialects.nanobot.commands.bulk")
    command_line = "memory.dialects.nanobot.commands.status"
    recalls_by = "memory.dialects.nanobot.pages.recall"
    configuration = home.CONFIG
    misread = gettext_lazy(
        "The bot ignores its config.json because of the value at %(key)s and uses its defaults for everything, "
        "the database path included. Kenoweb shows those defaults."
    )
    sample_name = gettext_lazy("Sample nanobot")
    write_sample = staticmethod(sample.write)
    without = staticmethod(mirror_sync.without)
    reworded = staticmethod(mirror_sync.reworded)

    def directory_of(self, path: Path) -> Path | None:
        return home.workspace_of(path.expanduser()) if home.is_database(path) else None

    def roots(self, memory: Path, flavour: str) -> dict[str, Path]:
        database = home.database_of(memory)
        return {DATABASE: database} if database else {}

    def remarks(self, roots: Mapping[str, Path]) -> Iterator[str]:
        if DATABASE not in roots:
            yield NO_DATABASE_FOUND
            return
        vault = self.storage(DATABASE, roots[DATABASE], roots[MEMORY_ROOT])
        with suppress(VaultError):
            if isinstance(vault, RowsVault) and not vault.is_writable():
                yield SHOWN_ONLY
            if isinstance(vault, RowsVault) and vault.elsewhere():
                yield OTHERS_TOO

    def opened(self, bot: Bot) -> Dialect:
        told = {**self.observed(bot), **bot.settings}
        states_in, days = states_of(str(told.get("state_dir", STATES))), int(told.get("fact_days", FACT_DAYS))
        return Nanobot(states_in, days, partial(_whose, bot))

    def configured(self, bot: Bot) -> Configured:
        return home.configured(open_bot(bot).memory_path)

    def conflicts(self, bot: Bot) -> Iterator[str]:
        if not open_bot(bot).settings.states:
            yield _("The bot keeps its turn log outside the workspace, so Kenoweb neither shows nor writes it.")

    def storage(self, root: str, path: Path, memory: Path) -> Vault | None:
        if root != DATABASE:
            return None
        place = str(resolved(memory))
        return RowsVault(path, workspace_id(place), place=place)

    def closed(self, bot: Bot) -> str:
        if not open_bot(bot).settings.enabled:
            return ""
        vault = open_bot(bot).vaults.get(DATABASE)
        if not isinstance(vault, RowsVault):
            return NO_DATABASE
        return "" if vault.is_writable() else READ_ONLY

    def is_anothers(self, bot: Bot, path: str, chat: str) -> bool:
        found = chat_of(chat)
        root, below = split_path(path)
        begins = open_bot(bot).vaults[root].part(below, 0, HEAD) if found else None
        return found is not None and begins is not None and not states.is_of(begins, f"{found.channel}:{found.who}")


def _whose(bot: Bot, path: str) -> str:
    """The chat of a state file, as the file itself says."""
    with suppress(VaultError):
        begins = open_bot(bot).vaults[MEMORY_ROOT].part(path, 0, HEAD)
        return states.chat_of(begins or b"", PurePosixPath(path).stem)
    return ""


FAMILY = NanobotFamily()
